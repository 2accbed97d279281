/* metrics_out.c - writing measurements, beside their baseline where there is one */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/mem.h"
#include "base/name_hint.h"
#include "base/str.h"
#include "model/kinds.h"
#include "model/metrics.h"

/* In the order that they are written. */
enum {
	SCOPE,
	ID,
	METRIC,
	VALUE,
	UNIT,
	N,
	MEAN,
	SD,
	MIN,
	Q1,
	MEDIAN,
	Q3,
	MAX,
	BASELINE,
	RATIO,
	CI_LOW,
	CI_HIGH,
	P_SIGN,
	P_WILCOXON,
	NOTE,
	NCOLUMNS
};
static const char *const names[NCOLUMNS] = {"scope",  "id",      "metric", "value",      "unit",
					    "n",      "mean",    "sd",     "min",        "q1",
					    "median", "q3",      "max",    "baseline",   "ratio",
					    "ci_low", "ci_high", "p_sign", "p_wilcoxon", "note"};

struct held_row {
	struct metrics_row row;
	struct summary summary;
	struct inference inference;
};

struct metrics_out {
	struct table_out *table;
	const char *const *by;
	int nby, by_place[64], place[NCOLUMNS];
	unsigned columns;                      /* enum metrics_columns */
	int baseline_by;                       /* which of by identifies the baseline; -1: none */
	char *baseline_value, *baseline_alias; /* rows have either */
	bool *is_in_file; /* [nby] the baseline's file has this column; NULL: no file */
	struct map baselines;
	VEC(double) values; /* that the map numbers */
	VEC(struct held_row) held;
	struct arena arena;
	struct buf key;
	bool is_begun;
};

struct metrics_out *metrics_out_new(struct out *out, const struct table_in *in,
				    const char *const *by, int nby, unsigned columns)
{
	struct metrics_out *metrics = xcalloc(1, sizeof(*metrics));

	metrics->table = table_out_new(out, &kind_metrics);
	table_out_meta_of(metrics->table, in);
	metrics->by = by;
	metrics->nby = nby;
	metrics->columns = columns;
	metrics->baseline_by = -1;
	return metrics;
}

struct table_out *metrics_out_table(struct metrics_out *metrics)
{
	return metrics->table;
}

static void begin(struct metrics_out *metrics)
{
	bool has_pairs = (metrics->columns & METRICS_PAIRS) != 0;
	bool has_baseline = metrics->baseline_by >= 0 || metrics->is_in_file != NULL || has_pairs;

	if (metrics->is_begun)
		return;
	metrics->is_begun = true;
	for (int i = 0; i < metrics->nby; i++)
		metrics->by_place[i] = table_out_column(metrics->table, metrics->by[i]);
	for (int i = 0; i < NCOLUMNS; i++) {
		metrics->place[i] = -1;
		if ((i >= N && i <= MAX && (metrics->columns & METRICS_SUMMARY) == 0) ||
		    ((i == BASELINE || i == RATIO) && !has_baseline) ||
		    ((i == CI_LOW || i == CI_HIGH) && (metrics->columns & METRICS_INTERVAL) == 0) ||
		    ((i == P_SIGN || i == P_WILCOXON) && !has_pairs))
			continue;
		metrics->place[i] = table_out_column(metrics->table, names[i]);
	}
}

static void put(const struct metrics_out *metrics, int column, double value)
{
	if (!isnan(value) && metrics->place[column] >= 0)
		table_out_real(metrics->table, metrics->place[column], value);
}

static void put_summary(const struct metrics_out *metrics, const struct summary *summary)
{
	table_out_int(metrics->table, metrics->place[N], summary->n);
	if (summary->n == 0)
		return;
	put(metrics, MEAN, summary->mean);
	put(metrics, SD, summary->sd);
	put(metrics, MIN, summary->min);
	put(metrics, Q1, summary->q1);
	put(metrics, MEDIAN, summary->median);
	put(metrics, Q3, summary->q3);
	put(metrics, MAX, summary->max);
}

