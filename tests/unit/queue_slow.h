/* queue_slow.h - every queue by its definition, the slow way */
#ifndef UNIT_QUEUE_SLOW_H
#define UNIT_QUEUE_SLOW_H

#include "check.h"
#include "queue_logs.h"

/*
 * The slow way: time goes by in steps of 1 ns, what is idle at an instant is counted from all jobs
 * anew, and everything is tried. Shares nothing with src/sched but the definitions.
 */
enum { NEVER = 1000, MOST_TIME = 700 };

/* Those of RUNS take consecutive nodes only. */
enum kind {
	FCFS,
	EASY,
	EASY_NODES,
	CONSERVATIVE,
	CONSERVATIVE_NODES,
	CONSERVATIVE_DEPTH,
	CONSERVATIVE_NODES_DEPTH,
	LEVEL_FIT,
	FCFS_RUNS,
	EASY_RUNS,
	CONSERVATIVE_RUNS,
	CONSERVATIVE_RUNS_DEPTH,
	NKINDS
};

/* How many jobs have reservations. */
enum { DEPTH = 2 };

static bool counts(enum kind kind)
{
	return kind == CONSERVATIVE || kind == CONSERVATIVE_DEPTH;
}

static int depth_of(enum kind kind)
{
	return kind == CONSERVATIVE_DEPTH || kind == CONSERVATIVE_NODES_DEPTH ||
			       kind == CONSERVATIVE_RUNS_DEPTH
		       ? DEPTH
		       : MOST_JOBS;
}

static const char *const queue_of[NKINDS] = {
	[FCFS] = "fcfs",
	[EASY] = "easy",
	[EASY_NODES] = "easy:reserve=nodes",
	[CONSERVATIVE] = "conservative",
	[CONSERVATIVE_NODES] = "conservative:reserve=nodes",
	[CONSERVATIVE_DEPTH] = "conservative:depth=2",
	[CONSERVATIVE_NODES_DEPTH] = "conservative:reserve=nodes,depth=2",
	[LEVEL_FIT] = "level-fit",
	[FCFS_RUNS] = "fcfs",
	[EASY_RUNS] = "easy",
	[CONSERVATIVE_RUNS] = "conservative",
	[CONSERVATIVE_RUNS_DEPTH] = "conservative:depth=2",
};

struct slow_job {
	int submit, nnodes, length, plan; /* NEVER: without end */
	int eligible, delay;
	unsigned depends; /* a bit for each job that must have ended */
	int start, end;   /* of its nodes' time; -1: not started */
	bool is_booked, is_refused, has_come, has_ended;
	bool has_turn; /* it is one of those that have reservations */
	bool is_planned;
	int promise; /* of a job that is planned */
	bool has[MOST_NODES];
};

struct slow {
	enum kind kind;
	const struct topo *topo;
	int njobs, delay, now, last_late;
	int wakes_from;    /* while a job is late: before, nothing that is planned is an event */
	const int *limits; /* [2] of the even and the odd jobs */
	bool is_usable[MOST_NODES];
	struct slow_job jobs[MOST_JOBS];
	int order[MOST_JOBS], ncome; /* as they came */
};

static bool waits(const struct slow_job *job)
{
	return job->has_come && !job->is_refused && job->start < 0;
}

/* Until when a job is planned to have its nodes, as it looks now; from: since when. */
static int planned_end(const struct slow *slow, const struct slow_job *job, int from)
{
	int end = job->plan == NEVER ? NEVER : from + job->plan;

	return job->start >= 0 && end <= slow->now ? slow->now + 1 : end;
}

static bool runs(const struct slow_job *job)
{
	return job->start >= 0 && !job->has_ended;
}

/* Whether node is in use at an instant by what runs or is planned. */
static bool is_used(const struct slow *slow, int node, int at)
{
	for (int i = 0; i < slow->njobs; i++) {
		const struct slow_job *job = &slow->jobs[i];

		if (!job->has[node])
			continue;
		if (runs(job) && at < planned_end(slow, job, job->start))
			return true;
		if (job->is_planned && at >= job->promise &&
		    at < planned_end(slow, job, job->promise))
			return true;
	}
	return !slow->is_usable[node];
}

/* How many nodes are in use at an instant, whichever they are. */
static int nidle_at(const struct slow *slow, int at)
{
	int n = 0;

	for (int node = 0; node < slow->topo->nnodes; node++)
		n += slow->is_usable[node];
	for (int i = 0; i < slow->njobs; i++) {
		const struct slow_job *job = &slow->jobs[i];

		if ((runs(job) && at < planned_end(slow, job, job->start)) ||
		    (job->is_planned && at >= job->promise &&
		     at < planned_end(slow, job, job->promise)))
			n -= job->nnodes;
	}
	return n;
}

