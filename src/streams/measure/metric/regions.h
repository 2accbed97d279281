/* regions.h - placed jobs as regions of a machine, for metrics of where they are */
#ifndef MEASURE_METRIC_REGIONS_H
#define MEASURE_METRIC_REGIONS_H

#include "measure/checker/geometry.h"
#include "measure/metric/metric.h"

struct regions {
	struct geometry geometry;
	int io_column;
	io_places io;
};

/* The metric needs METRIC_TOPOLOGY | METRIC_ROUTES. */
int regions_open(struct regions *regions, const struct metric_context *context, struct err *err);
void regions_close(struct regions *regions);
/* The job's nodes and where it does its I/O, valid until the next call. */
int regions_of(struct regions *regions, const struct metric_item *item, struct region *region,
	       struct err *err);

#endif
