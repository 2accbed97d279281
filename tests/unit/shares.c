/* shares.c - random machines whose nodes jobs share: every schedule is judged by what the manual
 *says of resources, features, partitions and reservations, counted anew at every instant
 *
 *	shares [COUNT]		COUNT states (default: a few); prints how many there were */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "check.h"
#include "site_leaves.h"
#include "site_names.h"
#include "machine/load.h"
#include "place/queue/queue.h"
#include "place/run/eligible.h"
#include "place/run/stock.h"

static const char *const machines[] = {"line:nodes=5", "complete:nodes=6,per-router=2",
				       "ring:nodes=4"};
static const char *const policies[] = {"simple",       "rdn",     "slurm",
				       "level-spread", "compact", "proximate"};
static const char *const queue_of[] = {"none", "fcfs", "easy", "level-fit", "conservative"};
enum { QUEUE_NONE, QUEUE_FCFS, QUEUE_EASY, QUEUE_LEVEL_FIT, QUEUE_CONSERVATIVE, NQUEUES };

static int64_t ntogether, nplaced, nrefused, nshared, nfew, nalone;

/* ---- the definitions ---- */

/* Of the i-th of a job's nodes. */
static int part(int total, int n, int i)
{
	return total / n + (i < total % n ? 1 : 0);
}

static int cpus_of(const struct ask *ask, int i)
{
	int cpus = part(ask->cpus, ask->nnodes, i);

	return cpus > 0 ? cpus : 1;
}

/* Whether nodes of which so many have a, b, or either are enough for the features' counts: one has
 * to be found for each, which has to be another one. */
static bool are_counted(const char *text, int na, int nb, int neither, int n)
{
	if (text == NULL || strchr(text, '*') == NULL)
		return true;
	if (text[0] != '[')
		return nb >= 1;
	return na >= text[3] - '0' && nb >= 1 && n - neither >= text[3] - '0' + 1;
}

static bool fits_counts(const struct state *state, int job)
{
	int na = 0, nb = 0, neither = 0;

	for (int i = 0; i < state->asks[job].nnodes; i++) {
		unsigned bits = state->nodes[state->asks[job].nodes[i]].features;

		na += bits & 1;
		nb += bits >> 1 & 1;
		neither += bits == 0;
	}
	return are_counted(state->jobs[job].features, na, nb, neither, state->asks[job].nnodes);
}

/* Whether a job may have a node at all, by one alternative of its partitions and features. */
static bool may_have(const struct state *state, int job, int node, int partition, int features)
{
	const struct node *at = &state->nodes[node];
	const struct job *asked = &state->jobs[job];

	return !at->is_away && at->is_reserved == (asked->reservation != NULL) &&
	       is_in_partition(asked->partition, at->partitions, partition) &&
	       fits_features(asked->features, features, at->features);
}

static bool has_gpus(const struct node *node, const struct ask *ask, int gpus, const int *used)
{
	if (gpus == 0)
		return true;
	if (ask->type >= 0)
		return used[ask->type] + gpus <= node->has[ask->type];
	return used[0] + used[1] + gpus <= node->has[0] + node->has[1];
}

static bool runs_at(const struct ask *ask, int time)
{
	return ask->is_placed && ask->start <= time && time < ask->end;
}

/* ---- judging ---- */

