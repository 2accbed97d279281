/* opex.c - the electricity that the storage of a machine takes */
#include <stdlib.h>

#include "measure/metric/costs.h"

static const struct metric_output outputs[] = {
	{"storage-power", "W", "power of all drives, and of the servers of storage nodes"},
	{"opex", "$", "its price over the hours of operation, without cooling"},
	{0}};

static void add(double *sums, const struct costs *costs, double ndrives, double nservers)
{
	*sums += ndrives * costs->drive_watts + nservers * costs->powered * costs->server_watts;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct bill *bill = state;
	double watts = 0;

	(void)err;
	bill_sum(bill, add, &watts);
	metric_put(sink, outputs[0].name, "W", watts, NULL);
	metric_put(sink, outputs[1].name, "$", watts / 1000 * bill->hours * bill->tariff, NULL);
	return 0;
}

static const struct param params[] = {COSTS_PARAMS, {0}};

const struct metric metric_opex = {
	.entry = {.name = "opex",
		  .example = "opex",
		  .summary = "the electricity that the storage of the machine takes",
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
