/* oversubscribe.c - random machines whose partitions share nodes in Slurm's ways: for every
 *schedule it is tried whether cores can be given to the jobs, each for as long as it runs
 *
 *	oversubscribe [COUNT]	COUNT states (default: a few); prints how many there were */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "check.h"
#include "machine/load.h"
#include "place/queue/queue.h"
#include "place/run/eligible.h"
#include "place/run/stock.h"

enum { NODES_MOST = 4, JOBS_MOST = 7, CORES_MOST = 4, NEVER = INT_MAX };

static const char *const words[] = {"no",      "yes:2",   "yes:1",    "force:2",
				    "FORCE:3", "force:1", "exclusive"};
static const int counts[] = {1, 2, 1, 2, 3, 1, 0};
static const char *const policies[] = {"simple", "slurm", "level-spread", "rdn"};
static const char *const queue_of[] = {"none", "fcfs", "easy", "level-fit"};
enum { QUEUE_NONE, NQUEUES = 4 };

struct node {
	int cpus, memory;
	unsigned partitions; /* bits: p, q */
};

struct ask {
	int nnodes, cpus, memory, start, end, partition, row[NODES_MOST];
	bool shares, accepts, is_booked, is_suspended, is_placed;
	int nodes[NODES_MOST];
};

struct state {
	struct topo *topo;
	int queue, nnodes, njobs;
	int word[2]; /* of p and q */
	struct node nodes[NODES_MOST];
	struct ask asks[JOBS_MOST];
	struct job jobs[JOBS_MOST];
	struct outcome outcomes[JOBS_MOST];
	char lists[JOBS_MOST][64];
};

static int64_t nplaced, nrefused, nbeside;

/* ---- the definitions ---- */

static int part(int total, int n, int i)
{
	return total / n + (i < total % n ? 1 : 0);
}

static int cpus_of(const struct ask *ask, int i)
{
	int cpus = part(ask->cpus, ask->nnodes, i);

	return ask->is_suspended ? 0 : cpus > 0 ? cpus : 1;
}

/* How many jobs may have a core of this one in a partition (-1: none is said); 0: it has its nodes
 * alone. */
static int sharers(const struct state *state, const struct ask *ask, int partition)
{
	const char *word = partition >= 0 ? words[state->word[partition]] : "no";
	int count = partition >= 0 ? counts[state->word[partition]] : 1;

	if (count > 1 && (word[0] == 'f' || word[0] == 'F'))
		return count;
	if (count == 0 || !ask->shares)
		return 0;
	return ask->accepts && word[0] == 'y' ? count : 1;
}

static bool meet(const struct ask *a, const struct ask *b)
{
	return a->is_placed && b->is_placed && a->start < b->end && b->start < a->end;
}

/* ---- cores ---- */

struct holder {
	int job, cpus;
	unsigned cores;
};

/* Whether one more set of cores goes beside those that are given. */
static bool goes(const struct state *state, const struct holder *holders, int n, unsigned cores)
{
	const struct ask *ask = &state->asks[holders[n].job];
	int most = sharers(state, ask, ask->partition);

	for (int core = 0; core < CORES_MOST; core++) {
		int times[JOBS_MOST + 1], ntimes = 0;

		if ((cores >> core & 1) == 0)
			continue;
		times[ntimes++] = ask->start;
		for (int i = 0; i < n; i++) {
			const struct ask *other = &state->asks[holders[i].job];

			if ((holders[i].cores >> core & 1) == 0 || !meet(ask, other))
				continue;
			if (most <= 1 || sharers(state, other, other->partition) <= 1 ||
			    other->partition != ask->partition)
				return false;
			times[ntimes++] = other->start > ask->start ? other->start : ask->start;
		}
		for (int t = 0; t < ntimes; t++) {
			int together = 1;

			for (int i = 0; i < n; i++) {
				const struct ask *other = &state->asks[holders[i].job];

				together += (holders[i].cores >> core & 1) != 0 &&
					    other->start <= times[t] && times[t] < other->end;
			}
			if (together > (most > 1 ? most : 1))
				return false;
		}
	}
	return true;
}

