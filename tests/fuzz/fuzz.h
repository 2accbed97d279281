/* fuzz.h - what the fuzz targets have in common */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A path under which the bytes can be read; end with fuzz_close. */
static inline int fuzz_open(const uint8_t *bytes, size_t n, char path[32])
{
	int fd = memfd_create("fuzz", 0);

	if (fd < 0)
		abort();
	while (n > 0) {
		ssize_t did = write(fd, bytes, n);

		if (did <= 0)
			abort();
		bytes += did;
		n -= (size_t)did;
	}
	snprintf(path, 32, "/proc/self/fd/%d", fd);
	return fd;
}

static inline void fuzz_close(int fd)
{
	close(fd);
}

/* The input as text: ended by NUL, to be freed. */
static inline char *fuzz_text(const uint8_t *bytes, size_t n)
{
	char *text = malloc(n + 1);

	if (text == NULL)
		abort();
	for (size_t i = 0; i < n; i++)
		text[i] = (char)bytes[i];
	text[n] = '\0';
	return text;
}

/* What must hold, whatever the input is. */
static inline void fuzz_must(int good, const char *what)
{
	if (!good) {
		fprintf(stderr, "fuzz: does not hold: %s\n", what);
		abort();
	}
}

#endif
