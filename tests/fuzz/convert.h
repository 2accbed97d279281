/* convert.h - fuzzing of a reader: whatever it makes of its input is a table that can be read */
#ifndef TESTS_FUZZ_CONVERT_H
#define TESTS_FUZZ_CONVERT_H

#include "convert/convert.h"
#include "base/die.h"
#include "base/zone.h"
#include "fuzz.h"

/* Converts the file at path to one at to, with a filter (NULL: none); 0 or -1. */
static int fuzz_filtered(const char *path, const char *from, const char *filter, const char *kind,
			 const char *to)
{
	char *paths[] = {(char *)path, NULL};
	struct zone utc;
	struct reader_input input = {.paths = paths, .zone = &utc, .accepts_partial = true};
	struct conversion conversion;
	struct out *out;
	struct err err;
	struct conversion_result result;
	int status = conversion_plan(&conversion, from, kind, &filter, filter != NULL, paths, &err);

	zone_parse(&utc, "Z");
	if (status == 0) {
		if (out_open(&out, to, NULL, &err) != 0)
			abort();
		status = conversion_run(&conversion, &input, out, NULL, &result, &err);
		out_close(out, true, &err);
	}
	conversion_free(&conversion);
	return status;
}

static int fuzz_conversion(const char *path, const char *from, const char *kind, const char *to)
{
	return fuzz_filtered(path, from, NULL, kind, to);
}

static inline void fuzz_reader(const uint8_t *bytes, size_t n, const char *from, const char *kind)
{
	char path[32], made[64], again[64];
	int fd = fuzz_open(bytes, n, path);

	die_set_quiet(true);
	snprintf(made, sizeof(made), "/dev/shm/convert_fuzz-%d", (int)getpid());
	snprintf(again, sizeof(again), "/dev/shm/convert_fuzz-%d-again", (int)getpid());
	if (fuzz_conversion(path, from, kind, made) == 0)
		fuzz_must(fuzz_conversion(made, kind, kind, again) == 0,
			  "what a reader makes can be read as its kind");
	unlink(made);
	unlink(again);
	fuzz_close(fd);
}

#define FUZZ_READER(from, kind)                                                                    \
	int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)                                 \
	{                                                                                          \
		fuzz_reader(bytes, n, from, kind);                                                 \
		return 0;                                                                          \
	}

#endif
