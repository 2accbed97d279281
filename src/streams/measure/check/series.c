/* series.c - rows of one component must come in the order of time */
#include "measure/check/series.h"

#include <stdlib.h>

void series_check(struct series *series, struct checking *checking, const struct row *row,
		  const char *component)
{
	const char *run = row_text(row, table_find(checking->in, "run"));
	int time = table_find(checking->in, "time_s");
	int64_t i, ns;

	if (component == NULL || !cell_seconds(row, time, &ns))
		return;
	buf_clear(&series->key);
	buf_printf(&series->key, "%s\t%s", run != NULL ? run : "", component);
	i = map_add(&series->index, series->key.text, series->key.n, (int64_t)series->last.n);
	if (i == (int64_t)series->last.n) {
		vec_push(&series->last, ns);
		return;
	}
	if (ns < series->last.at[i])
		found_at(checking, row, "time_s: %s comes after a later row of %s",
			 row->cells[time], component);
	else
		series->last.at[i] = ns;
}

void series_free(struct series *series)
{
	map_free(&series->index);
	vec_free(&series->last);
	buf_free(&series->key);
}
