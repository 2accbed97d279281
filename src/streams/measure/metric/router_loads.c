/* router_loads.c - what traffic metrics share: a figure of each router a job uses */
#include "measure/metric/router_loads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void router_set_of(struct router_set *set, const struct topo *topo,
		   const struct node_ranges *ranges)
{
	if (set->seen_by == NULL) {
		set->seen_by = xcalloc((size_t)topo->nrouters, sizeof(*set->seen_by));
		domain_runs_make(&set->runs, topo, 0);
	}
	set->item++;
	set->routers.n = 0;
	for (size_t i = 0; i < ranges->of.n; i++)
		for (int node = ranges->of.at[i].first; node <= ranges->of.at[i].last;
		     node = set->runs.to[node] + 1) {
			int router = set->runs.of[node];

			if (set->seen_by[router] != set->item)
				vec_push(&set->routers, router);
			set->seen_by[router] = set->item;
		}
}

void router_set_free(struct router_set *set)
{
	free(set->seen_by);
	domain_runs_free(&set->runs);
	vec_free(&set->routers);
}

int router_loads_open(void **state, const struct pick *pick, const struct metric_context *context,
		      struct err *err)
{
	struct router_loads *loads = xcalloc(1, sizeof(*loads));

	(void)pick;
	(void)err;
	loads->context = context;
	loads->start_column = table_find(context->in, "start_s");
	loads->submit_column = table_find(context->in, "submit_s");
	*state = loads;
	return 0;
}

void router_loads_close(void *state)
{
	struct router_loads *loads = state;

	router_set_free(&loads->set);
	free(loads);
}

int router_loads_window(const struct router_loads *loads, const struct metric_item *item,
			const struct traffic_window **window, struct err *err)
{
	int64_t ns = INT64_MAX;
	int got = row_seconds(item->row, loads->start_column, "start_s", &ns, err);

	if (got == 0)
		got = row_seconds(item->row, loads->submit_column, "submit_s", &ns, err);
	if (got < 0)
		return -1;
	*window = traffic_at(loads->context->traffic, item->run, ns);
	return 0;
}

void router_loads_put(struct router_loads *loads, const struct metric_item *item,
		      const double *figures, const struct metric_output *outputs, const char *unit,
		      struct metric_sink *sink)
{
	double sum = 0, most = -INFINITY;
	int n = 0, nmissing = 0;
	char note[64] = "";

	if (item->nnodes == 0 || figures == NULL) {
		const char *why = item->nnodes == 0 ? "not placed" : "no window ended by then";

		metric_put(sink, outputs[0].name, unit, NAN, why);
		metric_put(sink, outputs[1].name, unit, NAN, why);
		return;
	}
	router_set_of(&loads->set, loads->context->topo, item->ranges);
	for (size_t i = 0; i < loads->set.routers.n; i++) {
		double figure = figures[loads->set.routers.at[i]];

		if (isnan(figure)) {
			nmissing++;
			continue;
		}
		sum += figure;
		most = figure > most ? figure : most;
		n++;
	}
	if (nmissing > 0)
		snprintf(note, sizeof(note), "%d of %zu routers without a sample", nmissing,
			 loads->set.routers.n);
	metric_put(sink, outputs[0].name, unit, n > 0 ? sum / n : NAN, nmissing ? note : NULL);
	metric_put(sink, outputs[1].name, unit, n > 0 ? most : NAN, nmissing ? note : NULL);
}
