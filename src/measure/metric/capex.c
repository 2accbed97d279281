/* capex.c - what the storage of a machine costs to buy */
#include <stdlib.h>

#include "measure/metric/costs.h"

static const struct metric_output outputs[] = {
	{"capex", "$", "price of all drives, and of the servers of storage nodes"}, {0}};

static void add(double *sums, const struct costs *costs, double ndrives, double nservers)
{
	*sums += ndrives * costs->drive + nservers * costs->bought * costs->server;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	double price = 0;

	(void)err;
	bill_sum(state, add, &price);
	metric_put(sink, outputs[0].name, "$", price, NULL);
	return 0;
}

static const struct param params[] = {COSTS_PARAMS, {0}};

const struct metric metric_capex = {
	.entry = {.name = "capex",
		  .example = "capex",
		  .summary = "what the storage of the machine costs to buy",
		  .paper = "Khetawat 2022, table 2.5",
		  .params = params},
	.needs = METRIC_TOPOLOGY,
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = bill_open,
	.end = end,
	.close = free,
};
