/* states.c - random machines with I/O nodes, policies, constraints and queues: every schedule is
 * judged by the definitions of placetools-constraints(7) alone, by brute force over sets of nodes
 *
 *	states [COUNT]		COUNT states (default: a few); prints how many there were */
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "check.h"
#include "field.h"
#include "place/queue/queue.h"
#include "place/run/confine.h"

enum { JOBS_MOST = 5, NO_SET = 1 << 20 };

static const char *const constraint_of[] = {NULL,      "connected", "contiguous",   "proximate",
					    "compact", "clusters",  "linkdisjoint", "local"};
enum {
	NONE,
	CONNECTED,
	CONTIGUOUS,
	PROXIMATE,
	COMPACT,
	CLUSTERS,
	LINKDISJOINT,
	LOCAL,
	NCONSTRAINTS
};
static const char *const queue_of[] = {"none",         "fcfs",
				       "easy",         "easy:reserve=nodes",
				       "conservative", "conservative:reserve=nodes",
				       "level-fit"};
enum { QUEUE_NONE, QUEUE_FCFS, NQUEUES = 7 };

struct state {
	const struct field *field;
	const struct alloc_policy *policy;
	int constraint, queue;
	unsigned idle, in_service; /* at the beginning; in_service: may ever be given out */
	struct job jobs[JOBS_MOST];
	struct outcome outcomes[JOBS_MOST];
	unsigned nodes[JOBS_MOST], io[JOBS_MOST]; /* that they got */
	int njobs;
};

static int64_t nplaced, nforever;

/* ---- the definitions ---- */

/* Def. 3: one piece, possibly together with separate I/O nodes. */
static bool is_connected(const struct field *field, unsigned set)
{
	unsigned all = set | field->separate, piece = set & -set, before = 0;

	while (field->is_direct && piece != before) {
		before = piece;
		for (int a = 0; a < field->n; a++)
			for (int b = 0; b < field->n; b++)
				if (before >> a & 1 && all >> b & 1 && field->distance[a][b] <= 1)
					piece |= 1u << b;
	}
	return !field->is_direct || (set & ~piece) == 0;
}

/* Def. 5: consecutive by label among the nodes that compute; on a ring also past the last one. */
static bool is_contiguous(const struct field *field, unsigned set)
{
	int order[NODES_MOST], n = 0, nbegins = 0;

	for (int node = 0; node < field->n; node++)
		if ((field->separate >> node & 1) == 0)
			order[n++] = node;
	for (int i = 0; i < n; i++) {
		bool before = i > 0            ? set >> order[i - 1] & 1
			      : field->is_ring ? set >> order[n - 1] & 1
					       : false;

		nbegins += (set >> order[i] & 1) && !before;
	}
	return nbegins <= 1;
}

static int count_routers(const struct field *field, unsigned set)
{
	int n = 0;

	for (int r = 0; r < field->topo->nrouters; r++) {
		bool has = false;

		for (int node = 0; node < field->n; node++)
			has = has || (set >> node & 1 && field->topo->router_of[node] == r);
		n += has;
	}
	return n;
}

/* What is to be small, of a set. */
static int cost(const struct field *field, int constraint, unsigned set)
{
	return constraint == COMPACT     ? field->sum[set]
	       : constraint == PROXIMATE ? field->widest[set]
	       : constraint == CLUSTERS  ? count_routers(field, set)
					 : 0;
}

static bool is_allowed(const struct field *field, int constraint, unsigned set)
{
	return constraint == CONNECTED || constraint == LOCAL ? is_connected(field, set)
	       : constraint == CONTIGUOUS                     ? is_contiguous(field, set)
							      : true;
}

/* The least cost of n nodes among those of a set; *exists: whether any n of them are allowed at
 * that cost or the bound given. */
static int least(const struct state *state, unsigned among, int n)
{
	int found = NO_SET;

	for (unsigned set = among;; set = (set - 1) & among) {
		if (__builtin_popcount(set) == n &&
		    is_allowed(state->field, state->constraint, set)) {
			int here = cost(state->field, state->constraint, set);

			found = here < found ? here : found;
		}
		if (set == 0)
			break;
	}
	return found;
}

