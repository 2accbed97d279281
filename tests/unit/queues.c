/* queues.c - every queue, job for job, against its definition, instant by instant on small logs */
#include <stdlib.h>

#include "machine/load.h"
#include "place/queue/queue.h"
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
	LEVEL_FIT,
	FCFS_RUNS,
	EASY_RUNS,
	CONSERVATIVE_RUNS,
	NKINDS
};

struct slow_job {
	int submit, nnodes, length, plan; /* NEVER: without end */
	int eligible, delay;
	unsigned depends; /* a bit for each job that must have ended */
	int start, end;   /* of its nodes' time; -1: not started */
	bool is_booked, is_refused, has_come, has_ended;
	bool is_planned;
	int promise; /* of a job that is planned */
	bool has[MOST_NODES];
};

struct slow {
	enum kind kind;
	const struct topo *topo;
	int njobs, delay, now, last_late;
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

	if (slow->kind != CONSERVATIVE)
		return find_nodes(slow, job, from, to);
	for (int at = from; at < to; at++)
		if (nidle_at(slow, at) < job->nnodes)
			return false;
	return true;
}

static void promise(struct slow *slow, struct slow_job *job)
{
	job->is_planned = false;
	for (int at = slow->now; at < MOST_TIME && !job->is_planned; at++)
		if (has_room(slow, job, at)) {
			job->promise = at;
			job->is_planned = true;
		}
	if (!job->is_planned || job->promise > slow->now)
		return;
	if (slow->kind == CONSERVATIVE) {
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

static bool is_late(const struct slow *slow)
{
	for (int i = 0; i < slow->njobs; i++)
		if (runs(&slow->jobs[i]) && slow->jobs[i].plan != NEVER &&
		    slow->jobs[i].start + slow->jobs[i].plan <= slow->now)
			return true;
	return false;
}

/* came: the places in the queue from which on jobs came now */
static void decide_by_promise(struct slow *slow, bool some_ended, int came)
{
	bool was_late = slow->last_late >= 0, late = is_late(slow);

	slow->last_late = late ? slow->now : -1;
	for (int i = 0; i < slow->njobs && (was_late || late); i++)
		slow->jobs[i].is_planned = false;
	for (int i = 0; i < slow->ncome; i++) {
		struct slow_job *job = &slow->jobs[slow->order[i]];
		bool is_due = job->is_planned && job->promise == slow->now;

		if (waits(job) && (was_late || late || some_ended || i >= came || is_due))
			promise(slow, job);
	}
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
		    slow->jobs[i].promise == slow->now && slow->last_late != slow->now - 1)
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
			if (slow->kind == CONSERVATIVE || slow->kind == CONSERVATIVE_NODES ||
			    slow->kind == CONSERVATIVE_RUNS)
				decide_by_promise(slow, some_ended, came);
			else if (slow->kind == LEVEL_FIT)
				decide_by_level(slow);
			else
				decide_in_order(slow);
		}
	}
}

/* ---- both ways ---- */

static int plan_of(const struct log *log, const struct job *job)
{
	int64_t plan = job->walltime_ns != JOB_NO_TIME ? job->walltime_ns : job->runtime_ns;

	if (plan == JOB_NO_TIME)
		return NEVER;
	plan += log->margin + log->delay;
	return plan > 0 ? (int)plan : 1;
}

static void make_slow(struct slow *slow, const struct log *log, const struct topo *topo,
		      enum kind kind)
{
	int nusable = 0;

	*slow = (struct slow){.kind = kind,
			      .topo = topo,
			      .njobs = log->njobs,
			      .delay = log->delay,
			      .limits = log->limits};
	for (int node = 0; node < topo->nnodes; node++) {
		char name[8];

		snprintf(name, sizeof(name), "n%d", node);
		slow->is_usable[node] = log->use[node] == NODE_IDLE ||
					(log->use[node] == NODE_BUSY && log->jobs[0].nodelist &&
					 strcmp(log->jobs[0].nodelist, name) == 0);
		slow->jobs[0].has[node] =
			log->jobs[0].nodelist && strcmp(log->jobs[0].nodelist, name) == 0;
		nusable += slow->is_usable[node];
	}
	for (int i = 0; i < log->njobs; i++) {
		const struct job *job = &log->jobs[i];
		struct slow_job *at = &slow->jobs[i];
		int64_t length =
			job->runtime_ns != JOB_NO_TIME ? job->runtime_ns : job->walltime_ns;

		at->submit = (int)job->submit_ns;
		at->eligible = job->eligible_ns != JOB_NO_TIME ? (int)job->eligible_ns : 0;
		at->depends = log->depends[i];
		at->delay = (int)job->depends_delay_ns;
		at->nnodes = job->nnodes;
		at->length = length != JOB_NO_TIME ? (int)length : NEVER;
		at->plan = plan_of(log, job);
		at->start = -1;
		at->is_refused = job->nnodes > nusable;
		if (job->nodelist == NULL)
			continue;
		/* a booked job: no margin, no delay */
		at->is_booked = at->has_come = true;
		at->start = 0;
		at->end = at->length;
		at->plan = job->walltime_ns != JOB_NO_TIME ? (int)job->walltime_ns : at->length;
	}
	/* one that finds no run on the empty machine is refused */
	for (int i = 0; i < log->njobs && kind >= FCFS_RUNS; i++) {
		int longest = 0, run = 0;

		for (int node = 0; node < topo->nnodes; node++) {
			run = slow->is_usable[node] ? run + 1 : 0;
			longest = run > longest ? run : longest;
		}
		slow->jobs[i].is_refused |= slow->jobs[i].nnodes > longest;
	}
}

