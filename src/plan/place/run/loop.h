/* loop.h - the event loop of queues: jobs come, start and end */
#ifndef PLACE_RUN_LOOP_H
#define PLACE_RUN_LOOP_H

#include <limits.h>

#include "place/run/choose.h"
#include "place/run/pending.h"
#include "place/run/run.h"
#include "place/run/running.h"

/*
 * Jobs have places in the queue, 0 … nplaces − 1, by the time when they come: when they are
 * submitted, eligible (eligible_s) and the jobs that they depend on have ended. Those of one time
 * are in the order of the stream. A job is planned to take walltime_s (else runtime_s) and the
 * queue's start-delay and margin, at least 1 ns; one without either takes forever (INT64_MAX). One
 * that runs beyond its plan counts as ending in the next instant (1 ns).
 */
struct loop {
	struct run *run;
	const struct loop_policy *policy;
	int64_t delay_ns, step_ns, settle_ns, margin_ns;
	/* Jobs that have come so far are at places before ncome; those that wait for others to end
	 * stand last, and come at INT64_MAX as long as they do. */
	int nplaces, ncome, nheld;
	int64_t last_submit_ns;   /* of the job that was read last */
	int *job_at;              /* [nplaces] */
	int64_t *submit_at;       /* [nplaces] */
	int64_t *planned_end;     /* [run->n] of jobs that run */
	int64_t *arrival;         /* [run->n] of jobs that are held, but for that; NULL: none */
	unsigned char *was_tried; /* [nplaces]: a feasible set was found on the empty machine */
	char **why;               /* [nplaces], or NULL: reasons are not kept */
	struct pending pending;
	struct running running;
	struct ends relaxes; /* (time, place) */
	struct ends leaves;  /* likewise, of jobs that are withdrawn then */

	/* What happened at run->now_ns, for pass. */
	int first_new; /* jobs at places first_new … ncome − 1 came */
	int nstarted;  /* jobs that pass started so far */
	bool has_ended, has_relaxed;

	int_vec nodes;           /* of the last choice */
	struct free_times times; /* of loop_free_times */
	uint64_t *idle_then;     /* of loop_idle_then */
	void *state;             /* the queue's own */
};

/* What makes a queue. NULL: nothing to do. */
struct loop_policy {
	int (*open)(struct loop *loop, struct err *err);
	void (*close)(struct loop *loop);
	/* A job that ran ended now; its nodes are idle, planned_end[job] is as it was. */
	void (*ended)(struct loop *loop, int job);
	/* A job that waited is withdrawn now: what was planned for it is free. */
	void (*left)(struct loop *loop, int place);
	/* Starts (or refuses) what it wants to now. */
	int (*pass)(struct loop *loop, struct err *err);
	/* When pass is to be called though nothing else happens; INT64_MAX: never. */
	int64_t (*wakes_at)(struct loop *loop);
	/* Adds why a job waits for which there are enough idle nodes. */
	void (*why)(struct loop *loop, int place, struct buf *text);
	/* Jobs were read, others are over: what was at place p [nbefore] is at place_of[p] now; -1:
	 * it is gone. */
	void (*renumber)(struct loop *loop, const int *place_of, int nbefore);
	/* The start that a job which waits is guaranteed; INT64_MAX: none. */
	int64_t (*promise)(const struct loop *loop, int place);
};

/* Runs a queue over a run; its pick may have start-delay= and margin=. */
int loop_run(struct run *run, const struct loop_policy *policy, struct err *err);

/* ---- places (loop_places.c) ---- */

void loop_set_places(struct loop *loop);
/* The jobs in run->freed come now, or when they are eligible. */
void loop_release_held(struct loop *loop);
/* The next job comes, or is held: as many tasks of its array wait or run as may. Whether it is. */
bool loop_hold(struct loop *loop);
/* Of a run with a feed: as many jobs are read before their submission as it says. has_passed: what
 * comes now is decided, the next ones must be submitted later. */
int loop_read_ahead(struct loop *loop, bool has_passed, struct err *err);
/* Of a heap of (time, place), when jobs have other places; those that are gone become gone, or
 * leave the heap if that is -1. */
enum { LOOP_GONE = INT_MAX };
void loop_renumber_ends(struct ends *ends, const int *place_of, int gone);

/* ---- for queues ---- */

static inline const struct job *loop_job(const struct loop *loop, int place)
{
	return &loop->run->jobs[loop->job_at[place]];
}

static inline int loop_idle(const struct loop *loop)
{
	return loop->run->schedule->machine.nidle;
}

/* What a job is planned to take. */
int64_t loop_length(const struct loop *loop, const struct job *job);
/* When a job that is started next would be planned to end. */
int64_t loop_end(const struct loop *loop, int place);
/* When a job that runs is planned to end: not before the next instant. */
int64_t loop_planned(const struct loop *loop, const struct running_job *job);

/* loop->nodes at a state of the machine and a time: as sched_choose. */
int loop_choose(struct loop *loop, int place, int64_t time_ns, struct err *err);
/* The same of these idle nodes; none are taken. */
int loop_choose_among(struct loop *loop, int place, const uint64_t *idle, int64_t time_ns,
		      struct err *err);
/* On the machine as it is now. */
int loop_choose_now(struct loop *loop, int place, struct err *err);
/* When each node is free, as is planned, into loop->times. */
void loop_free_times(struct loop *loop);
/* Starts a job now on loop->nodes, which are taken. how: what decided, for --explain */
void loop_start(struct loop *loop, int place, const char *how);
/* Both. 1: it started; 0: it can't; -1: error */
int loop_try(struct loop *loop, int place, const char *how, struct err *err);
/* A job never gets nodes; the reason is that of the last choice. */
void loop_refuse(struct loop *loop, int place);
/* A job of a log that was withdrawn does not start, though its turn has come. Whether it is one. */
bool loop_withdraw(struct loop *loop, int place);
/* The nodes [a bit for each] that are idle when all jobs have ended that are planned to by then;
 * valid until the next call. */
uint64_t *loop_idle_then(struct loop *loop, int64_t until_ns);
/* Whether a job would find nodes if nothing ran and all its waits were over. 1, 0, -1 */
int loop_is_possible(struct loop *loop, int place, struct err *err);
/* Starts the jobs at the head of the queue as long as they fit, and refuses impossible ones.
 * *head: the one that waits then; -1: none */
int loop_start_heads(struct loop *loop, int *head, struct err *err);

/* The parameters that queues share. */
#define LOOP_TIMES                                                                                 \
	{.key = "start-delay",                                                                     \
	 .type = PARAM_DURATION,                                                                   \
	 .def = "0s",                                                                              \
	 .unit = "s",                                                                              \
	 .meaning = "time from a decision to the start; the nodes are taken meanwhile"},           \
		{.key = "start-step",                                                              \
		 .type = PARAM_DURATION,                                                           \
		 .def = "0s",                                                                      \
		 .unit = "s",                                                                      \
		 .meaning = "time between the starts of jobs that one decision starts"},           \
	{                                                                                          \
		.key = "settle", .type = PARAM_DURATION, .def = "0s", .unit = "s",                 \
		.meaning = "events no farther apart than this share one decision, at the "         \
			   "time of the last one"                                                  \
	}
#define LOOP_MARGIN                                                                                \
	{                                                                                          \
		.key = "margin", .type = PARAM_DURATION, .def = "0s", .unit = "s",                 \
		.meaning = "added to every walltime in plans"                                      \
	}

#endif
