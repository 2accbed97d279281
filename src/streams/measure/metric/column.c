/* column.c - any column of numbers */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/metric/metric.h"
#include "base/str.h"

struct column_metric {
	const char *name, *unit;
	int column;
};

/* Units are part of the names of columns. */
static const char *unit_of(const char *name)
{
	static const char *const units[][2] = {
		{"_flits_per_s", "flits/s"},
		{"_per_s", "1/s"},
		{"_Bps", "B/s"},
		{"_bytes", "B"},
		{"_s", "s"},
	};

	if (str_eq(name, "bytes"))
		return "B";
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (str_ends(name, units[i][0]))
			return units[i][1];
	return NULL;
}

static int column_open(void **state, const struct pick *pick, const struct metric_context *context,
		       struct err *err)
{
	struct column_metric *metric = xcalloc(1, sizeof(*metric));
	struct near_name near;

	metric->name = pick_word(pick, "name");
	metric->unit = unit_of(metric->name);
	metric->column = table_find(context->in, metric->name);
	*state = metric;
	if (metric->column < 0 && table_ncolumns(context->in) > 0)
		return err_set(err, "-m column: the stream has no column '%s'%s", metric->name,
			       table_hint(context->in, metric->name, &near));
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const struct column_metric *metric = state;
	double value = NAN;

	if (row_real(item->row, metric->column, metric->name, -1e300, 1e300, &value, err) < 0)
		return -1;
	metric_put(sink, metric->name, metric->unit, value, NULL);
	return 0;
}

static const struct param params[] = {{.key = "name", .type = PARAM_TEXT, .meaning = "the column"},
				      {0}};

const struct metric metric_column = {
	.entry = {.name = "column",
		  .example = "column:name=nodes",
		  .summary = "any numeric column of any stream",
		  .params = params},
	.only_when_asked = true,
	.open = column_open,
	.row = row,
	.close = free,
};