/* ---- judging a schedule ---- */

/* A node list as a set; *n: how many names it has. */
static unsigned read_set(const struct field *field, const char *list, int *n)
{
	int_vec nodes = {0};
	unsigned set = 0;
	struct err err;

	if (list != NULL)
		CHECK(topo_nodelist_read(field->topo, list, &nodes, &err) == 0);
	for (size_t i = 0; i < nodes.n; i++)
		set |= 1u << nodes.at[i];
	*n = (int)nodes.n;
	free(nodes.at);
	return set;
}

static void fail(const struct state *state, int job, const char *what)
{
	printf("%s io=%x%s%s policy=%s constraint=%s queue=%s idle=%x service=%x: job %d of %d: "
	       "%s\n",
	       state->field->spec, state->field->io, state->field->separate ? " separate" : "",
	       state->field->is_exclusive ? " exclusive" : "", state->policy->entry.name,
	       state->constraint != NONE ? constraint_of[state->constraint] : "-",
	       queue_of[state->queue], state->idle, state->in_service, job, state->njobs, what);
	for (int i = 0; i < state->njobs; i++)
		printf("\tjob %d: %d nodes, %d io, submit %lld, runtime %lld: %x from %lld\n", i,
		       state->jobs[i].nnodes, state->jobs[i].io_nodes,
		       (long long)state->jobs[i].submit_ns, (long long)state->jobs[i].runtime_ns,
		       state->nodes[i], (long long)state->outcomes[i].start_ns);
	check_nfailed++;
}

static bool runs_beside(const struct outcome *a, const struct outcome *b)
{
	if (a->start_ns == JOB_NO_TIME || b->start_ns == JOB_NO_TIME)
		return true; /* nobody ends */
	return a->start_ns < b->end_ns && b->start_ns < a->end_ns;
}

/* The channels of the routes between a set's nodes. */
static void mark_links(const struct field *field, unsigned set, struct routing *routing,
		       bool *is_used)
{
	int_vec path = {0};

	for (int a = 0; a < field->n; a++)
		for (int b = 0; b < field->n; b++)
			if (a != b && set >> a & 1 && set >> b & 1)
				route_path(routing, a, b, &path);
	for (size_t i = 0; i < path.n; i++)
		is_used[path.at[i] / 2] = true;
	free(path.at);
}

static bool share_links(const struct field *field, unsigned a, unsigned b)
{
	int64_t nlinks = topo_graph(field->topo)->nlinks;
	bool *by_a = xcalloc((size_t)nlinks, sizeof(bool)), share = false;
	bool *by_b = xcalloc((size_t)nlinks, sizeof(bool));
	struct routing *routing;
	struct err err;

	CHECK(routing_open(&routing, field->topo, NULL, &err) == 0);
	mark_links(field, a, routing, by_a);
	mark_links(field, b, routing, by_b);
	for (int64_t i = 0; i < nlinks; i++)
		share = share || (by_a[i] && by_b[i]);
	routing_close(routing);
	free(by_a);
	free(by_b);
	return share;
}

/* The I/O nodes of a job: as many as asked for, each of the machine's, each once. */
static void judge_io(const struct state *state, int i)
{
	const struct field *field = state->field;
	unsigned io = state->io[i];

	if (__builtin_popcount(io) != state->jobs[i].io_nodes || (io & ~field->io) != 0)
		fail(state, i, "its I/O nodes are not what it asked for");
	for (int point = 0; point < field->n && state->constraint == LOCAL; point++) {
		bool is_near = !field->is_direct || (io >> point & 1) == 0;

		for (int node = 0; node < field->n; node++)
			is_near = is_near || (state->nodes[i] >> node & 1 &&
					      field->distance[node][point] <= 1);
		if (!is_near)
			fail(state, i, "an I/O node is not local");
	}
}

