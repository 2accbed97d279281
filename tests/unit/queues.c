/* queues.c - every queue, job for job, against its definition, instant by instant on small logs */
#include <stdlib.h>

#include "machine/load.h"
#include "place/queue/queue.h"
#include "check.h"
#include "queue_slow.h"

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