static void fail(const struct state *state, int job, const char *what)
{
	printf("%s policy=%s queue=%s: job %d of %d: %s\n", state->topo->name, state->policy,
	       queue_of[state->queue], job, state->njobs, what);
	for (int n = 0; n < state->nnodes; n++) {
		const struct node *node = &state->nodes[n];

		printf("\tnode %d: %d cpus (%d used), %d mem (%d), gpus %d %d%s%s%s, features %x, "
		       "partitions %x\n",
		       n, node->cpus, node->cpus_used, node->memory, node->memory_used,
		       node->has[0], node->has[1], node->is_busy ? " busy" : "",
		       node->is_away ? " away" : "", node->is_reserved ? " reserved" : "",
		       node->features, node->partitions);
	}
	for (int i = 0; i < state->njobs; i++) {
		const struct ask *ask = &state->asks[i];
		const struct job *asked = &state->jobs[i];

		printf("\tjob %d: %d nodes (%d switches, waits %d), %d cpus, %d gpus of %d, %d "
		       "mem, het %d%s%s, features %s, partition %s%s, submit %lld: ",
		       i, ask->nnodes, ask->few, ask->wait, ask->cpus, ask->gpus, ask->type,
		       ask->memory, ask->het, ask->shares ? " shares" : "",
		       ask->is_booked ? " booked" : "", asked->features ? asked->features : "-",
		       asked->partition ? asked->partition : "-",
		       asked->reservation ? " reserved" : "",
		       (long long)(asked->submit_ns != JOB_NO_TIME ? asked->submit_ns : -1));
		for (int k = 0; ask->is_placed && k < ask->nnodes; k++)
			printf("%d ", ask->nodes[k]);
		if (ask->is_placed)
			printf("from %d to %d", ask->start, ask->end);
		printf("\n");
	}
	check_nfailed++;
}

/* What jobs have of a node at a time together; one that came with its nodes may have CPUs twice. */
static void judge_node(const struct state *state, int job, int node, int time)
{
	const struct node *at = &state->nodes[node];
	bool is_held = at->is_busy && !at->is_booked, is_whole = false, has_given = false;
	int cpus = is_held ? at->cpus_used : 0, memory = is_held ? at->memory_used : 0, njobs = 0;
	int gpus[2] = {0}, any = 0;
	bool gives[2] = {false}, gives_any = false;

	for (int i = 0; i < state->njobs; i++) {
		const struct ask *ask = &state->asks[i];

		for (int k = 0; runs_at(ask, time) && k < ask->nnodes; k++) {
			int n = part(ask->gpus, ask->nnodes, k);

			if (ask->nodes[k] != node)
				continue;
			njobs++;
			is_whole |= !ask->shares;
			has_given |= !ask->is_booked;
			cpus += cpus_of(ask, k);
			memory += part(ask->memory, ask->nnodes, k);
			any += n;
			if (ask->type >= 0)
				gpus[ask->type] += n;
			gives_any |= !ask->is_booked && n > 0;
			if (ask->type >= 0)
				gives[ask->type] |= !ask->is_booked && n > 0;
		}
	}
	if (!has_given)
		return;
	if (is_whole && (njobs > 1 || is_held))
		fail(state, job, "a whole node is shared");
	/* who came with more GPUs than there are takes none from others */
	if (cpus > at->cpus || memory > at->memory || (gives[0] && gpus[0] > at->has[0]) ||
	    (gives[1] && gpus[1] > at->has[1]) || (gives_any && any > at->has[0] + at->has[1]))
		fail(state, job, "a node gives more than it has");
}

static void judge_placed(const struct state *state, int job)
{
	const struct ask *ask = &state->asks[job];
	const char *fault;
	bool fits = false, is_few;

	nplaced++;
	nshared += ask->shares;
	for (int p = 0; p < 2; p++)
		for (int f = 0; f < 2; f++) {
			bool all = true;

			for (int i = 0; i < ask->nnodes; i++)
				all = all && may_have(state, job, ask->nodes[i], p, f);
			fits |= all;
		}
	fault = switches_fault(state, job, &is_few);
	if (fault == NULL)
		fault = alone_fault(state, job);
	if (fault != NULL)
		fail(state, job, fault);
	nfew += is_few;
	nalone += ask->is_alone;
	if (!fits || !fits_counts(state, job))
		fail(state, job, "it has nodes that it may not have");
	for (int i = 0; i < ask->nnodes; i++) {
		const struct node *node = &state->nodes[ask->nodes[i]];

		for (int k = 0; k < i; k++)
			if (ask->nodes[k] == ask->nodes[i])
				fail(state, job, "it has a node twice");
		if (!ask->shares && node->is_busy && !node->is_booked)
			fail(state, job, "it has a whole node that is busy");
		judge_node(state, job, ask->nodes[i], ask->start);
	}
	if (state->jobs[job].submit_ns != JOB_NO_TIME && ask->start < state->jobs[job].submit_ns)
		fail(state, job, "it starts before it came");
	for (int i = 0; i < job && state->queue == QUEUE_FCFS; i++)
		if (!state->asks[i].is_booked && state->asks[i].is_placed &&
		    state->asks[i].start > ask->start)
			fail(state, job, "it overtakes");
}

