/* eligible.h - which nodes a job may have: island, partition, features, reservation, resources */
#ifndef PLACE_RUN_ELIGIBLE_H
#define PLACE_RUN_ELIGIBLE_H

#include "place/run/schedule.h"

/*
 * A machine whose network is in several pieces (islands) gives a job the nodes of one of them: the
 * one with the fewest idle nodes that are enough, the first of those. Partitions, features,
 * reservations and weights are those of the nodes stream, obeyed when it has these columns.
 */
struct eligible;

/* Opened by the first that has something to say of a node; NULL: every job may have every node. */
struct eligible *eligible_need(struct eligible **eligible, const struct topo *topo);
void eligible_islands(struct eligible **eligible, const struct topo *topo);
/* names: separated by commas; NULL: none. */
void eligible_know_partitions(struct eligible **eligible, const struct topo *topo);
void eligible_partitions(struct eligible **eligible, const struct topo *topo, int node,
			 const char *names);
void eligible_features(struct eligible **eligible, const struct topo *topo, int node,
		       const char *names);
/* The node is for jobs of the reservation alone. */
void eligible_reservation(struct eligible **eligible, const struct topo *topo, int node,
			  const char *name);
/* Nodes of the least weight are given out first. Does nothing while all weigh the same. */
void eligible_weights(struct eligible **eligible, const struct topo *topo,
		      const int64_t *weight_of);
/* What is known of any node; eligible may be NULL. */
struct eligible_knows {
	bool partitions, features, reservations;
};
struct eligible_knows eligible_knows(const struct eligible *eligible);
void eligible_close(struct eligible *eligible); /* NULL is allowed */

/*
 * sched_choose among the nodes that the job may have: its partitions in the order it lists them, of
 * features "[a|b]" one after the other, islands as above, light nodes before heavy ones. Features
 * are "a&b|c", from left to right, with parentheses; counts "[a*2&b*4]" are nodes that have one,
 * the rest may be any. A job that shares gets parts of nodes in use before it gets idle ones. 1, 0,
 * -1 as sched_choose.
 */
int eligible_choose(struct schedule *schedule, const struct alloc_request *request, int64_t now_ns,
		    int_vec *nodes, struct buf *reason, struct err *err);
/* The partition in which a job has these nodes, before it takes them: the first of its list that
 * has all of them and room for it. Its length; *name NULL: none is said. */
size_t eligible_partition(const struct schedule *schedule, const struct job *job,
			  const int_vec *nodes, const char **name);
/* The same as text, of a job that names several; NULL: it names one, or none. */
char *eligible_partition_text(const struct schedule *schedule, const struct job *job,
			      const int_vec *nodes);

#endif
