/* counters.c - what must hold of samples of counters */
#include <stdlib.h>

#include "measure/check/series.h"
#include "base/num.h"
#include "model/kinds.h"

static void counters_open(struct checking *checking)
{
	checking->state = xcalloc(1, sizeof(struct series));
	for (int i = 0; i < table_ncolumns(checking->in); i++)
		if (kind_column(&kind_counters, table_column(checking->in, i)) == NULL)
			return;
	if (table_ncolumns(checking->in) > 0)
		found(checking->findings, "the stream has no column of a counter");
}

static void row(struct checking *checking, const struct row *at)
{
	series_check(checking->state, checking, at,
		     row_text(at, table_find(checking->in, "component")));
	for (int i = 0; i < table_ncolumns(checking->in); i++) {
		const char *name = table_column(checking->in, i), *text = row_text(at, i);
		double value;

		if (text == NULL || kind_column(&kind_counters, name) != NULL)
			continue;
		if (num_real(text, 0, 1e300, &value) != 0)
			found_at(checking, at, "%s: '%s' is not a number of at least 0", name,
				 text);
	}
}

static void close(struct checking *checking)
{
	series_free(checking->state);
	free(checking->state);
}

const struct check check_counters = {
	.entry =
		{
			.name = "counters",
			.example = "counters",
			.summary = "counters are not negative, and the samples of a "
				   "component are in order of time",
		},
	.kind = &kind_counters,
	.open = counters_open,
	.row = row,
	.close = close,
};
