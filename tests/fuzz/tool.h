/* tool.h - fuzzing of a tool as it is: its own body, to its end, whether that is good or bad
 *
 * The target includes the tool's source with main renamed. The first bytes of the input choose
 * among options; the rest is the stream. */
#ifndef TESTS_FUZZ_TOOL_H
#define TESTS_FUZZ_TOOL_H

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/die.h"
#include "base/err.h"
#include "base/run_context.h"
#include "formats/table.h"
#include "fuzz.h"

/* A number of more digits than that makes work, but shows nothing. */
static inline bool fuzz_has_long_number(const uint8_t *bytes, size_t n, size_t most)
{
	size_t digits = 0;

	for (size_t i = 0; i < n; i++) {
		digits = isdigit(bytes[i]) ? digits + 1 : 0;
		if (digits > most || (bytes[i] == 'e' && i > 0 && isdigit(bytes[i - 1])))
			return true;
	}
	return false;
}

typedef int fuzz_body(const struct run_context *context, char **paths, struct err *err);

/* Runs the body on the bytes. What it calls whole can be read again as one of the kinds (which end
 * in NULL). */
static inline int fuzz_tool(fuzz_body *body, const uint8_t *bytes, size_t n, const char *topology,
			    const struct table_kind *const *kinds)
{
	char path[32], made[64], *paths[] = {path, NULL}, *again[] = {made, NULL};
	int fd = fuzz_open(bytes, n, path), status;
	struct run_context context = {.output = made,
				      .topology = topology,
				      .seed = 1,
				      .nthreads = 1,
				      .accepts_partial = true};
	struct err err = {0};

	die_set_quiet(true);
	snprintf(made, sizeof(made), "/dev/shm/tool_fuzz-%d", (int)getpid());
	status = body(&context, paths, &err);
	fuzz_must(status >= 0 || err.msg[0] != '\0', "trouble has a message");
	if (status == 0 && kinds != NULL) {
		struct table_in *in;
		struct row row;
		int more;

		fuzz_must(table_open(&in, kinds, again, false, &err) == 0,
			  "what it wrote is a table");
		while ((more = table_next(in, &row, &err)) == 1)
			;
		fuzz_must(more == 0 && table_is_whole(in), "and a whole one");
		table_close(in);
	}
	unlink(made);
	fuzz_close(fd);
	return status;
}

#endif
