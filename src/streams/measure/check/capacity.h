/* capacity.h - whether jobs have more of a node than it has */
#ifndef MEASURE_CHECK_CAPACITY_H
#define MEASURE_CHECK_CAPACITY_H

#include "measure/check/occupancy.h"

/* Whether anything is known of what nodes have: in their table, or GPUs of the machine. */
bool capacity_is_known(const struct checking *checking);
/* What a job of this row has of each of its nodes [n], appended to needs. */
void capacity_note(struct occupancy *occupancy, struct checking *checking, const struct row *row,
		   bool is_given, size_t n);

/*
 * At each instant the jobs that have a node have at most its CPUs, its GPUs (of each type, where
 * the node says how many) and its memory. Jobs booked … nbooked - 1 came with their nodes, from …
 * to - 1 were placed by one policy; those alone (from == to) may have CPUs twice, as
 * OverSubscribe=FORCE gives them. Sorted by their starts.
 */
void capacity_check(struct occupancy *occupancy, struct checking *checking, size_t booked,
		    size_t nbooked, size_t from, size_t to);

#endif
