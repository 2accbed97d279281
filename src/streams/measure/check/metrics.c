/* metrics.c - what must hold of measurements */
#include <math.h>
#include <stdlib.h>

#include "measure/check/check.h"
#include "base/names.h"
#include "base/str.h"
#include "model/kinds.h"

/* The key of a row is scope, id, metric, and the columns that it was grouped by, which keep the
 * names of the stream that was measured. */
struct metrics {
	struct map keys; /* → line */
	struct buf key;
};

static void metrics_open(struct checking *checking)
{
	checking->state = xcalloc(1, sizeof(struct metrics));
}

static bool is_key(const struct table_in *in, int column)
{
	const char *name = table_column(in, column);

	return kind_column(&kind_metrics, name) == NULL || str_eq(name, "scope") ||
	       str_eq(name, "id") || str_eq(name, "metric");
}

static void check_key(struct checking *checking, const struct row *at)
{
	struct metrics *metrics = checking->state;
	int64_t line;

	buf_clear(&metrics->key);
	for (int i = 0; i < table_ncolumns(checking->in); i++)
		if (is_key(checking->in, i))
			buf_printf(&metrics->key, "%s\t", at->cells[i]);
	line = map_get(&metrics->keys, metrics->key.text, metrics->key.n);
	if (line == -1)
		map_add(&metrics->keys, metrics->key.text, metrics->key.n, at->line);
	else
		found_at(checking, at, "metric: %s of the same things is in line %lld already",
			 row_text(at, table_find(checking->in, "metric")), (long long)line);
}

/* Rounding aside, a mean is between the least and the greatest. */
static void check_mean(struct checking *checking, const struct row *at)
{
	double mean, least, most, slack;

	if (!cell_real(at, table_find(checking->in, "mean"), &mean) ||
	    !cell_real(at, table_find(checking->in, "min"), &least) ||
	    !cell_real(at, table_find(checking->in, "max"), &most))
		return;
	slack = 1e-9 * fmax(fabs(least), fabs(most));
	if (mean < least - slack || mean > most + slack)
		found_at(checking, at, "mean: %.17g is outside %.17g to %.17g", mean, least, most);
}

/* The value of pairs is the mean difference from their baseline. */
static void check_ratio(struct checking *checking, const struct row *at)
{
	bool is_paired = row_text(at, table_find(checking->in, "p_sign")) != NULL;
	double value, baseline, ratio, whole, size;

	if (!cell_real(at, table_find(checking->in, "value"), &value) ||
	    !cell_real(at, table_find(checking->in, "baseline"), &baseline) ||
	    !cell_real(at, table_find(checking->in, "ratio"), &ratio))
		return;
	whole = is_paired ? value + baseline : value;
	size = is_paired ? fmax(fabs(value), fabs(baseline)) : fabs(value);
	if (fabs(ratio * baseline - whole) > 1e-9 * size)
		found_at(checking, at, "ratio: %.17g is not %.17g over %.17g", ratio, whole,
			 baseline);
}

static void row(struct checking *checking, const struct row *at)
{
	static const char *const ascending[] = {"min", "q1", "median", "q3", "max"};
	double sd;

	check_key(checking, at);
	for (size_t i = 0; i + 1 < sizeof(ascending) / sizeof(ascending[0]); i++)
		check_ordered(checking, at, ascending[i], ascending[i + 1]);
	check_mean(checking, at);
	check_ratio(checking, at);
	if (cell_real(at, table_find(checking->in, "sd"), &sd) && sd < 0)
		found_at(checking, at, "sd: %.17g is negative", sd);
}

static void close(struct checking *checking)
{
	struct metrics *metrics = checking->state;

	map_free(&metrics->keys);
	buf_free(&metrics->key);
	free(metrics);
}

const struct check check_metrics = {
	.entry =
		{
			.name = "metrics",
			.example = "metrics",
			.summary =
				"quantiles ascend, the mean is between them, ratios are "
				"value (of pairs: value + baseline) over baseline, nothing is measured twice",
		},
	.kind = &kind_metrics,
	.has_own_key = true,
	.open = metrics_open,
	.row = row,
	.close = close,
};
