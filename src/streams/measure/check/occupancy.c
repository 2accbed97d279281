/* occupancy.c - who has which node when: the jobs of a run in the order of their starts */
#include "measure/check/occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/check/blocks_alone.h"
#include "measure/check/capacity.h"
#include "base/num.h"
#include "base/str.h"

void occupancy_free(struct occupancy *occupancy)
{
	map_free(&occupancy->runs);
	map_free(&occupancy->policies);
	name_numbers_free(&occupancy->nodes);
	vec_free(&occupancy->marks);
	vec_free(&occupancy->jobs);
	vec_free(&occupancy->ranges);
	vec_free(&occupancy->needs);
	map_free(&occupancy->gpu_type_ids);
	vec_free(&occupancy->gpu_types);
	arena_free(&occupancy->arena);
}

/* By run, policy and start. */
static int by_start(const void *a, const void *b)
{
	const struct occupant *x = a, *y = b;

	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	if (x->policy != y->policy)
		return x->policy < y->policy ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	/* what takes no time has its nodes before another gets them */
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

/* Of each node, the job that has it longest so far in the sweep of that number. */
struct holder {
	int sweep, job;
};

/* The nodes that a job shares with one other at one time. */
struct clash {
	int other, node, n;
};
typedef VEC(struct clash) clash_vec;

static void add_clash(clash_vec *clashes, int other, int node)
{
	for (size_t i = clashes->n; i-- > 0;)
		if (clashes->at[i].other == other) {
			clashes->at[i].n++;
			return;
		}
	vec_push(clashes, (struct clash){other, node, 1});
}

static void tell_clashes(struct occupancy *occupancy, struct checking *checking,
			 const struct occupant *job, const clash_vec *clashes)
{
	for (size_t i = 0; i < clashes->n; i++) {
		const struct clash *clash = &clashes->at[i];
		const struct occupant *other = &occupancy->jobs.at[clash->other];
		char end[NUM_TEXT] = "never", more[64] = "";

		if (other->end_ns != INT64_MAX)
			num_print_seconds(end, other->end_ns);
		if (clash->n > 1)
			snprintf(more, sizeof(more), " and %d more nodes", clash->n - 1);
		if (checking->findings->overused != NULL)
			checking->findings->overused(
				checking->findings->context,
				&(struct overuse){
					.job = job->name,
					.node = occupancy->nodes.names.at[clash->node].text,
					.at_ns = job->start_ns,
					.other = other->name,
					.nnodes = clash->n});
		found_in(checking, job->file, job->line,
			 "nodelist: job %s has %s%s while job %s does (line %ld, it ends: %s)",
			 job->name, occupancy->nodes.names.at[clash->node].text, more, other->name,
			 other->line, end);
	}
}

/* One pass over the jobs of a policy and those that came with their nodes, in the order
 * of starts. */
struct sweep {
	struct occupancy *occupancy;
	struct checking *checking;
	struct holder *holders; /* [nodes.names.n] */
	clash_vec clashes;
	int number;
};

/* A node that was not idle may be given once a job that came with it has ended. */
static void check_idle(const struct sweep *sweep, const struct occupant *job, int node,
		       bool was_held)
{
	const struct occupancy *occupancy = sweep->occupancy;
	unsigned marks = occupancy->marks.at[node];
	struct node_state state;
	const char *name;

	if (!job->is_given || (marks & NODE_IS_IDLE) != 0 ||
	    ((was_held || occupancy->is_replay) && (marks & NODE_IS_USABLE) != 0))
		return;
	name = occupancy->nodes.names.at[node].text;
	state = node_states_of(sweep->checking->states, name);
	/* there may be room beside those that have it: capacity_check knows */
	if (job->is_shared && state.is_usable && state.cpus_used >= 0)
		return;
	found_in(sweep->checking, job->file, job->line, "nodelist: %s is not idle but %s", name,
		 state.word);
}

static void enter_node(struct sweep *sweep, int i, int node, bool among_booked)
{
	const struct occupant *jobs = sweep->occupancy->jobs.at, *job = &jobs[i], *other;
	struct holder *holder = &sweep->holders[node];
	bool was_held = holder->sweep == sweep->number;

	check_idle(sweep, job, node, was_held);
	if (!was_held) {
		*holder = (struct holder){sweep->number, i};
		return;
	}
	other = &jobs[holder->job];
	/* those that came with their nodes are compared in a separate sweep */
	if (other->end_ns > job->start_ns && !(job->is_shared && other->is_shared) &&
	    (among_booked || job->policy != 0 || other->policy != 0))
		add_clash(&sweep->clashes, holder->job, node);
	if (job->end_ns >= other->end_ns)
		holder->job = i;
}

static void enter(struct sweep *sweep, size_t i, bool among_booked)
{
	const struct occupant *job = &sweep->occupancy->jobs.at[i];

	sweep->clashes.n = 0;
	for (size_t k = job->first; k < job->first + job->n; k++) {
		struct node_range range = sweep->occupancy->ranges.at[k];

		for (int node = range.first; node <= range.last; node++)
			enter_node(sweep, (int)i, node, among_booked);
	}
	tell_clashes(sweep->occupancy, sweep->checking, job, &sweep->clashes);
}

/* booked … nbooked - 1 came with their nodes, from … to - 1 were placed by one policy. */
static void sweep_one(struct sweep *sweep, size_t booked, size_t nbooked, size_t from, size_t to)
{
	const struct occupant *jobs = sweep->occupancy->jobs.at;
	bool among_booked = from == to;

	sweep->number++;
	while (booked < nbooked || from < to) {
		if (from == to ||
		    (booked < nbooked && jobs[booked].start_ns <= jobs[from].start_ns))
			enter(sweep, booked++, among_booked);
		else
			enter(sweep, from++, among_booked);
	}
}

void occupancy_check(struct occupancy *occupancy, struct checking *checking)
{
	struct sweep sweep = {.occupancy = occupancy, .checking = checking};
	struct occupant *jobs = occupancy->jobs.at;
	size_t n = occupancy->jobs.n, booked = 0, nbooked = 0;

	sweep.holders = xcalloc(occupancy->nodes.names.n, sizeof(*sweep.holders));
	if (n > 0)
		qsort(jobs, n, sizeof(*jobs), by_start);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1; to < n && jobs[to].run == jobs[from].run &&
				    jobs[to].policy == jobs[from].policy;)
			to++;
		if (jobs[from].policy == 0) {
			booked = from;
			nbooked = to;
			sweep_one(&sweep, from, to, to, to);
			blocks_alone_check(occupancy, checking, from, to, to, to);
			if (occupancy->needs.n > 0)
				capacity_check(occupancy, checking, from, to, to, to);
			continue;
		}
		if (nbooked == 0 || jobs[booked].run != jobs[from].run)
			booked = nbooked = 0;
		sweep_one(&sweep, booked, nbooked, from, to);
		blocks_alone_check(occupancy, checking, booked, nbooked, from, to);
		if (occupancy->needs.n > 0)
			capacity_check(occupancy, checking, booked, nbooked, from, to);
	}
	free(sweep.holders);
	free(sweep.clashes.at);
}