static void judge_job(const struct state *state, int i)
{
	const struct outcome *outcome = &state->outcomes[i];
	const struct job *job = &state->jobs[i];
	unsigned set = state->nodes[i];

	nplaced++;
	if (outcome->nnodes != job->nnodes || __builtin_popcount(set) != job->nnodes)
		fail(state, i, "it has not as many nodes as it asked for");
	if ((set & ~state->idle) != 0)
		fail(state, i, "it has a node that was not idle");
	if (!is_allowed(state->field, state->constraint, set))
		fail(state, i, "its nodes break the constraint");
	if (cost(state->field, state->constraint, set) >
	    least(state, state->in_service, job->nnodes))
		fail(state, i, "its nodes are not the best in service");
	if (job->submit_ns != JOB_NO_TIME && outcome->start_ns < job->submit_ns)
		fail(state, i, "it starts before it was submitted");
	if (outcome->start_ns != JOB_NO_TIME &&
	    outcome->end_ns != outcome->start_ns + job->runtime_ns)
		fail(state, i, "it does not run as long as it does");
	for (int k = 0; k < i; k++) {
		unsigned other = state->nodes[k];

		if (!state->outcomes[k].is_placed || !runs_beside(outcome, &state->outcomes[k]))
			continue;
		if ((set & other) != 0)
			fail(state, i, "a node has two jobs");
		if (state->field->is_exclusive && (state->io[i] & state->io[k]) != 0)
			fail(state, i, "an exclusive I/O node has two jobs");
		if (state->constraint == LINKDISJOINT && share_links(state->field, set, other))
			fail(state, i, "a link has two jobs");
	}
}

/* Jobs start when one comes or one ends; under fcfs in the order in which they came. */
static void judge_starts(const struct state *state)
{
	for (int i = 0; i < state->njobs && state->queue != QUEUE_NONE; i++) {
		const struct outcome *outcome = &state->outcomes[i];
		bool is_event = outcome->start_ns == state->jobs[i].submit_ns;

		if (!outcome->is_placed)
			continue;
		for (int k = 0; k < state->njobs; k++) {
			const struct outcome *other = &state->outcomes[k];
			bool is_first =
				state->jobs[k].submit_ns < state->jobs[i].submit_ns ||
				(state->jobs[k].submit_ns == state->jobs[i].submit_ns && k < i);

			is_event = is_event || state->jobs[k].submit_ns == outcome->start_ns ||
				   (other->is_placed && other->end_ns == outcome->start_ns);
			if (state->queue == QUEUE_FCFS && is_first && other->is_placed &&
			    other->start_ns > outcome->start_ns)
				fail(state, i, "it overtakes another one");
		}
		if (!is_event)
			fail(state, i, "it starts when nothing happens");
	}
}

/* A job that has no nodes for ever had none to get: of those that wait in a queue one at least had
 * none on the machine without jobs; without a queue each had none beside those before it. */
static void judge_waiting(const struct state *state)
{
	unsigned idle = state->idle;

	if (state->policy->may_refuse || state->constraint == LINKDISJOINT)
		return;
	for (int i = 0; i < state->njobs; i++) {
		const struct job *job = &state->jobs[i];
		bool can_be;

		if (job->io_nodes > 0)
			return; /* they decide, too */
		if (state->outcomes[i].is_placed) {
			if (state->queue == QUEUE_NONE)
				idle &= ~state->nodes[i];
			continue;
		}
		nforever++;
		can_be = least(state, idle, job->nnodes) <=
				 least(state, state->in_service, job->nnodes) &&
			 least(state, idle, job->nnodes) < NO_SET;
		if (state->queue == QUEUE_NONE && can_be)
			fail(state, i, "it has no nodes, but could have some");
	}
}

/* In a queue everybody comes to the turn unless one before can't: the first that never starts had
 * no nodes. */
