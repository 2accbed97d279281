/* run.h - one run: jobs pass over a machine in time; what queues work on */
#ifndef PLACE_RUN_RUN_H
#define PLACE_RUN_RUN_H

#include "place/run/arrays.h"
#include "place/run/depend.h"
#include "place/run/ends.h"
#include "place/run/schedule.h"

struct run {
	struct schedule *schedule;
	const struct job *jobs;   /* [n]; of a run with a feed, those that are not over */
	struct outcome *outcomes; /* [n] */
	int n;
	int64_t now_ns;    /* JOB_NO_TIME: no job has said a time yet */
	struct ends ends;  /* of the jobs that run */
	VEC(int) for_ever; /* jobs without an end */
	struct depend depend;
	struct arrays arrays;
	int_vec freed; /* jobs that waited for others and may come, since it was cleared */
	int nusable;   /* nodes that are idle, or that a booked job gives back */
	int ntold;     /* jobs handed to schedule->decided */
	bool has_ended_feed, has_failed;
	struct buf reason;
	struct buf text;
};

/* a + b, JOB_NO_TIME if one of them is; INT64_MAX where no number holds it. */
int64_t time_after(int64_t a_ns, int64_t b_ns);
/* How long a job runs: runtime, else walltime; JOB_NO_TIME: unknown. */
int64_t job_length(const struct job *job);
/* How long it is planned to run: walltime, else runtime; JOB_NO_TIME: unknown. */
int64_t job_planned_length(const struct job *job);

/* Books the jobs that came with their nodes. place/run/book.c */
int run_book(struct run *run, struct err *err);

/*
 * A job has the nodes that sched_choose took (outcome->nodes) from start_ns on, for good;
 * run->reason says what decided. The journal of the machine is forgotten.
 */
void run_start(struct run *run, int job, const struct alloc_request *request, int64_t start_ns);
/* A job gets no nodes, because of run->reason. */
void run_refuse(struct run *run, int job);
/* Remembers when a job that runs ends. */
void run_note_end(struct run *run, int job);
/* Gives back the nodes of a job that ended. */
void run_give_back(struct run *run, int job);
/* At the end of a run all nodes are given back that were idle when it began. */
void run_restore(struct run *run);
/* Tells schedule->decided of all jobs that are decided, up to the first that is not. */
void run_tell(struct run *run);

#endif