/* Whether a node has room for the most that a job asks of one, beside those that run at a time;
 * on an empty machine at none. */
static bool has_room(const struct state *state, int job, int node, int time, bool is_empty)
{
	const struct node *at = &state->nodes[node];
	const struct ask *ask = &state->asks[job];
	bool is_held = at->is_busy && (!at->is_booked || is_empty);
	int cpus = is_held ? at->cpus_used : 0, memory = is_held ? at->memory_used : 0;
	int used[2] = {0};

	if (is_held && (!ask->shares || at->cpus_used < 0))
		return false;
	for (int i = 0; i < job && !is_empty; i++) {
		const struct ask *other = &state->asks[i];

		for (int k = 0; runs_at(other, time) && k < other->nnodes; k++) {
			int n = part(other->gpus, other->nnodes, k);

			if (other->nodes[k] != node)
				continue;
			if (!other->shares || !ask->shares)
				return false;
			cpus += cpus_of(other, k);
			memory += part(other->memory, other->nnodes, k);
			/* those of no type are of the one that the node has; of two none is said */
			used[other->type >= 0 ? other->type : at->has[0] > 0 ? 0 : 1] += n;
		}
	}
	return cpus + cpus_of(ask, 0) <= at->cpus &&
	       memory + part(ask->memory, ask->nnodes, 0) <= at->memory &&
	       has_gpus(at, ask, part(ask->gpus, ask->nnodes, 0), used);
}

/* Whether enough of these nodes have the counted features. */
static bool could_count(const struct state *state, int job, const bool *is_there)
{
	const char *text = state->jobs[job].features;
	int na = 0, nb = 0, neither = 0, n = 0;

	for (int node = 0; node < state->nnodes; node++) {
		if (!is_there[node])
			continue;
		na += state->nodes[node].features & 1;
		nb += state->nodes[node].features >> 1 & 1;
		neither += state->nodes[node].features == 0;
		n++;
	}
	return are_counted(text, na, nb, neither, n) &&
	       (text == NULL || text[0] != '[' || strchr(text, '*') == NULL ||
		state->asks[job].nnodes > text[3] - '0');
}

/* Two types on a node: has_room says yes where it does not know. */
static bool has_two_types(const struct state *state, int job)
{
	for (int n = 0; n < state->nnodes && state->asks[job].gpus > 0; n++)
		if (state->nodes[n].has[0] > 0 && state->nodes[n].has[1] > 0)
			return true;
	return false;
}

/* A job without nodes had none to get: without a queue beside those before it, in a queue on the
 * machine without jobs. */
static void judge_refused(const struct state *state, int job)
{
	bool has_booked = false;
	int time = 0;

	nrefused++;
	for (int i = 0; i < state->njobs; i++)
		has_booked |= state->asks[i].is_booked;
	/* counts and leaf switches together: only the usual choice is tried */
	if (has_booked || (state->jobs[job].features != NULL && state->asks[job].few > 0 &&
			   strchr(state->jobs[job].features, '*') != NULL))
		return;
	for (int p = 0; p < 2; p++)
		for (int f = 0; f < 2; f++) {
			bool is_there[NODES_MOST] = {false};
			int n = 0;

			for (int node = 0; node < state->nnodes; node++) {
				is_there[node] =
					may_have(state, job, node, p, f) &&
					!is_shut(state, job, node, state->queue != QUEUE_NONE) &&
					has_room(state, job, node, time,
						 state->queue != QUEUE_NONE);
				n += is_there[node];
			}
			if (!takes_any(state, job, state->queue != QUEUE_NONE ? NEVER : 0))
				n = most_on(state, is_there, state->asks[job].few);
			if (n >= state->asks[job].nnodes && !has_two_types(state, job) &&
			    could_count(state, job, is_there))
				fail(state, job, "it has no nodes, but could have some");
		}
}

