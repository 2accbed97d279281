/* eval.c - metrics over a stream: of each row, summarised by columns, beside a baseline */
#include "measure/metric/eval.h"

#include <stdlib.h>
#include <string.h>

#include "measure/metric/eval_priv.h"
#include "model/moment.h"
#include "machine/load.h"
#include "place/policy/policy.h"

/* What names the row within its run: the job, or several cells with colons between. */
static const char *item_id(struct eval *eval, const struct row *row)
{
	buf_clear(&eval->id);
	for (int i = 0; i < eval->nkeys; i++) {
		const char *text = row_text(row, eval->key_columns[i]);

		if (text == NULL)
			continue;
		if (eval->id.n > 0)
			buf_char(&eval->id, ':');
		buf_str(&eval->id, text);
	}
	return eval->id.n > 0 ? buf_text(&eval->id) : NULL;
}

static int read_nodes(struct eval *eval, const struct row *row, struct metric_item *item,
		      struct err *err)
{
	const char *list = row_text(row, eval->nodelist_column);
	struct err why;

	eval->nodes.n = 0;
	node_ranges_clear(&eval->ranges);
	if (list != NULL &&
	    (eval->options->is_of_night
		     ? topo_ranges_read_known(eval->context.topo, list, &eval->ranges, NULL, &why)
		     : topo_ranges_read(eval->context.topo, list, &eval->ranges, &why)) != 0)
		return row_error(row, err, "nodelist: %s", why.msg);
	item->ranges = &eval->ranges;
	item->by_label = node_ranges_by_label(&eval->ranges, &eval->sorted);
	item->nnodes = (int)eval->ranges.nnodes;
	item->has_list = list != NULL;
	item->listed = &eval->nodes;
	return 0;
}

static int measure_row(struct eval *eval, const struct row *row, struct err *err)
{
	struct eval_run *run = eval_run_of(eval, row, err);
	struct metric_item item = {.row = row, .run = row_text(row, eval->run_column)};
	struct metric_sink sink = {
		.eval = eval, .run = run, .scope = eval->item_scope, .scopes = eval->items_scope};

	if (run == NULL || read_nodes(eval, row, &item, err) != 0 ||
	    (eval->has_loads && eval_loads_row(eval, run, row, err) != 0))
		return -1;
	sink.id = item_id(eval, row);
	item.is_counted = eval_counts_component(eval, row);
	for (int i = 0; i < eval->nmetrics; i++) {
		const struct eval_metric *metric = &eval->metrics[i];

		sink.metric = i;
		if (metric->metric->row != NULL &&
		    metric->metric->row(metric->metric->per_run ? run->states[i] : metric->state,
					&item, &sink, err) != 0)
			return -1;
	}
	return 0;
}

static int end_runs(struct eval *eval, struct err *err)
{
	for (size_t r = 0; r < eval->runs.n; r++) {
		if (eval->has_loads && eval_loads_end(eval, eval->runs.at[r], err) != 0)
			return -1;
		for (int i = 0; i < eval->nmetrics; i++) {
			const struct metric *metric = eval->metrics[i].metric;
			struct metric_sink sink = {.eval = eval,
						   .run = eval->runs.at[r],
						   .metric = i,
						   .scope = "run",
						   .scopes = "runs"};

			if (metric->per_run && metric->end != NULL &&
			    metric->end(eval->runs.at[r]->states[i], &sink, err) != 0)
				return -1;
		}
	}
	return 0;
}

/* --baseline COLUMN=VALUE, unless there is a file of that name to read, or the metrics have taken
 * it. */
static int open_baseline(struct eval *eval, struct err *err)
{
	const char *text = eval->options->baseline;
	const char *equals = text != NULL ? strchr(text, '=') : NULL;
	char *column;
	int status;

	if (text == NULL || eval->pairs != NULL || eval->has_own_baseline)
		return 0;
	if (equals == NULL || memchr(text, '/', (size_t)(equals - text)) != NULL)
		return metrics_out_baseline_file(eval->out, text, eval->run->accepts_partial, err);
	column = xstrndup(text, (size_t)(equals - text));
	status = metrics_out_baseline_column(eval->out, column, equals + 1,
					     alloc_policy_in(column, equals + 1), err);
	free(column);
	return status;
}

