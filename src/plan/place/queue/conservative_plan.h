/* conservative_plan.h - what conservative backfilling plans, and the choice within it */
#ifndef PLACE_QUEUE_CONSERVATIVE_PLAN_H
#define PLACE_QUEUE_CONSERVATIVE_PLAN_H

#include "place/queue/availability.h"
#include "place/run/loop.h"

/* What is planned for a job that waits. */
struct reservation {
	int64_t start_ns; /* INT64_MAX: none */
	int_vec nodes;
	uint64_t *among; /* [nwords] what these were chosen among; NULL: not known */
	int64_t since;   /* changes of the profile when among was what it said; −1: not known */
	int_vec points;  /* I/O nodes, where some are one job's at a time */
	char *reason;    /* of the choice, where reasons are kept */
};

struct conservative {
	bool by_nodes;          /* plans with the nodes themselves */
	bool meets_others;      /* what a job may get depends on who has something then */
	bool was_late;          /* a job ran beyond its plan when the queue was last looked at */
	bool has_freed;         /* since then a job ended before its plan */
	bool has_moved;         /* a reservation was not what it had been, or */
	bool has_added;         /* there were new ones */
	bool was_sure;          /* the last choice that failed did so as there are no nodes */
	int64_t ngave_up;       /* searches of this pass, where they are long */
	struct profile profile; /* idle nodes, less what runs and what is reserved */
	struct reservation *at; /* [nplaces] */
	bool is_quiet;          /* nothing got idle or moved between the last pass and this one */
	struct ends starts;     /* (start, place), also such that hold no longer */
	uint64_t *idle;         /* [nwords] */
	int_vec released;
};

/*
 * Chooses nodes for a job that starts at a time, as loop_choose_among, beside those that run then
 * and what is reserved then for others: their links and exclusive I/O nodes are taken.
 */
int conservative_choose(struct loop *loop, int place, int64_t start_ns, const uint64_t *idle,
			struct err *err);
/* A job that gets nodes was chosen among these. */
void conservative_note_among(struct loop *loop, int place, const uint64_t *idle);
/* The first start for which there is room, and loop->nodes, where it plans by nodes; INT64_MAX:
 * there is none. */
int conservative_find(struct loop *loop, int place, int64_t *start_ns, struct err *err);

#endif
