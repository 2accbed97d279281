/* storage.c - what must hold of storage devices */
#include "measure/check/check.h"
#include "model/kinds.h"

static void row(struct checking *checking, const struct row *at)
{
	check_ordered(checking, at, "busy_s", "elapsed_s");
	check_ordered(checking, at, "bytes_drained", "bytes_written");
}

const struct check check_storage = {
	.entry =
		{
			.name = "storage",
			.example = "storage",
			.summary =
				"devices are busy no longer than the run, and drain no more than "
				"they wrote",
		},
	.kind = &kind_storage,
	.row = row,
};
