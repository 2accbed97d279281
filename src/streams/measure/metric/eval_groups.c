/* eval_groups.c - the runs and groups that rows belong to, and their summaries */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/metric/eval_priv.h"
#include "base/str.h"

static const char *cell(const struct eval *eval, const struct row *row, int column)
{
	const char *text = row_text(row, eval->column_at[column]);

	return text != NULL ? text : ".";
}

/* The first ncolumns cells as one key. */
static void make_key(struct eval *eval, const struct row *row, int ncolumns)
{
	buf_clear(&eval->key);
	for (int i = 0; i < ncolumns; i++) {
		buf_str(&eval->key, cell(eval, row, i));
		buf_char(&eval->key, '\t');
	}
}

static const char **keep_cells(struct eval *eval, const struct row *row, int ncolumns)
{
	const char **cells =
		arena_alloc(&eval->arena, (size_t)(eval->ncolumns + 1) * sizeof(*cells));

	for (int i = 0; i < eval->ncolumns; i++) {
		const char *text = i < ncolumns ? cell(eval, row, i) : ".";

		cells[i] = arena_strndup(&eval->arena, text, strlen(text));
	}
	return cells;
}

static struct eval_group *group_of(struct eval *eval, const struct row *row)
{
	struct eval_group *group;
	int64_t at;

	make_key(eval, row, eval->nby);
	at = map_add(&eval->group_ids, buf_text(&eval->key), eval->key.n, (int64_t)eval->groups.n);
	if (at < (int64_t)eval->groups.n)
		return eval->groups.at[at];
	group = xcalloc(1, sizeof(*group));
	group->by = keep_cells(eval, row, eval->nby);
	group->found = xcalloc((size_t)eval->nmetrics, sizeof(*group->found));
	vec_push(&eval->groups, group);
	return group;
}

struct eval_run *eval_run_of(struct eval *eval, const struct row *row, struct err *err)
{
	struct eval_run *run;
	int64_t at;

	make_key(eval, row, eval->ncolumns);
	at = map_add(&eval->run_ids, buf_text(&eval->key), eval->key.n, (int64_t)eval->runs.n);
	if (at < (int64_t)eval->runs.n)
		return eval->runs.at[at];
	run = xcalloc(1, sizeof(*run));
	vec_push(&eval->runs, run);
	run->cells = keep_cells(eval, row, eval->ncolumns);
	run->group = group_of(eval, row);
	run->states = xcalloc((size_t)eval->nmetrics, sizeof(*run->states));
	for (int i = 0; i < eval->nmetrics; i++) {
		const struct eval_metric *metric = &eval->metrics[i];

		if (metric->metric->per_run && metric->metric->open != NULL &&
		    metric->metric->open(&run->states[i], &metric->pick, &eval->context, err) != 0)
			return NULL;
	}
	return run;
}

bool eval_counts_component(struct eval *eval, const struct row *row)
{
	const char *name = row_text(row, eval->het_column);
	int64_t number = (int64_t)eval->het_ids.n;

	if (name == NULL)
		return false;
	make_key(eval, row, eval->ncolumns);
	buf_str(&eval->key, name);
	return map_add(&eval->het_ids, buf_text(&eval->key), eval->key.n, number) != number;
}

/* The cells of --by, for the bootstrap's random numbers. */
static const char *group_name(struct eval *eval, const struct eval_group *group)
{
	buf_clear(&eval->key);
	for (int i = 0; i < eval->nby; i++) {
		buf_str(&eval->key, group->by[i]);
		buf_char(&eval->key, '\t');
	}
	return buf_text(&eval->key);
}

static void write_summary(struct eval *eval, const struct eval_group *group,
			  struct eval_series *series)
{
	struct summary summary = {0};
	struct metrics_row row = {.scope = series->scopes,
				  .metric = series->name,
				  .unit = series->unit,
				  .value = NAN,
				  .summary = &summary,
				  .by = group->by};
	struct inference inference = {NAN, NAN, NAN, NAN, NAN};
	char note[64];

	if (series->values.n > 0) {
		summary_make(&summary, series->values.at, series->values.n);
		row.value = summary.mean;
	}
	if (eval->options->ci > 0) {
		struct rng rng = rng_make((uint64_t)eval->run->seed, "bootstrap", series->name,
					  group_name(eval, group));

		bootstrap_mean(series->values.at, series->values.n, eval->options->ci, &rng,
			       &inference.low, &inference.high);
		row.inference = &inference;
	}
	if (series->nmissing > 0) {
		snprintf(note, sizeof(note), "%lld more without a value",
			 (long long)series->nmissing);
		row.note = note;
	}
	metrics_out_row(eval->out, &row);
}

void eval_write_summaries(struct eval *eval)
{
	for (size_t g = 0; g < eval->groups.n; g++) {
		const struct eval_group *group = eval->groups.at[g];

		for (int i = 0; i < eval->nmetrics; i++)
			for (size_t k = 0; k < group->found[i].of.n; k++)
				write_summary(eval, group, &group->found[i].of.at[k]);
	}
}