static void judge_queue(const struct state *state)
{
	bool some = false, some_hopeless = false;

	if (state->queue == QUEUE_NONE || state->policy->may_refuse ||
	    state->constraint == LINKDISJOINT)
		return;
	for (int i = 0; i < state->njobs; i++) {
		int n = state->jobs[i].nnodes;

		if (state->jobs[i].io_nodes > 0)
			return;
		if (state->outcomes[i].is_placed)
			continue;
		some = true;
		some_hopeless = some_hopeless || least(state, state->idle, n) == NO_SET ||
				least(state, state->idle, n) > least(state, state->in_service, n);
	}
	if (some && !some_hopeless)
		fail(state, 0, "nobody waits for nodes that are not there, and yet somebody waits");
}

/* ---- one state ---- */

static void draw_jobs(struct state *state, struct rng *rng)
{
	static const char *const names[JOBS_MOST] = {"a", "b", "c", "d", "e"};
	bool asks_io = state->field->io != 0 &&
		       (state->constraint == NONE || state->constraint == LOCAL) &&
		       rng_below(rng, 2) == 0;
	int64_t submit = 0;

	state->njobs = 1 + (int)rng_below(rng, JOBS_MOST);
	for (int i = 0; i < state->njobs; i++) {
		int64_t length = 1 + (int64_t)rng_below(rng, 5);

		submit += (int64_t)rng_below(rng, 3);
		state->jobs[i] = (struct job){
			.name = names[i],
			.nnodes = 1 + (int)rng_below(rng, (uint64_t)(state->field->n + 1) / 2 + 1),
			.submit_ns = state->queue == QUEUE_NONE ? JOB_NO_TIME : submit,
			.runtime_ns = state->queue == QUEUE_NONE ? JOB_NO_TIME : length,
			.walltime_ns = state->queue == QUEUE_NONE
					       ? JOB_NO_TIME
					       : length + (int64_t)rng_below(rng, 2),
			.start_ns = JOB_NO_TIME,
			.end_ns = JOB_NO_TIME,
			.sensitivity = NAN,
			.io_nodes = asks_io ? (int)rng_below(rng, 2) : 0,
		};
	}
}

static void draw_uses(struct state *state, struct rng *rng, unsigned char *use)
{
	unsigned busy = (unsigned)rng_below(rng, 4), away = (unsigned)rng_below(rng, 3);

	for (int node = 0; node < state->field->n; node++)
		use[node] = rng_below(rng, 8) < busy   ? NODE_BUSY
			    : rng_below(rng, 8) < away ? NODE_AWAY
						       : NODE_IDLE;
	for (int node = 0; node < state->field->n; node++)
		if ((state->field->separate >> node & 1) == 0) {
			state->idle |= (unsigned)(use[node] == NODE_IDLE) << node;
			state->in_service |= (unsigned)(use[node] != NODE_AWAY) << node;
		}
}

static void judge(struct state *state)
{
	int n;

	for (int i = 0; i < state->njobs; i++) {
		const struct outcome *outcome = &state->outcomes[i];

		if (!outcome->is_placed)
			continue;
		state->nodes[i] = read_set(state->field, outcome->nodelist, &n);
		state->io[i] = read_set(state->field, outcome->io_nodelist, &n);
	}
	for (int i = 0; i < state->njobs; i++)
		if (state->outcomes[i].is_placed) {
			judge_io(state, i);
			judge_job(state, i);
		}
	judge_starts(state);
	judge_waiting(state);
	judge_queue(state);
	check_ndone++;
}

/* Whether allocate takes the two together. */
static bool is_offered(const struct state *state)
{
	return state->field->is_direct || state->constraint != CONNECTED;
}

