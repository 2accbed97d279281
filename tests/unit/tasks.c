/* tasks.c - jobs that ask for tasks: every schedule is judged by all sets of nodes
 *
 *	tasks [COUNT]		COUNT states (default: a few); prints how many there were */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "check.h"
#include "machine/load.h"
#include "model/per_node.h"
#include "place/queue/queue.h"
#include "place/run/stock.h"

enum { NODES_MOST = 5, JOBS_MOST = 6 };

static const char *const policies[] = {"simple", "slurm", "level-spread", "rdn"};
static const char *const queue_of[] = {"none", "fcfs", "easy", "level-fit"};

struct state {
	struct topo *topo;
	int nnodes, njobs, queue, cpus[NODES_MOST];
	struct job jobs[JOBS_MOST];
	struct outcome outcomes[JOBS_MOST];
	int nodes[JOBS_MOST][NODES_MOST];
	int64_t has[JOBS_MOST][NODES_MOST]; /* CPUs of these */
};

static int64_t nplaced, nrefused, nseveral;

static void fail(const struct state *state, int job, const char *what)
{
	printf("queue=%s: job %d of %d: %s\n", queue_of[state->queue], job, state->njobs, what);
	for (int n = 0; n < state->nnodes; n++)
		printf("\tnode %d: %d cpus\n", n, state->cpus[n]);
	for (int i = 0; i < state->njobs; i++) {
		const struct job *at = &state->jobs[i];

		printf("\tjob %d: %lld tasks of %lld, at most %lld on a node, %d to %d nodes%s:", i,
		       (long long)at->tasks, (long long)at->cpus_per_task,
		       (long long)at->tasks_per_node, at->nnodes, at->nodes_max,
		       at->asks_share ? ", shares" : "");
		for (int k = 0; k < state->outcomes[i].nnodes; k++)
			printf(" %lld of %d", (long long)state->has[i][k], state->nodes[i][k]);
		printf(", %lld to %lld\n", (long long)state->outcomes[i].start_ns,
		       (long long)state->outcomes[i].end_ns);
	}
	check_nfailed++;
}

static bool runs_at(const struct outcome *outcome, int64_t time)
{
	return outcome->is_placed && outcome->start_ns <= time &&
	       (outcome->end_ns == JOB_NO_TIME || time < outcome->end_ns);
}

/* The tasks that a node has room for beside the jobs before this one that run then. */
static int64_t room(const struct state *state, int job, int node, int64_t time)
{
	const struct job *at = &state->jobs[job];
	int64_t free = state->cpus[node], tasks;

	for (int i = 0; i < job; i++)
		for (int k = 0; runs_at(&state->outcomes[i], time) && k < state->outcomes[i].nnodes;
		     k++)
			if (state->nodes[i][k] == node)
				free = at->asks_share && state->jobs[i].asks_share
					       ? free - state->has[i][k]
					       : 0;
	tasks = free / at->cpus_per_task;
	return at->tasks_per_node > 0 && tasks > at->tasks_per_node ? at->tasks_per_node : tasks;
}

/* The fewest nodes that do, of all sets; 0: none. */
static int fewest(const struct state *state, int job, int64_t time)
{
	const struct job *at = &state->jobs[job];
	int best = 0;

	for (unsigned set = 1; set < 1U << state->nnodes; set++) {
		int n = __builtin_popcount(set);
		int64_t tasks = 0;
		bool all = true;

		for (int node = 0; node < state->nnodes; node++)
			if ((set >> node & 1) != 0) {
				int64_t has = room(state, job, node, time);

				all &= has > 0;
				tasks += has;
			}
		if (all && tasks >= at->tasks && n >= at->nnodes && n <= at->nodes_max &&
		    n <= at->tasks && (best == 0 || n < best))
			best = n;
	}
	return best;
}

static void judge_placed(const struct state *state, int job)
{
	const struct job *at = &state->jobs[job];
	const struct outcome *outcome = &state->outcomes[job];
	int64_t cpus = 0;

	nplaced++;
	nseveral += outcome->nnodes > at->nnodes;
	if (outcome->nnodes < at->nnodes || outcome->nnodes > at->nodes_max)
		fail(state, job, "it has too few or too many nodes");
	for (int k = 0; k < outcome->nnodes; k++) {
		int64_t used = 0;

		cpus += state->has[job][k];
		if (state->has[job][k] < at->cpus_per_task ||
		    state->has[job][k] % at->cpus_per_task != 0 ||
		    (at->tasks_per_node > 0 &&
		     state->has[job][k] > at->tasks_per_node * at->cpus_per_task))
			fail(state, job, "a node has no task, a part of one, or too many");
		for (int i = 0; i < state->njobs; i++)
			for (int j = 0; runs_at(&state->outcomes[i], outcome->start_ns) &&
					j < state->outcomes[i].nnodes;
			     j++) {
				if (state->nodes[i][j] != state->nodes[job][k])
					continue;
				used += state->has[i][j];
				if (i != job && !(at->asks_share && state->jobs[i].asks_share))
					fail(state, job, "a whole node is shared");
			}
		if (used > state->cpus[state->nodes[job][k]])
			fail(state, job, "a node gives more CPUs than it has");
	}
	if (cpus != at->tasks * at->cpus_per_task)
		fail(state, job, "it has not the CPUs for its tasks");
	if (state->queue == 0 && fewest(state, job, outcome->start_ns) != outcome->nnodes)
		fail(state, job, "fewer nodes would do");
}

