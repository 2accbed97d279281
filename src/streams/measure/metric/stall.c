/* stall.c - stalls on the network tiles or ports of the job's routers, when its place was chosen */
#include "measure/metric/router_loads.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {{"stall-mean", "1/s", "mean over the routers used"},
					       {"stall-max", "1/s", "the most of a router used"},
					       {0}};

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct router_loads *loads = state;
	const struct traffic_window *window;

	if (router_loads_window(loads, item, &window, err) != 0)
		return -1;
	router_loads_put(loads, item, window != NULL ? window->stall : NULL, outputs, "1/s", sink);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_stall = {
	.entry = {.name = "stall",
		  .example = "stall",
		  .summary = "stalls at the network tiles or ports of the job's routers "
			     "when it was placed"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_TRAFFIC,
	.outputs = outputs,
	.open = router_loads_open,
	.row = row,
	.close = router_loads_close,
};
