/* in_fuzz.c - input as lines and as blocks gives the same text, whatever the compression holds */
#include <string.h>

#include "formats/in.h"
#include "fuzz.h"

enum { LIMIT = 1 << 24 };

/* The lines of the input, each ended by one newline; fails as in_line fails. */
static int by_lines(const char *path, char **text, size_t *n)
{
	struct in *in;
	struct err err;
	size_t length;
	char *line;
	int status;

	*text = NULL;
	*n = 0;
	if (in_open(&in, path, &err) != 0)
		return -1;
	while ((status = in_line(in, &line, &length, &err)) == 1) {
		fuzz_must(strlen(line) == length, "a line has its length");
		if (*n + length + 1 > LIMIT) {
			status = -1;
			break;
		}
		*text = realloc(*text, *n + length + 1);
		memcpy(*text + *n, line, length);
		(*text)[*n + length] = '\n';
		*n += length + 1;
	}
	in_close(in);
	return status;
}

/* Carriage returns before newlines are not part of a line. */
static size_t without_returns(char *text, size_t n)
{
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (text[i] != '\r' || (i + 1 < n && text[i + 1] != '\n'))
			text[m++] = text[i];
	return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[32], *lines, *all = NULL;
	int fd = fuzz_open(bytes, n, path), status;
	size_t nlines, nall = 0;
	struct in *in;
	struct err err;

	status = by_lines(path, &lines, &nlines);
	if (in_open(&in, path, &err) == 0) {
		if (in_all(in, &all, &nall, LIMIT, &err) != 0)
			fuzz_must(status != 0, "what cannot be read whole cannot be read by lines");
		else if (status == 0) {
			nall = without_returns(all, nall);
			fuzz_must(nlines == nall || nlines == nall + 1, "no byte is lost");
			fuzz_must(nall == 0 || memcmp(lines, all, nall) == 0,
				  "lines make the text");
		}
		in_close(in);
	}
	free(all);
	free(lines);
	fuzz_close(fd);
	return 0;
}
