/* ordered.h - the compute nodes of a machine in an order, for metrics */
#ifndef MEASURE_METRIC_ORDERED_H
#define MEASURE_METRIC_ORDERED_H

#include "measure/metric/regions.h"
#include "machine/order/order.h"

struct ordered {
	struct regions regions;
	int *node_at;  /* [n] separate I/O nodes are left out */
	int *place_of; /* [nnodes] -1: left out */
	int n;
};

/* The pick has ORDERED_PARAM. */
int ordered_open(struct ordered *ordered, const struct pick *pick,
		 const struct metric_context *context, struct err *err);
void ordered_close(struct ordered *ordered);

#define ORDERED_PARAM                                                                              \
	{                                                                                          \
		.key = "order", .type = PARAM_PICK, .registry = &orders, .def = "label",           \
		.meaning = "the order of the nodes"                                                \
	}

#endif
