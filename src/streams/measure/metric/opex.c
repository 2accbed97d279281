/* opex.c - the electricity that a machine takes, as far as a price list knows it */
#include <stdlib.h>

#include "measure/metric/costs.h"

static const struct metric_output outputs[] = {
	{"storage-power", "W", "power of all drives, and of the servers of storage nodes"},
	{"machine-power", "W", "power of nodes, GPUs and links, where the list has them"},
	{"opex", "$", "their price over the hours of operation, without cooling"},
	{0}};

static void add(double *sums, const struct costs *costs, double ndrives, double nservers)
{
	*sums += ndrives * costs->drive_watts + nservers * costs->powered * costs->server_watts;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct bill *bill = state;
	double watts = 0, machine_watts = bill_machine(bill).watts;

	(void)err;
	bill_sum(bill, add, &watts);
	metric_put(sink, outputs[0].name, "W", watts, NULL);
	if (machine_watts > 0)
		metric_put(sink, outputs[1].name, "W", machine_watts, NULL);
	metric_put(sink, outputs[2].name, "$",
		   (watts + machine_watts) / 1000 * bill->hours * bill->tariff, NULL);
	return 0;
}

static const struct param params[] = {COSTS_PARAMS, {0}};

const struct metric metric_opex = {
	.entry = {.name = "opex",
		  .example = "opex",
		  .summary = "the electricity that the storage of the machine, or all of it, takes",
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
