/* iotrace.c - what must hold of I/O operations */
#include "base/str.h"
#include "measure/check/check.h"
#include "model/kinds.h"

static void row(struct checking *checking, const struct row *at)
{
	static const char *const ops[] = {"open", "close",   "read", "write",
					  "sync", "barrier", NULL};
	const char *timing = table_meta(checking->in, "timing");

	check_word(checking, at, "op", ops);
	if (timing == NULL || !str_eq(timing, "think"))
		check_ordered(checking, at, "start_s", "end_s");
}

const struct check check_iotrace = {
	.entry =
		{
			.name = "iotrace",
			.example = "iotrace",
			.summary = "operations are of the list, and end when they start or later",
		},
	.kind = &kind_iotrace,
	.row = row,
};