static bool is_same(const struct slow *slow, const struct outcome *outcomes)
{
	for (int i = 0; i < slow->njobs; i++) {
		const struct slow_job *job = &slow->jobs[i];
		struct buf text = {0};
		int_vec nodes = {0};
		bool same;

		if (job->is_booked)
			continue;
		for (int node = 0; node < slow->topo->nnodes; node++)
			if (job->has[node] && job->start >= 0)
				vec_push(&nodes, node);
		topo_nodelist_add(slow->topo, nodes.at, nodes.n, &text);
		same = outcomes[i].is_placed == (job->start >= 0) &&
		       (job->start < 0 || (outcomes[i].start_ns == job->start + slow->delay &&
					   strcmp(outcomes[i].nodelist, buf_text(&text)) == 0));
		if (!same)
			printf("%d: job %d: got %s at %lld, wanted %s at %d\n", slow->kind, i,
			       outcomes[i].is_placed ? outcomes[i].nodelist : "-",
			       (long long)outcomes[i].start_ns, buf_text(&text),
			       job->start < 0 ? -1 : job->start + slow->delay);
		free(nodes.at);
		buf_free(&text);
		if (!same)
			return false;
	}
	return true;
}

static void print_log(const struct log *log, int nnodes)
{
	printf("delay %d, margin %d, limits %d %d, use ", log->delay, log->margin, log->limits[0],
	       log->limits[1]);
	for (int node = 0; node < nnodes; node++)
		printf("%d", log->use[node]);
	printf("\njob nodes submit eligible depends runtime walltime nodelist\n");
	for (int i = 0; i < log->njobs; i++)
		printf("%s %d %lld %lld %s %lld %lld %s\n", log->names[i], log->jobs[i].nnodes,
		       (long long)log->jobs[i].submit_ns, (long long)log->jobs[i].eligible_ns,
		       log->jobs[i].depends != NULL ? log->jobs[i].depends : ".",
		       (long long)log->jobs[i].runtime_ns, (long long)log->jobs[i].walltime_ns,
		       log->jobs[i].nodelist != NULL ? log->jobs[i].nodelist : ".");
}

static const char *const queue_of[NKINDS] = {
	[FCFS] = "fcfs",
	[EASY] = "easy",
	[EASY_NODES] = "easy:reserve=nodes",
	[CONSERVATIVE] = "conservative",
	[CONSERVATIVE_NODES] = "conservative:reserve=nodes",
	[LEVEL_FIT] = "level-fit",
	[FCFS_RUNS] = "fcfs",
	[EASY_RUNS] = "easy",
	[CONSERVATIVE_RUNS] = "conservative",
};

/* Runs the log through the real thing; the same as the slow one? */
static bool run_both(const struct log *log, struct topo *topo, enum kind kind)
{
	static struct slow slow;
	struct schedule schedule;
	struct alloc alloc;
	struct pick policy, queue;
	struct outcome outcomes[MOST_JOBS] = {{0}};
	struct err err;
	char delay[48], margin[48], *text;
	bool same;

	snprintf(delay, sizeof(delay), "start-delay=%dns", log->delay);
	snprintf(margin, sizeof(margin), ",margin=%dns", log->margin);
	text = xasprintf("%s%s%s%s", queue_of[kind], strchr(queue_of[kind], ':') ? "," : ":", delay,
			 kind == FCFS || kind == LEVEL_FIT || kind == FCFS_RUNS ? "" : margin);
	CHECK(pick_parse(&policy, &alloc_policies, kind >= FCFS_RUNS ? "contiguous" : "simple",
			 &err) == 0);
	CHECK(pick_parse(&queue, &queues, text, &err) == 0);
	CHECK(alloc_open(&alloc, &policy, topo, false, &err) == 0);
	schedule_init(&schedule, topo, &alloc, &queue);
	memcpy(schedule.use, log->use, (size_t)topo->nnodes);
	schedule_ready(&schedule);
	make_slow(&slow, log, topo, kind);
	run_slowly(&slow);
	CHECK(schedule_run(&schedule, log->jobs, outcomes, log->njobs, &err) == 0);
	same = is_same(&slow, outcomes);
	for (int i = 0; i < log->njobs; i++)
		outcome_free(&outcomes[i]);
	schedule_free(&schedule);
	alloc_close(&alloc);
	pick_free(&queue);
	pick_free(&policy);
	free(text);
	return same;
}

static void compare(const char *spec, int nlogs)
{
	struct topo *topo;
	struct err err;

	CHECK(topo_load(&topo, spec, &err) == 0);
	for (int i = 0; i < nlogs && check_nfailed < 3; i++) {
		char name[16];
		struct rng rng;
		struct log log;

		snprintf(name, sizeof(name), "%d", i);
		rng = rng_make(1, "logs", spec, name);
		make_log(&log, &rng, topo->nnodes);
		for (enum kind kind = FCFS; kind < NKINDS; kind++) {
			/* one that finds no run is refused when it is its turn, and another task
			 * comes */
			if (kind >= FCFS_RUNS && log.limits[0] + log.limits[1] > 0)
				break;
			bool same = run_both(&log, topo, kind);

			CHECK(same);
			if (!same)
				print_log(&log, topo->nnodes);
		}
	}
	topo_free(topo);
}

int main(void)
{
	compare("complete:nodes=8", 1500);
	compare("dragonfly:groups=3,routers=2,nodes=2", 1000);
	compare("tree:arity=2x3", 500);
	return check_done();
}
