/* easy_plan.h - what EASY plans for the first job of the queue, the head */
#ifndef PLACE_QUEUE_EASY_PLAN_H
#define PLACE_QUEUE_EASY_PLAN_H

#include "place/run/loop.h"

/* What is planned for the first job of the queue. */
struct easy {
	bool reserves_nodes;
	int64_t shadow_ns; /* its start; INT64_MAX: it has none */
	int nextra;        /* idle nodes that it leaves then, if any nodes will do for it */
	int nidle;         /* idle nodes then */
	int shadow_of;     /* the head that shadow_ns is of as long as all goes to plan; -1 */
	bool was_sure;     /* and is its earliest start for sure: no search gave up */
	bool has_reserved; /* its nodes then were chosen */
	int_vec reserved;
	int nbeside; /* idle nodes now that are not among them */
	/* Where its start was found by trying: the nodes that it was tried on; and whether others
	 * stay away from them, as a search for more gave up. */
	int_vec room;
	bool stays_away;
	int64_t nshadows; /* that were searched for */
	struct refusal {  /* [nnodes + 1] plain jobs of so many nodes that found none beside it */
		int64_t shadow, epoch, nrunning;
	} * refused;
	VEC(int64_t) times;
};

/* The shadow time by the number of nodes: idle ones, and those of the jobs that end first. */
void easy_count_shadow(struct loop *loop, int head);
/* The shadow time, and the idle nodes then. */
int easy_find_shadow(struct loop *loop, int head, bool is_counted, struct err *err);
/* Whether the head finds nodes when all that is planned to end by then has ended: 1, 0, -1. */
int easy_has_room(struct loop *loop, int head, int64_t time_ns, struct err *err);
/* The nodes that the head gets at the shadow time. */
int easy_reserve(struct loop *loop, int head, struct err *err);
/* Idle nodes that are not reserved. */
void easy_count_beside(struct loop *loop);
void easy_copy(int_vec *to, const int_vec *from);

#endif