static void put_inference(const struct metrics_out *metrics, const struct metrics_row *row)
{
	const struct inference *inference = row->inference;

	if ((metrics->columns & METRICS_PAIRS) != 0) {
		put(metrics, BASELINE, inference->baseline);
		if (inference->baseline != 0)
			put(metrics, RATIO, row->value / inference->baseline + 1);
	}
	put(metrics, CI_LOW, inference->low);
	put(metrics, CI_HIGH, inference->high);
	put(metrics, P_SIGN, inference->p_sign);
	put(metrics, P_WILCOXON, inference->p_wilcoxon);
}

/* What a row is looked up by: everything that names it, less the column that differs. */
static const char *row_key(struct metrics_out *metrics, const struct metrics_row *row)
{
	const char *parts[3] = {row->scope, row->id, row->metric};

	buf_clear(&metrics->key);
	for (int i = 0; i < 3; i++) {
		buf_str(&metrics->key, parts[i] != NULL ? parts[i] : ".");
		buf_char(&metrics->key, '\t');
	}
	for (int i = 0; i < metrics->nby; i++) {
		if (i == metrics->baseline_by ||
		    (metrics->is_in_file != NULL && !metrics->is_in_file[i]))
			continue;
		buf_str(&metrics->key, row->by[i]);
		buf_char(&metrics->key, '\t');
	}
	return buf_text(&metrics->key);
}

static void baseline_add(struct metrics_out *metrics, const struct metrics_row *row)
{
	const char *key = row_key(metrics, row);

	/* the first of equal rows counts */
	if (map_add(&metrics->baselines, key, metrics->key.n, (int64_t)metrics->values.n) ==
	    (int64_t)metrics->values.n)
		vec_push(&metrics->values, row->value);
}

static void write_row(struct metrics_out *metrics, const struct metrics_row *row)
{
	struct table_out *table = metrics->table;

	begin(metrics);
	for (int i = 0; i < metrics->nby; i++)
		table_out_text(table, metrics->by_place[i],
			       str_eq(row->by[i], ".") ? NULL : row->by[i]);
	table_out_text(table, metrics->place[SCOPE], row->scope);
	table_out_text(table, metrics->place[ID], row->id);
	table_out_text(table, metrics->place[METRIC], row->metric);
	table_out_text(table, metrics->place[UNIT], row->unit);
	table_out_text(table, metrics->place[NOTE], row->note);
	put(metrics, VALUE, row->value);
	if (row->summary != NULL && (metrics->columns & METRICS_SUMMARY) != 0)
		put_summary(metrics, row->summary);
	if (row->inference != NULL)
		put_inference(metrics, row);
	if (metrics->place[BASELINE] >= 0 && (metrics->columns & METRICS_PAIRS) == 0) {
		const char *key = row_key(metrics, row);
		int64_t at = map_get(&metrics->baselines, key, metrics->key.n);
		double baseline = at >= 0 ? metrics->values.at[at] : NAN;

		put(metrics, BASELINE, baseline);
		if (!isnan(baseline) && baseline != 0)
			put(metrics, RATIO, row->value / baseline);
	}
	table_out_emit(table);
}

static const char *keep(struct metrics_out *metrics, const char *text)
{
	return text != NULL ? arena_strndup(&metrics->arena, text, strlen(text)) : NULL;
}

void metrics_out_row(struct metrics_out *metrics, const struct metrics_row *row)
{
	struct held_row held = {.row = *row};
	const char **by;

	if (metrics->baseline_by < 0) {
		write_row(metrics, row);
		return;
	}
	if (row->summary != NULL)
		held.summary = *row->summary;
	if (row->inference != NULL)
		held.inference = *row->inference;
	held.row.scope = keep(metrics, row->scope);
	held.row.id = keep(metrics, row->id);
	held.row.metric = keep(metrics, row->metric);
	held.row.unit = keep(metrics, row->unit);
	held.row.note = keep(metrics, row->note);
	by = arena_alloc(&metrics->arena, (size_t)metrics->nby * sizeof(*by));
	for (int i = 0; i < metrics->nby; i++)
		by[i] = keep(metrics, row->by[i]);
	held.row.by = by;
	vec_push(&metrics->held, held);
	if (str_eq(row->by[metrics->baseline_by], metrics->baseline_value) ||
	    str_eq(row->by[metrics->baseline_by], metrics->baseline_alias))
		baseline_add(metrics, row);
}