static bool give(const struct state *state, struct holder *holders, int n, int nholders, int ncores)
{
	if (n == nholders)
		return true;
	for (unsigned cores = 0; cores < 1U << ncores; cores++) {
		if (__builtin_popcount(cores) != holders[n].cpus)
			continue;
		holders[n].cores = cores;
		if (goes(state, holders, n, cores) && give(state, holders, n + 1, nholders, ncores))
			return true;
	}
	return false;
}

/* Whether there are cores for all who ever have the node, none of whom moves. */
static bool has_cores(const struct state *state, int node)
{
	struct holder holders[JOBS_MOST];
	int n = 0;

	for (int i = 0; i < state->njobs; i++)
		for (int k = 0; state->asks[i].is_placed && k < state->asks[i].nnodes; k++)
			if (state->asks[i].nodes[k] == node && cpus_of(&state->asks[i], k) > 0)
				holders[n++] = (struct holder){i, cpus_of(&state->asks[i], k), 0};
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && state->asks[holders[k].job].start <
						 state->asks[holders[k - 1].job].start;
		     k--) {
			struct holder holder = holders[k];

			holders[k] = holders[k - 1];
			holders[k - 1] = holder;
		}
	return give(state, holders, 0, n, state->nodes[node].cpus);
}

/* ---- judging ---- */

static void fail(const struct state *state, int job, const char *what)
{
	printf("%s queue=%s p=%s q=%s: job %d of %d: %s\n", state->topo->name,
	       queue_of[state->queue], words[state->word[0]], words[state->word[1]], job,
	       state->njobs, what);
	for (int n = 0; n < state->nnodes; n++)
		printf("\tnode %d: %d cpus, %d mem, partitions %x\n", n, state->nodes[n].cpus,
		       state->nodes[n].memory, state->nodes[n].partitions);
	for (int i = 0; i < state->njobs; i++) {
		const struct ask *ask = &state->asks[i];

		printf("\tjob %d: %d nodes, %d cpus, %d mem, partition %s (%d)%s%s%s%s, submit "
		       "%lld:",
		       i, ask->nnodes, ask->cpus, ask->memory,
		       state->jobs[i].partition ? state->jobs[i].partition : "-", ask->partition,
		       ask->shares ? " shares" : "", ask->accepts ? " accepts" : "",
		       ask->is_booked ? " booked" : "", ask->is_suspended ? " suspended" : "",
		       (long long)(state->jobs[i].submit_ns != JOB_NO_TIME
					   ? state->jobs[i].submit_ns
					   : -1));
		for (int k = 0; ask->is_placed && k < ask->nnodes; k++)
			printf(" %d", ask->nodes[k]);
		if (ask->is_placed)
			printf(" from %d to %d", ask->start, ask->end);
		printf("\n");
	}
	check_nfailed++;
}

static void judge_pair(const struct state *state, int job, int other)
{
	const struct ask *a = &state->asks[job], *b = &state->asks[other];
	int most = sharers(state, a, a->partition), others = sharers(state, b, b->partition);

	if (a->is_booked && b->is_booked)
		return;
	if (most == 0 || others == 0)
		fail(state, job, "a whole node is shared");
	/* Slurm: who shares CPUs does not come to who doesn't; the other way, only in
	 * a partition */
	if (most > 1 && others == 1 && !b->is_suspended && b->start < a->start)
		fail(state, job, "it shares CPUs beside one that does not");
	if (most == 1 && others > 1 && !b->is_suspended && b->start < a->start &&
	    a->partition != b->partition)
		fail(state, job, "it does not share CPUs, beside one of another partition");
}

static void judge_memory(const struct state *state, int job, int node)
{
	const struct ask *ask = &state->asks[job];
	int memory = 0;

	for (int i = 0; i < state->njobs; i++)
		for (int k = 0; state->asks[i].is_placed && k < state->asks[i].nnodes; k++)
			if (state->asks[i].nodes[k] == node && state->asks[i].start <= ask->start &&
			    ask->start < state->asks[i].end)
				memory += part(state->asks[i].memory, state->asks[i].nnodes, k);
	if (memory > state->nodes[node].memory)
		fail(state, job, "a node gives memory twice");
}

