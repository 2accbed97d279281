/* eligible.h - which nodes a job may have at all: one island, its partition, its features */
#ifndef PLACE_RUN_ELIGIBLE_H
#define PLACE_RUN_ELIGIBLE_H

#include "place/run/schedule.h"

/*
 * A machine whose network is in several pieces (islands) gives a job the nodes of one of them: the
 * one with the fewest idle nodes that are enough, the first of those. Partitions and features are
 * those of the nodes stream, obeyed when it has these columns.
 */
struct eligible;

/* Opened by the first that has something to say of a node; NULL: every job may have every node. */
void eligible_islands(struct eligible **eligible, const struct topo *topo);
/* names: separated by commas; NULL: none. */
void eligible_partitions(struct eligible **eligible, const struct topo *topo, int node,
			 const char *names);
void eligible_features(struct eligible **eligible, const struct topo *topo, int node,
		       const char *names);
void eligible_close(struct eligible *eligible); /* NULL is allowed */

bool eligible_has_partitions(const struct eligible *eligible);

/*
 * sched_choose among the nodes that the job may have: its partitions in the order it lists them, of
 * features "[a|b]" one after the other, islands as above. Features are "a&b|c", from left to right,
 * with parentheses; a count ("a*2") is refused with a reason. 1, 0, -1 as sched_choose.
 */
int eligible_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		    int_vec *nodes, struct buf *reason, struct err *err);

#endif