int metrics_out_baseline_column(struct metrics_out *metrics, const char *column, const char *value,
				const char *alias, struct err *err)
{
	for (int i = 0; i < metrics->nby; i++)
		if (str_eq(metrics->by[i], column))
			metrics->baseline_by = i;
	if (metrics->baseline_by < 0)
		return err_set(err, "--baseline: '%s' is not one of the columns of --by", column);
	metrics->baseline_value = xstrdup(value);
	metrics->baseline_alias = xstrdup(alias);
	return 0;
}

/* One row of the baseline's file. */
static int read_baseline(struct metrics_out *metrics, const struct table_in *in,
			 const struct row *row, const char **by, struct err *err)
{
	struct metrics_row baseline = {.scope = row_text(row, table_find(in, "scope")),
				       .id = row_text(row, table_find(in, "id")),
				       .metric = row_text(row, table_find(in, "metric")),
				       .by = by};
	int got = row_real(row, table_find(in, "value"), "value", -1e300, 1e300, &baseline.value,
			   err);

	for (int i = 0; i < metrics->nby; i++) {
		const char *text = row_text(row, table_find(in, metrics->by[i]));

		by[i] = text != NULL ? text : ".";
	}
	if (got == 1)
		baseline_add(metrics, &baseline);
	return got;
}

int metrics_out_baseline_file(struct metrics_out *metrics, const char *path, bool accepts_partial,
			      struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_metrics, NULL};
	char *name = xstrdup(path), *paths[] = {name, NULL};
	const char **by = xcalloc((size_t)metrics->nby, sizeof(*by));
	struct table_in *in = NULL;
	struct row row;
	int status = table_open(&in, kinds, paths, accepts_partial, err);

	metrics->is_in_file = xcalloc((size_t)metrics->nby + 1, sizeof(*metrics->is_in_file));
	for (int i = 0; i < metrics->nby && status == 0; i++)
		metrics->is_in_file[i] = table_find(in, metrics->by[i]) >= 0;
	while (status == 0) {
		status = table_next(in, &row, err);
		if (status != 1)
			break;
		status = read_baseline(metrics, in, &row, by, err) < 0 ? -1 : 0;
	}
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: the baseline is truncated", path);
	table_close(in);
	free(by);
	free(name);
	return status;
}

static int no_baseline(const struct metrics_out *metrics, struct err *err)
{
	struct seen_values seen = {0};

	for (size_t i = 0; i < metrics->held.n; i++)
		seen_add(&seen, metrics->held.at[i].row.by[metrics->baseline_by]);
	return err_set(err, "--baseline: no row has '%s' in column %s, which has: %s",
		       metrics->baseline_value, metrics->by[metrics->baseline_by],
		       seen_list(&seen));
}

int metrics_out_end(struct metrics_out *metrics, bool whole, struct err *err)
{
	int status = 0;

	if (metrics->baseline_by >= 0 && metrics->held.n > 0 && metrics->values.n == 0)
		status = no_baseline(metrics, err);
	for (size_t i = 0; i < metrics->held.n && status == 0; i++) {
		struct held_row *held = &metrics->held.at[i];

		if (held->row.summary != NULL)
			held->row.summary = &held->summary;
		if (held->row.inference != NULL)
			held->row.inference = &held->inference;
		write_row(metrics, &held->row);
	}
	begin(metrics);
	table_out_end(metrics->table, whole && status == 0);
	free(metrics->baseline_value);
	free(metrics->baseline_alias);
	free(metrics->is_in_file);
	map_free(&metrics->baselines);
	vec_free(&metrics->values);
	vec_free(&metrics->held);
	arena_free(&metrics->arena);
	buf_free(&metrics->key);
	free(metrics);
	return status;
}
