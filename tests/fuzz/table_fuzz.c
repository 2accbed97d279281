/* table_fuzz.c - a table that is read and passed on is a table again, with as many rows */
#include "base/die.h"
#include "formats/table.h"
#include "fuzz.h"
#include "model/kinds.h"

/* Reads the table; writes what it has to a file unless that is NULL. Returns the number of rows, or
 * -1. */
static long pass(const char *path, const char *to)
{
	char *paths[] = {(char *)path, NULL};
	struct table_out *table = NULL;
	struct table_in *in;
	struct out *out = NULL;
	struct row row;
	struct err err;
	long nrows = 0;
	int status;

	if (table_open(&in, all_kinds, paths, false, &err) != 0)
		return -1;
	if (to != NULL) {
		if (out_open(&out, to, NULL, &err) != 0)
			abort();
		table = table_out_new(out, table_kind(in));
		table_out_like(table, in);
	}
	while ((status = table_next(in, &row, &err)) == 1) {
		nrows++;
		if (table != NULL) {
			table_out_pass(table, &row);
			table_out_emit(table);
		}
	}
	if (table != NULL)
		table_out_end(table, true);
	out_close(out, true, &err);
	table_close(in);
	return status < 0 ? -1 : nrows;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[32], again[64];
	int fd = fuzz_open(bytes, n, path);
	long nrows;

	die_set_quiet(true);
	snprintf(again, sizeof(again), "/dev/shm/table_fuzz-%d", (int)getpid());
	nrows = pass(path, again);
	if (nrows >= 0)
		fuzz_must(pass(again, NULL) == nrows, "what was written can be read");
	unlink(again);
	fuzz_close(fd);
	return 0;
}