/* The lowest nodes that are idle all the time; false: there are not enough. */
static bool find_nodes(const struct slow *slow, struct slow_job *job, int from, int to)
{
	int n = 0;

	memset(job->has, 0, sizeof(job->has));
	for (int node = 0; node < slow->topo->nnodes && n < job->nnodes; node++) {
		bool idle = true;

		for (int at = from; at < to && idle; at++)
			idle = !is_used(slow, node, at);
		job->has[node] = idle;
		n += idle;
		if (!idle && slow->kind >= FCFS_RUNS) {
			/* the run is too short */
			memset(job->has, 0, sizeof(job->has));
			n = 0;
		}
	}
	if (n < job->nnodes)
		memset(job->has, 0, sizeof(job->has));
	return n == job->nnodes;
}

static bool fits_now(struct slow *slow, struct slow_job *job)
{
	return find_nodes(slow, job, slow->now, slow->now + 1);
}

static void start(struct slow *slow, struct slow_job *job)
{
	job->is_planned = false;
	job->start = slow->now;
	job->end = job->length == NEVER ? NEVER : slow->now + slow->delay + job->length;
}

/* ---- easy ---- */

/* The first instant at which a job would find nodes; NEVER. */
static int first_room(const struct slow *slow, const struct slow_job *job)
{
	struct slow_job probe = *job;

	for (int at = slow->now + 1; at < MOST_TIME; at++)
		if (slow->kind >= FCFS_RUNS ? find_nodes(slow, &probe, at, at + 1)
					    : nidle_at(slow, at) >= job->nnodes)
			return at;
	return NEVER;
}

/* Starts a job unless that delays the head. */
static void backfill(struct slow *slow, struct slow_job *head, struct slow_job *job)
{
	int shadow = first_room(slow, head);

	if (!fits_now(slow, job))
		return;
	start(slow, job);
	if (first_room(slow, head) <= shadow)
		return;
	job->start = -1;
	memset(job->has, 0, sizeof(job->has));
}

/* The head holds the nodes it would get; the others keep off them. */
static void backfill_nodes(struct slow *slow, struct slow_job *head, struct slow_job *job)
{
	int shadow = first_room(slow, head), end = planned_end(slow, job, slow->now);

	head->is_planned = shadow != NEVER && find_nodes(slow, head, shadow, shadow + 1);
	head->promise = shadow;
	if (find_nodes(slow, job, slow->now, end < MOST_TIME ? end : MOST_TIME))
		start(slow, job);
	head->is_planned = false;
}

static void decide_in_order(struct slow *slow)
{
	struct slow_job *head = NULL;

	for (int i = 0; i < slow->ncome; i++) {
		struct slow_job *job = &slow->jobs[slow->order[i]];

		if (!waits(job))
			continue;
		if (head == NULL) {
			if (fits_now(slow, job))
				start(slow, job);
			else
				head = job;
		} else if (slow->kind == EASY || slow->kind == EASY_RUNS) {
			backfill(slow, head, job);
		} else if (slow->kind == EASY_NODES) {
			backfill_nodes(slow, head, job);
		}
	}
}

/* ---- conservative ---- */

static bool has_room(struct slow *slow, struct slow_job *job, int from)
{
	int to = job->plan == NEVER || from + job->plan > MOST_TIME ? MOST_TIME : from + job->plan;

	if (!counts(slow->kind))
		return find_nodes(slow, job, from, to);
	for (int at = from; at < to; at++)
		if (nidle_at(slow, at) < job->nnodes)
			return false;
	return true;
}

/* Starts a job that has room now. */
static void start_planned(struct slow *slow, struct slow_job *job)
{
	if (counts(slow->kind)) {
		job->is_planned = false;
		/* certain nodes only now: others are promised numbers */
		bool planned[MOST_JOBS];

		for (int i = 0; i < slow->njobs; i++) {
			planned[i] = slow->jobs[i].is_planned;
			slow->jobs[i].is_planned = false;
		}
		CHECK(fits_now(slow, job));
		for (int i = 0; i < slow->njobs; i++)
			slow->jobs[i].is_planned = planned[i];
	}
	start(slow, job);
}

static void promise(struct slow *slow, struct slow_job *job)
{
	job->is_planned = false;
	for (int at = slow->now; at < MOST_TIME && !job->is_planned; at++)
		if (has_room(slow, job, at)) {
			job->promise = at;
			job->is_planned = true;
		}
	if (job->is_planned && job->promise == slow->now)
		start_planned(slow, job);
}

static bool is_late(const struct slow *slow)
{
	for (int i = 0; i < slow->njobs; i++)
		if (runs(&slow->jobs[i]) && slow->jobs[i].plan != NEVER &&
		    slow->jobs[i].start + slow->jobs[i].plan <= slow->now)
			return true;
	return false;
}

/* The next instant at which one that is not late is planned to end. */
static int next_planned_end(const struct slow *slow)
{
	int next = NEVER;

	for (int i = 0; i < slow->njobs; i++) {
		const struct slow_job *job = &slow->jobs[i];

		if (runs(job) && job->plan != NEVER && job->start + job->plan > slow->now &&
		    job->start + job->plan < next)
			next = job->start + job->plan;
	}
	return next;
}

