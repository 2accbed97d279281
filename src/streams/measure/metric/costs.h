/* costs.h - what storage, nodes, GPUs and links cost: a price list, and what a machine has
 * of them */
#ifndef MEASURE_METRIC_COSTS_H
#define MEASURE_METRIC_COSTS_H

#include "measure/metric/metric.h"

/* Of an entry of io: whose nodes also compute, or that has nodes for itself: its servers. */
struct costs {
	double drive, drive_watts, server, server_watts;
	double bought, powered; /* servers for each node */
};

/* Of the machine itself: a node without its GPUs, a GPU, a link for each GB/s of its bandwidth in
 * each plane. */
struct machine_costs {
	double node, gpu, link;
	double node_watts, gpu_watts, link_watts;
};

struct bill {
	struct topo *topo;
	struct costs coupled, separate;
	struct machine_costs machine;
	double hours, tariff; /* of operation; per kWh */
};

/* Reads the file that the parameter costs names, or @NAME of share/costs. *bill is to be freed. */
int bill_open(void **bill, const struct pick *pick, const struct metric_context *context,
	      struct err *err);
/* Calls add for each entry of io: with devices. */
void bill_sum(const struct bill *bill,
	      void (*add)(double *sums, const struct costs *costs, double ndrives, double nservers),
	      double *sums);
/* Of the machine's nodes, GPUs and links: dollars, and watts. */
struct machine_sums {
	double price, watts;
};
struct machine_sums bill_machine(const struct bill *bill);

#define COSTS_PARAMS                                                                               \
	{                                                                                          \
		.key = "costs", .type = PARAM_FILE, .def = "@summit",                              \
		.meaning = "a price list, or @NAME of share/costs"                                 \
	}

#endif