/* Components start together, or not at all; no queue is faster than the last of them comes. */
static void judge_together(const struct state *state, int job)
{
	const struct ask *ask = &state->asks[job];

	for (int i = 0; i < state->njobs; i++) {
		const struct ask *other = &state->asks[i];

		if (i == job || ask->het < 0 || other->het != ask->het)
			continue;
		ntogether += ask->is_placed;
		if (ask->is_placed != other->is_placed || ask->start != other->start)
			fail(state, job, "a component starts without another");
		if (ask->is_placed && state->jobs[i].submit_ns > ask->start)
			fail(state, job, "it starts before a component came");
	}
}

static void judge(struct state *state)
{
	for (int i = 0; i < state->njobs; i++) {
		struct ask *ask = &state->asks[i];
		const struct outcome *outcome = &state->outcomes[i];
		int_vec nodes = {0};
		struct err err;

		if (!outcome->is_placed)
			continue;
		CHECK(topo_nodelist_read(state->topo,
					 ask->is_booked ? state->lists[i] : outcome->nodelist,
					 &nodes, &err) == 0 &&
		      (int)nodes.n == ask->nnodes);
		for (size_t k = 0; k < nodes.n && k < NODES_MOST; k++)
			ask->nodes[k] = nodes.at[k];
		free(nodes.at);
		ask->is_placed = true;
		ask->start = ask->is_booked || outcome->start_ns == JOB_NO_TIME
				     ? 0
				     : (int)outcome->start_ns;
		ask->end = outcome->end_ns == JOB_NO_TIME ? NEVER : (int)outcome->end_ns;
	}
	for (int i = 0; i < state->njobs && check_nfailed == 0; i++)
		if (state->asks[i].is_booked)
			continue;
		else if (state->asks[i].is_placed)
			judge_placed(state, i);
		else if (state->asks[i].het < 0)
			judge_refused(state, i);
	for (int i = 0; i < state->njobs && check_nfailed == 0; i++)
		judge_together(state, i);
	check_ndone++;
}

/* ---- one state ---- */

static void draw_nodes(struct state *state, struct schedule *schedule, struct rng *rng)
{
	static const char *const partition_of[] = {NULL, "p", "q", "p,q"};
	static const char *const feature_of[] = {NULL, "a", "b", "a,b"};
	unsigned busy = (unsigned)rng_below(rng, 3), away = (unsigned)rng_below(rng, 2);
	bool names = rng_below(rng, 2) == 0, weighs = rng_below(rng, 3) == 0;
	int64_t weight_of[NODES_MOST] = {0};

	schedule->stock = stock_new(state->nnodes);
	for (int n = 0; n < state->nnodes; n++) {
		struct node *node = &state->nodes[n];
		struct stock_node *at = &schedule->stock->nodes[n];
		struct buf type = {0};

		node->cpus = 1 + (int)rng_below(rng, 4);
		node->memory = 4 + (int)rng_below(rng, 5);
		node->has[0] = (int)rng_below(rng, 3);
		node->has[1] = rng_below(rng, 4) == 0 ? 1 : 0;
		node->is_away = rng_below(rng, 8) < away;
		node->is_busy = !node->is_away && rng_below(rng, 8) < busy;
		node->cpus_used = node->is_busy ? 1 : 0;
		node->memory_used = node->is_busy ? 2 : 0;
		schedule->use[n] = node->is_away   ? NODE_AWAY
				   : node->is_busy ? NODE_BUSY
						   : NODE_IDLE;
		at->cpus = node->cpus;
		at->memory = node->memory;
		at->is_busy = at->is_open = node->is_busy;
		at->told.cpus = node->cpus_used;
		at->told.memory = node->memory_used;
		buf_printf(&type, "%s", node->has[1] == 0 ? "ta" : node->has[0] == 0 ? "tb" : "");
		if (node->has[0] > 0 && node->has[1] > 0)
			buf_printf(&type, "ta:%d,tb:%d", node->has[0], node->has[1]);
		stock_set_gpus(schedule->stock, n, node->has[0] + node->has[1],
			       node->has[0] + node->has[1] > 0 ? buf_text(&type) : NULL);
		buf_free(&type);
		node->features = (unsigned)rng_below(rng, 4);
		node->partitions = (unsigned)rng_below(rng, 4);
		if (!names) {
			node->features = 0;
			continue;
		}
		eligible_features(&schedule->eligible, state->topo, n, feature_of[node->features]);
		eligible_partitions(&schedule->eligible, state->topo, n,
				    partition_of[node->partitions]);
		node->is_reserved = rng_below(rng, 6) == 0;
		if (node->is_reserved)
			eligible_reservation(&schedule->eligible, state->topo, n, "r");
		weight_of[n] = weighs ? (int64_t)rng_below(rng, 3) : 0;
	}
	eligible_weights(&schedule->eligible, state->topo, weight_of);
}