static int measure(struct eval *eval, struct err *err)
{
	int start = table_find(eval->in, "start_s"), end = table_find(eval->in, "end_s");
	int64_t at_ns = eval->options->at_ns;
	struct moment_columns columns;
	struct row row;
	int status, runs = 1;

	moment_bind(&columns, eval->in);
	while ((status = table_next(eval->in, &row, err)) == 1) {
		if (eval->options->has_at)
			runs = row_runs_at(&row, start, end, at_ns, err);
		if (eval->options->is_of_night)
			runs = row_is_between(&row, &columns, eval->options->since_ns,
					      eval->options->until_ns, err);
		if (runs < 0 || (runs == 1 && measure_row(eval, &row, err) != 0))
			return -1;
	}
	if (status != 0 || end_runs(eval, err) != 0)
		return -1;
	if (eval->pairs != NULL)
		return metrics_pairs_write(eval->pairs, eval->out, err);
	if (eval->has_summaries)
		eval_write_summaries(eval);
	return 0;
}

static void eval_open_out(struct eval *eval, struct out *out)
{
	unsigned columns = (eval->has_summaries ? METRICS_SUMMARY : 0) |
			   (eval->options->ci > 0 ? METRICS_INTERVAL : 0) |
			   (eval->pairs != NULL ? METRICS_PAIRS : 0);

	if (eval->pairs != NULL)
		eval->out = metrics_out_new(out, eval->in, metrics_pairs_by(eval->pairs),
					    metrics_pairs_nby(eval->pairs), columns);
	else
		eval->out = metrics_out_new(out, eval->in, eval->columns,
					    eval->has_items ? eval->ncolumns : eval->nby, columns);
}

int eval_stream(const struct run_context *context, struct table_in *in,
		const struct eval_options *options, struct out *out, bool *whole, struct err *err)
{
	struct eval eval = {.run = context, .options = options, .in = in, .kind = table_kind(in)};
	int status = eval_prepare(&eval, err);

	*whole = false;
	if (status == 0) {
		eval_open_out(&eval, out);
		if (eval.context.topo != NULL)
			topo_record(eval.context.topo, metrics_out_table(eval.out));
		status = open_baseline(&eval, err);
		if (status == 0)
			status = measure(&eval, err);
		*whole = status == 0 && table_is_whole(in) &&
			 (!eval.has_traffic || eval.traffic.is_whole) &&
			 eval_loads_are_whole(&eval);
		if (metrics_out_end(eval.out, *whole, status == 0 ? err : &(struct err){0}) != 0)
			status = -1;
	}
	if (eval_loads_close(&eval, *whole && status == 0, status == 0 ? err : &(struct err){0}) !=
	    0)
		status = -1;
	eval_free(&eval);
	return status;
}

static void free_groups(struct eval *eval)
{
	for (size_t g = 0; g < eval->groups.n; g++) {
		struct eval_group *group = eval->groups.at[g];

		for (int i = 0; i < eval->nmetrics; i++) {
			for (size_t k = 0; k < group->found[i].of.n; k++)
				vec_free(&group->found[i].of.at[k].values);
			vec_free(&group->found[i].of);
		}
		free(group->found);
		free(group);
	}
	vec_free(&eval->groups);
}

void eval_free(struct eval *eval)
{
	for (int i = 0; i < eval->nmetrics; i++) {
		struct eval_metric *metric = &eval->metrics[i];

		for (size_t r = 0; r < eval->runs.n && metric->metric->close != NULL; r++)
			if (eval->runs.at[r]->states[i] != NULL)
				metric->metric->close(eval->runs.at[r]->states[i]);
		if (metric->state != NULL && metric->metric->close != NULL)
			metric->metric->close(metric->state);
		pick_free(&metric->pick);
	}
	for (size_t r = 0; r < eval->runs.n; r++) {
		for (size_t i = 0; i < eval->runs.at[r]->mappings.n; i++)
			mapping_rows_free(&eval->runs.at[r]->mappings.at[i].rows);
		vec_free(&eval->runs.at[r]->mappings);
		free(eval->runs.at[r]->states);
		free(eval->runs.at[r]);
	}
	vec_free(&eval->runs);
	free_groups(eval);
	free(eval->metrics);
	vec_free(&eval->nodes);
	node_ranges_free(&eval->ranges);
	node_ranges_free(&eval->sorted);
	map_free(&eval->group_ids);
	map_free(&eval->run_ids);
	map_free(&eval->het_ids);
	routing_close(eval->context.routing);
	if (eval->has_traffic)
		traffic_free(&eval->traffic);
	topo_free(eval->context.topo);
	arena_free(&eval->arena);
	buf_free(&eval->key);
	buf_free(&eval->id);
	metrics_pairs_free(eval->pairs);
}
