/* costs.h - what drives and servers of storage cost: a price list, and what a machine has of them
 */
#ifndef MEASURE_METRIC_COSTS_H
#define MEASURE_METRIC_COSTS_H

#include "measure/metric/metric.h"

/* Of an entry of io: whose nodes also compute, or that has nodes for itself: its servers. */
struct costs {
	double drive, drive_watts, server, server_watts;
	double bought, powered; /* servers for each node */
};

struct bill {
	const struct topo *topo;
	struct costs coupled, separate;
	double hours, tariff; /* of operation; per kWh */
};

/* Reads the file that the parameter costs names, or @NAME of share/costs. *bill is to be freed. */
int bill_open(void **bill, const struct pick *pick, const struct metric_context *context,
	      struct err *err);
/* Calls add for each entry of io: with devices. */
void bill_sum(const struct bill *bill,
	      void (*add)(double *sums, const struct costs *costs, double ndrives, double nservers),
	      double *sums);

#define COSTS_PARAMS                                                                               \
	{                                                                                          \
		.key = "costs", .type = PARAM_FILE, .def = "@summit",                              \
		.meaning = "a price list, or @NAME of share/costs"                                 \
	}

#endif
