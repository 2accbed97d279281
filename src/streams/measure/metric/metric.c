/* metric.c - what metrics share */
#include <math.h>

#include "measure/metric/eval_priv.h"

static void add_to_series(const struct metric_sink *sink, const char *name, const char *unit,
			  double value)
{
	struct eval_serieses *found = &sink->run->group->found[sink->metric];
	struct eval_series *series = NULL;

	for (size_t i = 0; i < found->of.n && series == NULL; i++)
		if (str_eq(found->of.at[i].name, name))
			series = &found->of.at[i];
	if (series == NULL) {
		vec_push(&found->of,
			 (struct eval_series){.name = name, .unit = unit, .scopes = sink->scopes});
		series = &found->of.at[found->of.n - 1];
	}
	if (isnan(value))
		series->nmissing++;
	else
		vec_push(&series->values, value);
}

void metric_put(struct metric_sink *sink, const char *name, const char *unit, double value,
		const char *note)
{
	struct eval *eval = sink->eval;

	if (eval->pairs == NULL && eval->has_summaries)
		add_to_series(sink, name, unit, value);
	if (eval->has_items) {
		struct metrics_row row = {.scope = eval->pairs != NULL ? sink->scopes : sink->scope,
					  .id = sink->id,
					  .metric = name,
					  .unit = unit,
					  .note = note,
					  .value = value,
					  .by = sink->run->cells};

		if (eval->pairs != NULL)
			metrics_pairs_row(eval->pairs, &row);
		else
			metrics_out_row(eval->out, &row);
	}
}

const char *metric_item_id(const struct metric_sink *sink)
{
	return sink->id;
}

void metric_put_item(struct metric_sink *sink, const char *id, const char *name, const char *unit,
		     double value, const char *note)
{
	struct metric_sink of_item = *sink;

	of_item.scope = sink->eval->item_scope;
	of_item.scopes = sink->eval->items_scope;
	of_item.id = id;
	metric_put(&of_item, name, unit, value, note);
}

const int *metric_item_nodes(const struct metric_item *item)
{
	if (item->listed->n == 0 && item->nnodes > 0) {
		vec_reserve(item->listed, (size_t)item->nnodes);
		node_ranges_list(item->ranges, item->listed->at);
		item->listed->n = (size_t)item->nnodes;
	}
	return item->listed->at;
}
