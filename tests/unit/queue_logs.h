/* queue_logs.h - small random logs for the tests of queues */
#ifndef UNIT_QUEUE_LOGS_H
#define UNIT_QUEUE_LOGS_H

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "place/queue/queue.h"

enum { MOST_JOBS = 16, MOST_NODES = 32 };

struct log {
	struct job jobs[MOST_JOBS];
	char names[MOST_JOBS][16];
	char nodelists[MOST_JOBS][8];
	char depends_of[MOST_JOBS][8 * MOST_JOBS];
	unsigned depends[MOST_JOBS];
	int njobs, delay, margin;
	int limits[2]; /* of the arrays a0 and a1, whose tasks are the even and the odd jobs; 0 */
	unsigned char use[MOST_NODES];
};

static int64_t maybe(struct rng *rng, int percent, int64_t value)
{
	return rng_below(rng, 100) < (uint64_t)percent ? value : JOB_NO_TIME;
}

/* Of other jobs of the log, whatever comes of it, and of one that it has not. */
static void make_depends(struct log *log, int i, struct rng *rng)
{
	struct job *job = &log->jobs[i];
	char *text = log->depends_of[i];

	if (rng_below(rng, 3) == 0)
		job->eligible_ns = (int64_t)rng_below(rng, 60);
	if (rng_below(rng, 2) == 0)
		return;
	for (int n = 1 + (int)rng_below(rng, 2); n > 0; n--) {
		int other = (int)rng_below(rng, (uint64_t)log->njobs + 1);

		if (rng_below(rng, 8) != 0) /* no circle then */
			other = other % (i + 1);
		if (other < log->njobs && other != i)
			log->depends[i] |= 1U << other;
		snprintf(text + strlen(text), 24, "%sa%d_%d", text[0] != '\0' ? "," : "", other % 2,
			 other);
	}
	job->depends = text;
	job->depends_delay_ns = rng_below(rng, 3) == 0 ? (int64_t)rng_below(rng, 20) : 0;
}

static void make_log(struct log *log, struct rng *rng, int nnodes)
{
	bool has_bad_plans = rng_below(rng, 3) == 0, has_depends = rng_below(rng, 3) == 0;
	bool has_arrays = rng_below(rng, 3) == 0;
	int64_t span = 1 + (int64_t)rng_below(rng, 40);

	memset(log, 0, sizeof(*log));
	log->njobs = 1 + (int)rng_below(rng, MOST_JOBS);
	log->delay = rng_below(rng, 4) == 0 ? (int)rng_below(rng, 4) : 0;
	log->margin = rng_below(rng, 4) == 0 ? (int)rng_below(rng, 6) : 0;
	for (int node = 0; node < nnodes && rng_below(rng, 4) == 0; node++)
		log->use[node] = rng_below(rng, 3) == 0 ? NODE_AWAY : NODE_BUSY;
	for (int i = 0; i < 2 && has_arrays; i++)
		log->limits[i] = (int)rng_below(rng, 4);
	for (int i = 0; i < log->njobs; i++) {
		struct job *job = &log->jobs[i];
		int64_t length = (int64_t)rng_below(rng, 20);
		int64_t plan = length + (int64_t)rng_below(rng, 20) -
			       (has_bad_plans ? (int64_t)rng_below(rng, 10) : 0);

		snprintf(log->names[i], sizeof(log->names[i]), "a%d_%d", i % 2, i);
		*job = (struct job){.name = log->names[i],
				    .nnodes = 1 + (int)rng_below(rng, (uint64_t)nnodes),
				    .submit_ns = (int64_t)rng_below(rng, (uint64_t)span),
				    .runtime_ns = maybe(rng, 95, length),
				    .walltime_ns = maybe(rng, 85, plan > 0 ? plan : 0),
				    .start_ns = JOB_NO_TIME,
				    .end_ns = JOB_NO_TIME,
				    .eligible_ns = JOB_NO_TIME,
				    .array_limit = log->limits[i % 2]};
		if (rng_below(rng, 2) == 0)
			job->nnodes = 1 + job->nnodes / 3;
		if (has_depends)
			make_depends(log, i, rng);
	}
	/* the first one may be booked on one node, which then is no longer said to be away */
	if (rng_below(rng, 4) == 0) {
		struct job *job = &log->jobs[0];
		int node = (int)rng_below(rng, (uint64_t)nnodes);

		snprintf(log->nodelists[0], sizeof(log->nodelists[0]), "n%d", node);
		job->nodelist = log->nodelists[0];
		job->nnodes = 1;
		job->start_ns = 0;
		if (log->use[node] == NODE_AWAY)
			log->use[node] = NODE_BUSY;
	}
}

#endif