static bool try(const struct field *field, const struct pick *policy, struct rng *rng)
{
	struct state state = {.field = field,
			      .policy = (const struct alloc_policy *)policy->entry,
			      .constraint = (int)rng_below(rng, NCONSTRAINTS),
			      .queue = (int)rng_below(rng, NQUEUES)};
	const char *text = constraint_of[state.constraint];
	struct schedule schedule;
	struct alloc alloc;
	struct pick queue;
	struct err err = {""};
	int status;

	if (!is_offered(&state) || alloc_open(&alloc, policy, field->topo, false, &err) != 0)
		return false;
	CHECK(pick_parse(&queue, &queues, queue_of[state.queue], &err) == 0);
	schedule_init(&schedule, field->topo, &alloc, &queue);
	draw_uses(&state, rng, schedule.use);
	schedule.seed = rng_u64(rng);
	schedule_ready(&schedule);
	draw_jobs(&state, rng);
	status = confine_open(&schedule.confine, field->topo, &text, text != NULL, NULL,
			      schedule.use, &err);
	if (status == 0)
		status = schedule_run(&schedule, state.jobs, state.outcomes, state.njobs, &err);
	if (status == 0)
		judge(&state);
	else
		fail(&state, 0, err.msg);
	for (int i = 0; i < state.njobs; i++)
		outcome_free(&state.outcomes[i]);
	confine_close(schedule.confine);
	schedule_free(&schedule);
	alloc_close(&alloc);
	pick_free(&queue);
	return true;
}

static const struct {
	const char *spec, *io;
	bool is_separate, is_exclusive;
} machines[] = {
	{"line:nodes=9", NULL, false, false},
	{"line:nodes=9", "n[2,6]", true, false},
	{"ring:nodes=8", NULL, false, false},
	{"ring:nodes=9", "n[0,4]", true, true},
	{"mesh:dims=3x3", NULL, false, false},
	{"mesh:dims=3x3", "n[4]", true, false},
	{"mesh:dims=2x2,per-router=2", "n[1,6]", false, true},
	{"torus:dims=3x3", "n[1,5]", false, false},
	{"hypercube:dims=3", "n[0,7]", true, true},
	{"complete:nodes=7", "n[3]", true, false},
	{"dragonfly:groups=3,routers=2,nodes=1", NULL, false, false},
	{"dragonfly:groups=2,routers=2,nodes=2", "n[3,4]", true, false},
	{"tree:arity=3x3", NULL, false, false},
	{"tree:arity=2x2x2", "n[2,5]", true, true},
	{"fattree:k=2,levels=3", "n[1]", false, false},
};
enum { NMACHINES = sizeof(machines) / sizeof(machines[0]) };

int main(int argc, char **argv)
{
	static struct field fields[NMACHINES];
	struct rng rng = rng_make(1, "states", NULL, NULL);
	struct pick policies[64];
	int64_t count = 4000, ntried = 0;
	int npolicies = 0;
	struct err err;

	if (argc > 1 && num_int(argv[1], 1, INT64_MAX, &count) != 0)
		return 2;
	for (int m = 0; m < NMACHINES; m++)
		field_open(&fields[m], machines[m].spec, machines[m].io, machines[m].is_separate,
			   machines[m].is_exclusive);
	for (int p = 0; p < alloc_policies.n && npolicies < 64; p++) {
		const struct entry *entry = alloc_policies.entries[p];

		if (((const struct alloc_policy *)entry)->wants_traffic ||
		    strcmp(entry->name, "file") == 0)
			continue;
		CHECK(pick_parse(&policies[npolicies++], &alloc_policies, entry->example, &err) ==
		      0);
	}
	while (ntried < count && check_nfailed == 0) {
		const struct field *field = &fields[rng_below(&rng, NMACHINES)];

		ntried += try(field, &policies[rng_below(&rng, (uint64_t)npolicies)], &rng);
	}
	printf("# %lld states of %d machines, %d policies, %d constraints, %d queues: %lld jobs "
	       "placed, %lld that never start\n",
	       (long long)ntried, NMACHINES, npolicies, NCONSTRAINTS - 1, NQUEUES,
	       (long long)nplaced, (long long)nforever);
	for (int p = 0; p < npolicies; p++)
		pick_free(&policies[p]);
	for (int m = 0; m < NMACHINES; m++)
		topo_free(fields[m].topo);
	return check_done();
}