static void draw_names(struct state *state, struct schedule *schedule, int i, struct rng *rng)
{
	static const char *const partition_of[] = {NULL, "p", "q", "q,p"};
	bool has_reserved = false;

	if (schedule->eligible == NULL)
		return;
	for (int n = 0; n < state->nnodes; n++)
		has_reserved |= state->nodes[n].is_reserved;
	if (rng_below(rng, 2) == 0)
		state->jobs[i].features = feature_texts[rng_below(rng, 9)];
	if (rng_below(rng, 2) == 0)
		state->jobs[i].partition = partition_of[rng_below(rng, 4)];
	if (has_reserved && rng_below(rng, 5) == 0)
		state->jobs[i].reservation = "r";
}

/* A job that came with its nodes: as many from a first one on, none of them away. */
static bool book(struct state *state, int i, struct rng *rng)
{
	struct ask *ask = &state->asks[i];
	int first = (int)rng_below(rng, (uint64_t)state->nnodes);
	char name[TOPO_NAME];

	if (first + ask->nnodes > state->nnodes)
		return false;
	state->lists[i][0] = '\0';
	for (int n = first; n < first + ask->nnodes; n++) {
		/* whole nodes are booked once; those that are shared by shares */
		for (int k = 0; k < i; k++)
			for (int j = 0; state->asks[k].is_booked && j < state->asks[k].nnodes; j++)
				if (state->asks[k].nodes[j] == n &&
				    !(ask->shares && state->asks[k].shares))
					return false;
		ask->nodes[n - first] = n;
		snprintf(state->lists[i] + strlen(state->lists[i]),
			 sizeof(state->lists[i]) - strlen(state->lists[i]), "%s%s",
			 n > first ? "," : "", topo_node_name(state->topo, n, name));
	}
	for (int k = 0; k < ask->nnodes; k++)
		state->nodes[ask->nodes[k]].is_booked = true;
	return true;
}