static void judge_placed(const struct state *state, int job)
{
	const struct ask *ask = &state->asks[job];

	nplaced++;
	for (int k = 0; k < ask->nnodes; k++) {
		int node = ask->nodes[k];

		if (ask->partition >= 0 &&
		    (state->nodes[node].partitions >> ask->partition & 1) == 0)
			fail(state, job, "it has a node of another partition");
		judge_memory(state, job, node);
		for (int i = 0; i < state->njobs; i++)
			for (int j = 0;
			     i != job && meet(ask, &state->asks[i]) && j < state->asks[i].nnodes;
			     j++)
				if (state->asks[i].nodes[j] == node)
					judge_pair(state, job, i);
	}
}

/* The rows of CPUs at a node, counted beside the jobs before this one, which all have come; -1:
 * there is no room. */
static int row_for(const struct state *state, int job, int node, int partition, bool is_empty)
{
	const struct ask *ask = &state->asks[job];
	int most = sharers(state, ask, partition), wanted = cpus_of(ask, 0), memory = 0;
	int used[4] = {0}, base = 0, best = -1;

	for (int i = 0; i < job && !is_empty; i++) {
		const struct ask *other = &state->asks[i];
		int others = other->is_placed ? sharers(state, other, other->partition) : 0;

		for (int k = 0; other->is_placed && k < other->nnodes; k++) {
			if (other->nodes[k] != node)
				continue;
			if (most == 0 || others == 0 || (most > 1 && others == 1) ||
			    (most == 1 && others > 1 && other->partition != partition))
				return -1;
			memory += part(other->memory, other->nnodes, k);
			if (most > 1 && other->partition == partition)
				used[other->row[k]] += cpus_of(other, k);
			else
				base += cpus_of(other, k);
		}
	}
	if (memory + part(ask->memory, ask->nnodes, 0) > state->nodes[node].memory)
		return -1;
	for (int row = 0; row < (most > 1 ? most : 1); row++)
		if (base + used[row] + wanted <= state->nodes[node].cpus &&
		    (best < 0 || used[row] > used[best]))
			best = row;
	return best;
}

static void judge_refused(const struct state *state, int job)
{
	const char *list = state->jobs[job].partition;
	bool has_booked = false;

	nrefused++;
	for (int i = 0; i < state->njobs; i++)
		has_booked |= state->asks[i].is_booked;
	for (int p = -1; p < 2 && !has_booked; p++) {
		int n = 0;

		if (p < 0 ? list != NULL : list == NULL || strchr(list, "pq"[p]) == NULL)
			continue;
		for (int node = 0; node < state->nnodes; node++)
			n += (p < 0 || (state->nodes[node].partitions >> p & 1) != 0) &&
			     row_for(state, job, node, p, state->queue != QUEUE_NONE) >= 0;
		if (n >= state->asks[job].nnodes)
			fail(state, job, "it has no nodes, but could have some");
	}
}

/* Without a queue jobs come one after the other and stay: their rows are as they were chosen. */
static void note_rows(struct state *state, int job)
{
	struct ask *ask = &state->asks[job];

	for (int k = 0; k < ask->nnodes && state->queue == QUEUE_NONE; k++) {
		struct ask asked = *ask;
		int row;

		ask->cpus = cpus_of(&asked, k);
		ask->memory = part(asked.memory, asked.nnodes, k);
		ask->nnodes = 1;
		row = row_for(state, job, ask->nodes[k], ask->partition, false);
		*ask = asked;
		ask->row[k] = row > 0 ? row : 0;
	}
}

static void read_outcome(struct state *state, int i)
{
	struct ask *ask = &state->asks[i];
	const struct outcome *outcome = &state->outcomes[i];
	const char *partition =
		outcome->partition != NULL ? outcome->partition : state->jobs[i].partition;
	int_vec nodes = {0};
	struct err err;

	CHECK(topo_nodelist_read(state->topo, ask->is_booked ? state->lists[i] : outcome->nodelist,
				 &nodes, &err) == 0 &&
	      (int)nodes.n == ask->nnodes);
	for (size_t k = 0; k < nodes.n && k < NODES_MOST; k++)
		ask->nodes[k] = nodes.at[k];
	free(nodes.at);
	CHECK(partition == NULL || strlen(partition) == 1);
	ask->partition = partition != NULL ? partition[0] - 'p' : -1;
	ask->is_placed = true;
	ask->start =
		ask->is_booked || outcome->start_ns == JOB_NO_TIME ? 0 : (int)outcome->start_ns;
	ask->end = outcome->end_ns == JOB_NO_TIME ? NEVER : (int)outcome->end_ns;
}