static void judge(struct state *state)
{
	for (int i = 0; i < state->njobs; i++) {
		const struct outcome *outcome = &state->outcomes[i];
		int_vec nodes = {0};
		struct err err;

		if (!outcome->is_placed)
			continue;
		CHECK(topo_nodelist_read(state->topo, outcome->nodelist, &nodes, &err) == 0 &&
		      (int)nodes.n == outcome->nnodes);
		CHECK(per_node_read(outcome->cpus_per_node, state->has[i], outcome->nnodes, &err) ==
		      0);
		for (size_t k = 0; k < nodes.n && k < NODES_MOST; k++)
			state->nodes[i][k] = nodes.at[k];
		vec_free(&nodes);
	}
	for (int i = 0; i < state->njobs && check_nfailed == 0; i++) {
		if (state->outcomes[i].is_placed) {
			judge_placed(state, i);
			continue;
		}
		nrefused++;
		/* in a queue: on the machine without jobs, as at the end of time */
		if (fewest(state, i, state->queue == 0 ? state->jobs[i].submit_ns : INT64_MAX) > 0)
			fail(state, i, "it has no nodes, but could have some");
	}
	check_ndone++;
}

static void draw_jobs(struct state *state, struct rng *rng)
{
	static const char names[JOBS_MOST][2] = {"a", "b", "c", "d", "e", "f"};
	int64_t submit = 0;

	state->njobs = 1 + (int)rng_below(rng, JOBS_MOST);
	for (int i = 0; i < state->njobs; i++) {
		struct job *job = &state->jobs[i];

		submit += (int64_t)rng_below(rng, 3);
		*job = (struct job){.name = names[i],
				    .nnodes = 1 + (int)rng_below(rng, 2),
				    .submit_ns = submit,
				    .runtime_ns = 1 + (int64_t)rng_below(rng, 5),
				    .walltime_ns = JOB_NO_TIME,
				    .start_ns = JOB_NO_TIME,
				    .end_ns = JOB_NO_TIME,
				    .eligible_ns = JOB_NO_TIME,
				    .switch_wait_ns = JOB_NO_TIME,
				    .sensitivity = NAN,
				    .tasks = 1 + (int64_t)rng_below(rng, 9),
				    .cpus_per_task = 1 + (int64_t)rng_below(rng, 2),
				    .tasks_per_node = (int64_t)rng_below(rng, 4),
				    .asks_share = rng_below(rng, 3) > 0};
		job->nodes_max = job->nnodes + (int)rng_below(rng, 5);
		job->cpus = job->tasks * job->cpus_per_task;
	}
}

static void try(struct topo *topo, struct rng *rng)
{
	struct state state = {
		.topo = topo, .queue = (int)rng_below(rng, 4), .nnodes = topo->nnodes};
	struct schedule schedule;
	struct alloc alloc;
	struct pick policy, queue;
	struct err err = {""};

	CHECK(pick_parse(&policy, &alloc_policies, policies[rng_below(rng, 4)], &err) == 0);
	CHECK(pick_parse(&queue, &queues, queue_of[state.queue], &err) == 0);
	CHECK(alloc_open(&alloc, &policy, topo, false, &err) == 0);
	schedule_init(&schedule, topo, &alloc, &queue);
	schedule.stock = stock_new(state.nnodes);
	for (int n = 0; n < state.nnodes; n++)
		schedule.stock->nodes[n].cpus = state.cpus[n] = 1 + (int)rng_below(rng, 6);
	schedule.seed = rng_u64(rng);
	schedule_ready(&schedule);
	draw_jobs(&state, rng);
	if (schedule_run(&schedule, state.jobs, state.outcomes, state.njobs, &err) != 0)
		fail(&state, 0, err.msg);
	else
		judge(&state);
	for (int i = 0; i < state.njobs; i++)
		outcome_free(&state.outcomes[i]);
	schedule_free(&schedule);
	alloc_close(&alloc);
	pick_free(&policy);
	pick_free(&queue);
}

int main(int argc, char **argv)
{
	struct topo *topo;
	struct rng rng = rng_make(1, "tasks", NULL, "states");
	int64_t count = 4000, ntried = 0;
	struct err err;

	if (argc > 1 && num_int(argv[1], 1, INT64_MAX, &count) != 0)
		return 2;
	CHECK_INT(topo_load(&topo, "line:nodes=5", &err), 0);
	for (; ntried < count && check_nfailed == 0; ntried++)
		try(topo, &rng);
	CHECK(nseveral > 0 && nrefused > 0);
	printf("# %lld states with tasks: %lld jobs placed, %lld of them on more nodes than the "
	       "fewest they take, %lld without nodes\n",
	       (long long)ntried, (long long)nplaced, (long long)nseveral, (long long)nrefused);
	topo_free(topo);
	return check_done();
}
