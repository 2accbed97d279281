/* blocks_alone.h - whether jobs that have their blocks alone do */
#ifndef MEASURE_CHECK_BLOCKS_ALONE_H
#define MEASURE_CHECK_BLOCKS_ALONE_H

#include "measure/check/occupancy.h"

/*
 * Finds the jobs that have nodes of a leaf switch at the same time as one with exclusive_topo:
 * booked … nbooked - 1 of the occupancy came with their nodes, from … to - 1 were placed by one
 * policy. Needs the machine.
 */
void blocks_alone_check(struct occupancy *occupancy, struct checking *checking, size_t booked,
			size_t nbooked, size_t from, size_t to);

#endif