static void judge(struct state *state)
{
	for (int i = 0; i < state->njobs; i++)
		if (state->outcomes[i].is_placed) {
			read_outcome(state, i);
			note_rows(state, i);
		}
	for (int i = 0; i < state->njobs && check_nfailed == 0; i++)
		if (!state->asks[i].is_booked && state->asks[i].is_placed)
			judge_placed(state, i);
		else if (!state->asks[i].is_booked)
			judge_refused(state, i);
	for (int node = 0; node < state->nnodes && check_nfailed == 0; node++) {
		int cpus = 0;

		for (int i = 0; i < state->njobs; i++)
			for (int k = 0; state->asks[i].is_placed && k < state->asks[i].nnodes; k++)
				if (state->asks[i].nodes[k] == node && state->asks[i].end == NEVER)
					cpus += cpus_of(&state->asks[i], k);
		nbeside += cpus > state->nodes[node].cpus;
		if (!has_cores(state, node))
			fail(state, 0, "no cores can be given to the jobs of a node");
	}
	check_ndone++;
}

/* ---- one state ---- */

static void draw_nodes(struct state *state, struct schedule *schedule, struct rng *rng)
{
	static const char *const partition_of[] = {NULL, "p", "q", "p,q"};

	schedule->stock = stock_new(state->nnodes);
	for (int p = 0; p < 2; p++)
		state->word[p] = (int)rng_below(rng, 7);
	for (int n = 0; n < state->nnodes; n++) {
		struct node *node = &state->nodes[n];
		struct buf text = {0};
		struct err err;

		node->cpus = 1 + (int)rng_below(rng, CORES_MOST);
		node->memory = 4 + (int)rng_below(rng, 8);
		node->partitions = (unsigned)rng_below(rng, 4);
		schedule->stock->nodes[n].cpus = node->cpus;
		schedule->stock->nodes[n].memory = node->memory;
		for (int p = 0; p < 2; p++)
			if ((node->partitions >> p & 1) != 0)
				buf_printf(&text, "%s%s", text.n > 0 ? "," : "",
					   words[state->word[p]]);
		CHECK(sharings_add(&schedule->stock->sharings, partition_of[node->partitions],
				   text.n > 0 ? buf_text(&text) : NULL, &err) == 0);
		eligible_partitions(&schedule->eligible, state->topo, n,
				    partition_of[node->partitions]);
		buf_free(&text);
	}
}

/* A job that came with its first nodes from one on, if there are cores for all that did. */
static bool book(struct state *state, int i, struct rng *rng)
{
	struct ask *ask = &state->asks[i];
	int first = (int)rng_below(rng, (uint64_t)state->nnodes);
	char name[TOPO_NAME];
	bool fits = first + ask->nnodes <= state->nnodes && ask->partition != 2 &&
		    sharers(state, ask, ask->partition) > 0;

	if (!fits)
		return false;
	state->lists[i][0] = '\0';
	for (int k = 0; k < ask->nnodes; k++) {
		ask->nodes[k] = first + k;
		fits = fits && (ask->partition < 0 ||
				(state->nodes[first + k].partitions >> ask->partition & 1) != 0);
		snprintf(state->lists[i] + strlen(state->lists[i]),
			 sizeof(state->lists[i]) - strlen(state->lists[i]), "%s%s",
			 k > 0 ? "," : "", topo_node_name(state->topo, first + k, name));
	}
	ask->is_placed = true;
	ask->start = 0;
	ask->end = NEVER;
	for (int k = 0; k < ask->nnodes; k++) {
		int memory = 0;

		for (int j = 0; j <= i; j++)
			for (int m = 0; state->asks[j].is_placed && m < state->asks[j].nnodes; m++)
				memory += state->asks[j].nodes[m] == ask->nodes[k]
						  ? part(state->asks[j].memory,
							 state->asks[j].nnodes, m)
						  : 0;
		fits = fits && memory <= state->nodes[ask->nodes[k]].memory &&
		       has_cores(state, ask->nodes[k]);
	}
	ask->is_placed = ask->is_booked = fits;
	return fits;
}