/* came: the places in the queue from which on jobs came now */
static void decide_by_promise(struct slow *slow, bool some_ended, int came)
{
	bool was_late = slow->last_late >= 0, late = is_late(slow);
	int nturns = 0;

	slow->last_late = late ? slow->now : -1;
	for (int i = 0; i < slow->njobs && (was_late || late); i++)
		slow->jobs[i].is_planned = slow->jobs[i].has_turn = false;
	for (int i = 0; i < slow->ncome; i++) {
		struct slow_job *job = &slow->jobs[slow->order[i]];
		bool is_due = job->is_planned && job->promise == slow->now;

		if (!waits(job))
			continue;
		if (!job->has_turn && nturns < depth_of(slow->kind)) {
			job->has_turn = true;
			promise(slow, job);
		} else if (job->has_turn &&
			   (was_late || late || some_ended || i >= came || is_due)) {
			promise(slow, job);
		} else if (!job->has_turn && has_room(slow, job, slow->now)) {
			start_planned(slow, job);
		}
		nturns += job->has_turn && waits(job);
	}
	slow->wakes_from = late ? next_planned_end(slow) : 0;
}

/* ---- level-fit ---- */

/* The smallest tier with room for a job in one of its domains; ntiers: the machine; -1: none. */
static int level_of(const struct slow *slow, const struct slow_job *job)
{
	const struct topo *topo = slow->topo;

	for (int tier = 0; tier <= topo->ntiers; tier++)
		for (int d = 0; d < (tier < topo->ntiers ? topo->tiers[tier].n : 1); d++) {
			int n = 0;

			for (int node = 0; node < topo->nnodes; node++)
				n += (tier == topo->ntiers || topo_domain(topo, node, tier) == d) &&
				     !is_used(slow, node, slow->now);
			if (n >= job->nnodes)
				return tier;
		}
	return -1;
}

static void decide_by_level(struct slow *slow)
{
	struct slow_job *best;

	do {
		int least = INT32_MAX;

		best = NULL;
		for (int i = 0; i < slow->ncome; i++) {
			struct slow_job *job = &slow->jobs[slow->order[i]];
			int level = waits(job) ? level_of(slow, job) : -1;

			if (level >= 0 && level < least) {
				least = level;
				best = job;
			}
		}
		if (best != NULL && fits_now(slow, best))
			start(slow, best);
	} while (best != NULL);
}

/* ---- time goes by ---- */

static bool is_due(const struct slow *slow)
{
	for (int i = 0; i < slow->njobs; i++)
		if (waits(&slow->jobs[i]) && slow->jobs[i].is_planned &&
		    slow->jobs[i].promise == slow->now && slow->now >= slow->wakes_from)
			return true;
	return false;
}

/* As many tasks of its array wait or run as may. */
static bool is_full(const struct slow *slow, const struct slow_job *job)
{
	int which = (int)(job - slow->jobs) % 2, n = 0;

	for (int i = which; i < slow->njobs; i += 2)
		n += slow->jobs[i].has_come && !slow->jobs[i].has_ended &&
		     !slow->jobs[i].is_refused;
	return slow->limits[which] > 0 && n >= slow->limits[which];
}

static bool may_come(const struct slow *slow, const struct slow_job *job)
{
	if (is_full(slow, job))
		return false;
	for (int i = 0; i < slow->njobs; i++)
		if ((job->depends >> i & 1) != 0 &&
		    (!slow->jobs[i].has_ended || slow->now < slow->jobs[i].end + job->delay))
			return false;
	return job->submit <= slow->now && job->eligible <= slow->now;
}

static void run_slowly(struct slow *slow)
{
	slow->last_late = -1;
	for (slow->now = 0; slow->now < MOST_TIME; slow->now++) {
		bool again = true;

		while (again) {
			bool some_ended = false;
			int came = MOST_JOBS;

			for (int i = 0; i < slow->njobs; i++)
				if (runs(&slow->jobs[i]) && slow->jobs[i].end <= slow->now)
					slow->jobs[i].has_ended = some_ended = true;
			for (int i = 0; i < slow->njobs; i++)
				if (!slow->jobs[i].has_come && may_come(slow, &slow->jobs[i])) {
					slow->jobs[i].has_come = true;
					came = came < slow->ncome ? came : slow->ncome;
					slow->order[slow->ncome++] = i;
				}
			again = some_ended || came < MOST_JOBS || is_due(slow);
			if (!again)
				break;
			if (strncmp(queue_of[slow->kind], "conservative", 12) == 0)
				decide_by_promise(slow, some_ended, came);
			else if (slow->kind == LEVEL_FIT)
				decide_by_level(slow);
			else
				decide_in_order(slow);
		}
	}
}

#endif
