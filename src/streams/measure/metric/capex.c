/* capex.c - what a machine costs to buy, as far as a price list knows it */
#include <stdlib.h>

#include "measure/metric/costs.h"

static const struct metric_output outputs[] = {
	{"capex", "$",
	 "price of all drives and of the servers of storage nodes, and of nodes, GPUs and links where the list has them"},
	{0}};

static void add(double *sums, const struct costs *costs, double ndrives, double nservers)
{
	*sums += ndrives * costs->drive + nservers * costs->bought * costs->server;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	double price = bill_machine(state).price;

	(void)err;
	bill_sum(state, add, &price);
	metric_put(sink, outputs[0].name, "$", price, NULL);
	return 0;
}

static const struct param params[] = {COSTS_PARAMS, {0}};

const struct metric metric_capex = {
	.entry = {.name = "capex",
		  .example = "capex",
		  .summary = "what the storage of the machine, or all of it, costs to buy",
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
