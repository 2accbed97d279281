/* conservative_plan.h - what conservative backfilling plans, and the choice within it */
#ifndef PLACE_QUEUE_CONSERVATIVE_PLAN_H
#define PLACE_QUEUE_CONSERVATIVE_PLAN_H

#include "place/queue/availability.h"
#include "place/queue/room.h"
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
	bool has_dropped;       /* a job that was withdrawn left when its turn came */
	bool has_moved;         /* a reservation was not what it had been, or */
	bool has_added;         /* there were new ones */
	bool was_sure;          /* the last choice that failed did so as there are no nodes */
	int64_t ngave_up;       /* searches of this pass, where they are long */
	struct room room;       /* idle nodes, less what runs and what is reserved */
	struct profile profile; /* the nodes themselves, where it plans by them */
	struct reservation *at; /* [nplaces] */
	bool is_quiet;          /* nothing got idle or moved between the last pass and this one */
	/* The first depth jobs of the queue have reservations: those that wait at places up to
	 * last. */
	int depth, last, nreserved;
	int most;           /* that wait before depth is bounded by itself */
	bool has_told;      /* that not all jobs have one */
	struct steps steps; /* what is idle from now on beside them */
	struct ends starts; /* (start, place), also such that hold no longer */
	uint64_t *idle;     /* [nwords] */
	int_vec released;
};

/*
 * Chooses nodes for a job that starts at a time, as loop_choose_among, beside those that run then
 * and what is reserved then for others: their links and exclusive I/O nodes are taken.
 */
int conservative_choose(struct loop *loop, int place, int64_t start_ns, const uint64_t *idle,
			struct err *err);
/* Nodes become idle, or are taken, from a time until another: all of the plan that knows them. */
void conservative_change_plan(struct conservative *plan, int64_t from_ns, int64_t to_ns,
			      const int *nodes, int nnodes, bool becomes_idle);
/* Whether a job is always chosen the same of the same idle nodes. */
bool conservative_is_repeatable(const struct loop *loop, int place);
/* A job that gets nodes was chosen among these. */
void conservative_note_among(struct loop *loop, int place, const uint64_t *idle);
/* Where it plans by nodes: the first start for which there is room, not before first_ns, and
 * loop->nodes; INT64_MAX: there is none. */
int conservative_find(struct loop *loop, int place, int64_t first_ns, int64_t *start_ns,
		      struct err *err);
/* The same, now: 1, 0, -1 */
int conservative_find_now(struct loop *loop, int place, struct err *err);

/* ---- conservative_reserve.c ---- */

/* Frees what is planned for a job: it has no reservation. */
void conservative_drop(struct reservation *reservation);
/* A job that waits gives its reservation back. */
void conservative_forget(struct loop *loop, int place);
/* Gives a job the earliest reservation that there is room for, which may be now; keeps the one it
 * has if that may be and the new one is later. */
int conservative_reserve(struct loop *loop, int place, bool may_keep, struct err *err);
/* A job starts now, as its reservation has it. */
int conservative_start(struct loop *loop, int place, const char *how, struct err *err);
/* Jobs from a place on, which have no reservations, start now if they delay none. */
int conservative_backfill(struct loop *loop, int from, struct err *err);

#endif
