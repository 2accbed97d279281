/* region.h - regions of adjacent routers that are congested alike */
#ifndef TRAFFIC_REGION_H
#define TRAFFIC_REGION_H

#include "traffic/aggregate.h"
#include "model/topo.h"

enum { REGION_CLASSES = 4 };

/*
 * Our reading of region growth (NeDD §VI, its reference 34: Jha et al., NSDI 2020, classes of the
 * percentage of time stalled): a router's class is the number of thresholds that the fraction of
 * time its network tiles stalled, their mean, exceeds. A region is a largest set of routers of one
 * class of which each is linked to another of the set. Regions are numbered by their first router.
 * Routers without a stall sample belong to none.
 */
struct region {
	int number, level, nrouters;
	double traffic, stall; /* sums over its routers; NAN: none */
	double stalled;        /* mean fraction of time stalled */
	int64_t samples, resets;
	bool incomplete;
};

struct regions {
	struct topo *topo;
	double thresholds[REGION_CLASSES - 1]; /* ascending fractions */
	VEC(struct region) all;
	int *region_of; /* [nrouters]: region, or -1 */
	int *class_of;  /* [nrouters]: class, or -1 */
	VEC(int) queue;
};

void regions_init(struct regions *regions, struct topo *topo, const double *thresholds);
void regions_free(struct regions *regions);
/* Grows the regions of one window of results per router of the machine. */
void regions_grow(struct regions *regions, const struct window_result *window);

#endif