static void draw_jobs(struct state *state, struct rng *rng)
{
	static const char *const names[JOBS_MOST] = {"a", "b", "c", "d", "e", "f", "g"};
	static const char *const partition_of[] = {NULL, "p", "q", "p,q", "q,p"};
	static const int number_of[] = {-1, 0, 1, 2, 2};
	bool books = rng_below(rng, 4) == 0, has_times = state->queue != QUEUE_NONE;
	int submit = 0;

	state->njobs = 1 + (int)rng_below(rng, JOBS_MOST);
	for (int i = 0; i < state->njobs; i++) {
		struct ask *ask = &state->asks[i];
		int64_t length = 1 + (int64_t)rng_below(rng, 5);
		int in = (int)rng_below(rng, 5);

		ask->nnodes = 1 + (int)rng_below(rng, 2);
		ask->cpus = (int)rng_below(rng, 4) * ask->nnodes + (int)rng_below(rng, 2);
		ask->memory = (int)rng_below(rng, 5);
		ask->shares = rng_below(rng, 4) > 0;
		ask->accepts = rng_below(rng, 2) == 0;
		ask->partition = number_of[in];
		submit += (int)rng_below(rng, 3);
		state->jobs[i] = (struct job){
			.name = names[i],
			.nnodes = ask->nnodes,
			.submit_ns = has_times ? submit : JOB_NO_TIME,
			.runtime_ns = has_times ? length : JOB_NO_TIME,
			.walltime_ns =
				has_times ? length + (int64_t)rng_below(rng, 2) : JOB_NO_TIME,
			.start_ns = JOB_NO_TIME,
			.end_ns = JOB_NO_TIME,
			.eligible_ns = JOB_NO_TIME,
			.sensitivity = NAN,
			.cpus = ask->cpus,
			.memory_bytes = ask->memory,
			.partition = partition_of[in],
			.asks_share = ask->shares,
			.is_shared = ask->shares,
			.accepts_others = ask->accepts,
		};
		if (!books || i >= 3 || !has_times)
			continue;
		ask->is_suspended = rng_below(rng, 3) == 0;
		if (!book(state, i, rng)) {
			ask->is_suspended = false;
			continue;
		}
		state->jobs[i].nodelist = state->lists[i];
		state->jobs[i].start_ns = 0;
		state->jobs[i].is_suspended = ask->is_suspended;
	}
}

static void try(struct topo *topo, struct rng *rng)
{
	struct state state = {
		.topo = topo, .queue = (int)rng_below(rng, NQUEUES), .nnodes = topo->nnodes};
	struct schedule schedule;
	struct alloc alloc;
	struct pick policy, queue;
	struct err err = {""};

	CHECK(pick_parse(&policy, &alloc_policies, policies[rng_below(rng, 4)], &err) == 0);
	CHECK(pick_parse(&queue, &queues, queue_of[state.queue], &err) == 0);
	CHECK(alloc_open(&alloc, &policy, topo, false, &err) == 0);
	schedule_init(&schedule, topo, &alloc, &queue);
	draw_nodes(&state, &schedule, rng);
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
	static const char *const machines[] = {"line:nodes=3", "complete:nodes=4,per-router=2"};
	struct topo *topos[2];
	struct rng rng = rng_make(1, "oversubscribe", NULL, "states");
	int64_t count = 4000, ntried = 0;
	struct err err;

	if (argc > 1 && num_int(argv[1], 1, INT64_MAX, &count) != 0)
		return 2;
	for (int m = 0; m < 2; m++)
		CHECK_INT(topo_load(&topos[m], machines[m], &err), 0);
	for (; ntried < count && check_nfailed == 0; ntried++)
		try(topos[rng_below(&rng, 2)], &rng);
	CHECK(nbeside > 0);
	printf("# %lld states with shared CPUs: %lld jobs placed, %lld without nodes, %lld nodes "
	       "with more CPUs given than they have\n",
	       (long long)ntried, (long long)nplaced, (long long)nrefused, (long long)nbeside);
	for (int m = 0; m < 2; m++)
		topo_free(topos[m]);
	return check_done();
}