static void draw_jobs(struct state *state, struct schedule *schedule, struct rng *rng)
{
	static const char names[JOBS_MOST][2] = {"a", "b", "c", "d", "e", "f", "g"};
	static const char het_names[JOBS_MOST][3] = {"ha", "hb", "hc", "hd", "he", "hf", "hg"};
	static const char *const types[] = {"ta", "tb"};
	bool books = rng_below(rng, 4) == 0, has_times = state->queue != QUEUE_NONE;
	int submit = 0;

	state->njobs = 1 + (int)rng_below(rng, JOBS_MOST);
	for (int i = 0; i < state->njobs; i++) {
		struct ask *ask = &state->asks[i];
		int64_t length = 1 + (int64_t)rng_below(rng, 5);

		ask->nnodes = 1 + (int)rng_below(rng, 3);
		ask->cpus = (int)rng_below(rng, 4) * ask->nnodes + (int)rng_below(rng, 2);
		ask->gpus = rng_below(rng, 3) == 0 ? (int)rng_below(rng, 3) : 0;
		ask->type = ask->gpus > 0 && rng_below(rng, 2) == 0 ? (int)rng_below(rng, 2) : -1;
		ask->memory = (int)rng_below(rng, 7);
		ask->shares = rng_below(rng, 4) > 0;
		ask->few = rng_below(rng, 4) == 0 ? 1 + (int)rng_below(rng, 2) : 0;
		ask->wait = (int)rng_below(rng, 5) - 1;
		ask->is_alone = rng_below(rng, 6) == 0;
		ask->het = i > 0 && state->asks[i - 1].het >= 0 && rng_below(rng, 3) > 0
				   ? state->asks[i - 1].het
			   : rng_below(rng, 4) == 0 ? i
						    : -1;
		ask->shares = ask->shares && !ask->is_alone;
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
			.sensitivity = NAN,
			.cpus = ask->cpus,
			.gpus = ask->gpus,
			.memory_bytes = ask->memory,
			.gpu_type = ask->type >= 0 ? types[ask->type] : NULL,
			.leaf_switches = ask->few,
			.switch_wait_ns = ask->wait >= 0 ? ask->wait : JOB_NO_TIME,
			.het_job = ask->het >= 0 ? het_names[ask->het] : NULL,
			.exclusive_topo = ask->is_alone,
			.asks_share = ask->shares,
			.is_shared = ask->shares,
		};
		if (books && i < 2 && has_times && book(state, i, rng)) {
			ask->is_booked = true;
			ask->het = -1;
			state->jobs[i].het_job = NULL;
			state->jobs[i].nodelist = state->lists[i];
			state->jobs[i].start_ns = 0;
			continue;
		}
		draw_names(state, schedule, i, rng);
	}
}

static bool try(struct topo *topo, struct rng *rng)
{
	struct state state = {
		.topo = topo,
		.policy = policies[rng_below(rng, sizeof(policies) / sizeof(policies[0]))],
		.queue = (int)rng_below(rng, NQUEUES),
		.nnodes = topo->nnodes};
	struct schedule schedule;
	struct alloc alloc;
	struct pick policy, queue;
	struct err err = {""};
	int status;

	CHECK(pick_parse(&policy, &alloc_policies, state.policy, &err) == 0);
	CHECK(pick_parse(&queue, &queues, queue_of[state.queue], &err) == 0);
	CHECK(alloc_open(&alloc, &policy, topo, false, &err) == 0);
	schedule_init(&schedule, topo, &alloc, &queue);
	draw_nodes(&state, &schedule, rng);
	schedule.seed = rng_u64(rng);
	schedule_ready(&schedule);
	draw_jobs(&state, &schedule, rng);
	for (int i = 0; i < state.njobs && state.queue == QUEUE_CONSERVATIVE; i++)
		if (!state.asks[i].is_booked)
			state.asks[i].shares = state.jobs[i].asks_share = false;
	status = schedule_run(&schedule, state.jobs, state.outcomes, state.njobs, &err);
	if (status == 0)
		judge(&state);
	else
		fail(&state, 0, err.msg);
	for (int i = 0; i < state.njobs; i++)
		outcome_free(&state.outcomes[i]);
	schedule_free(&schedule);
	alloc_close(&alloc);
	pick_free(&policy);
	pick_free(&queue);
	return true;
}

int main(int argc, char **argv)
{
	struct topo *topos[sizeof(machines) / sizeof(machines[0])];
	struct rng rng = rng_make(1, "shares", NULL, "shares");
	int64_t count = 4000, ntried = 0;
	struct err err;

	if (argc > 1 && num_int(argv[1], 1, INT64_MAX, &count) != 0)
		return 2;
	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++)
		CHECK_INT(topo_load(&topos[m], machines[m], &err), 0);
	for (; ntried < count && check_nfailed == 0; ntried++)
		try(topos[rng_below(&rng, sizeof(machines) / sizeof(machines[0]))], &rng);
	printf("# %lld states with resources: %lld jobs placed, %lld of them with parts of nodes, "
	       "%lld on few leaf switches, %lld alone on theirs, %lld without nodes\n",
	       (long long)ntried, (long long)nplaced, (long long)nshared, (long long)nfew,
	       (long long)nalone, (long long)nrefused);
	CHECK(ntogether > 0 && nfew > 0 && nalone > 0 && nshared > 0 && nrefused > 0);
	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++)
		topo_free(topos[m]);
	return check_done();
}
