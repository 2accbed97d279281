/* router_loads.h - what traffic metrics share: a figure of each router a job uses */
#ifndef MEASURE_METRIC_ROUTER_LOADS_H
#define MEASURE_METRIC_ROUTER_LOADS_H

#include "measure/metric/metric.h"
#include "model/domain_runs.h"

/* The routers below which a job has nodes, each once. */
struct router_set {
	int *seen_by; /* [nrouters] number of the item that saw it last */
	int item;
	struct domain_runs runs;
	int_vec routers; /* in the order of the nodes */
};
void router_set_of(struct router_set *set, const struct topo *topo,
		   const struct node_ranges *ranges);
void router_set_free(struct router_set *set);

/* State and functions of metrics over the traffic table. */
struct router_loads {
	const struct metric_context *context;
	int start_column, submit_column;
	struct router_set set;
};
int router_loads_open(void **state, const struct pick *pick, const struct metric_context *context,
		      struct err *err);
void router_loads_close(void *state);

/* The window that a job's placement was decided from: the newest that ended by start_s (submit_s
 * where a job has no start); without either the newest of all. NULL: there is none. */
int router_loads_window(const struct router_loads *loads, const struct metric_item *item,
			const struct traffic_window **window, struct err *err);

/* Puts NAME-mean and NAME-max over the routers of the item; figures [nrouters]; NULL: no window. */
void router_loads_put(struct router_loads *loads, const struct metric_item *item,
		      const double *figures, const struct metric_output *outputs, const char *unit,
		      struct metric_sink *sink);

#endif
