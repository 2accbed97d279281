/* jokanovic.c - small jobs in one group on one side of the machine, large ones on the other */
#include <stdlib.h>

#include "place/policy/policy.h"

/*
 * Groups before the boundary are for jobs that are smaller than a group. It is behind the last
 * group at first, moves down to the lowest group that a large job got nodes of, and up behind the
 * group of a small job that found no room before it.
 */
struct sides {
	int tier, ngroups;
	int nodes_of_group; /* of the largest one */
	int boundary;
	int *group_of; /* [nnodes] */
	int_vec found; /* for bug=sst */
};

static int jokanovic_open(struct alloc *alloc, struct err *err)
{
	const struct topo *topo = alloc->topo;
	int tier = alloc_group_tier(alloc, err), *count;
	struct sides *sides;

	if (tier < 0)
		return -1;
	sides = xcalloc(1, sizeof(*sides));
	alloc->state = sides;
	sides->tier = tier;
	sides->ngroups = sides->boundary = topo->tiers[tier].n;
	sides->group_of = xcalloc((size_t)topo->nnodes, sizeof(*sides->group_of));
	count = xcalloc((size_t)sides->ngroups, sizeof(*count));
	for (int node = 0; node < topo->nnodes; node++) {
		int group = topo_domain(topo, node, tier);

		sides->group_of[node] = group;
		if (++count[group] > sides->nodes_of_group)
			sides->nodes_of_group = count[group];
	}
	free(count);
	return 0;
}

static void close(struct alloc *alloc)
{
	struct sides *sides = alloc->state;

	if (sides == NULL)
		return;
	free(sides->group_of);
	free(sides->found.at);
	free(sides);
}

/* The first of groups 0 … end - 1 that has room, or -1. */
static int first_fit(const struct machine *machine, const struct sides *sides, int end, int wanted)
{
	for (int g = 0; g < end; g++)
		if (machine->nidle_of[sides->tier][g] >= wanted)
			return g;
	return -1;
}

static void take_group(const struct alloc_request *request, const struct sides *sides, int group,
		       int_vec *nodes)
{
	while (nodes->n < (size_t)request->job->nnodes)
		alloc_take(request, alloc_first_idle(request->machine, sides->tier, group), nodes);
}

/* The first idle nodes of groups 0 … end - 1. */
static void take_first(const struct alloc_request *request, const struct sides *sides, int end,
		       int_vec *nodes)
{
	for (int node = -1; nodes->n < (size_t)request->job->nnodes;) {
		node = bitset_next(&request->machine->idle, node + 1);
		if (sides->group_of[node] < end)
			alloc_take(request, node, nodes);
	}
}

static void take_last(const struct alloc_request *request, int_vec *nodes)
{
	for (int node = request->machine->nnodes; nodes->n < (size_t)request->job->nnodes;) {
		node = bitset_prev(&request->machine->idle, node - 1);
		alloc_take(request, node, nodes);
	}
}

/* A group that fits was found by the authors' code and then written over, in place, by the first
 * idle nodes outside it, as far as there are any. */
static void take_as_sst(const struct alloc_request *request, struct sides *sides, int group,
			int_vec *nodes)
{
	const struct machine *machine = request->machine;
	size_t wanted = (size_t)request->job->nnodes, inside = 0, n = 0;
	int_vec *found = &sides->found;

	found->n = 0;
	for (int node = bitset_next(&machine->idle, 0); node >= 0 && found->n < wanted;
	     node = bitset_next(&machine->idle, node + 1))
		if (sides->group_of[node] == group)
			vec_push(found, node);
	for (int node = bitset_next(&machine->idle, 0); node >= 0 && n < wanted;
	     node = bitset_next(&machine->idle, node + 1)) {
		if (inside < wanted && found->at[inside] == node) {
			inside++;
			continue;
		}
		vec_push(nodes, node);
		n++;
	}
	for (; n < wanted; n++)
		vec_push(nodes, found->at[n]);
	for (size_t i = 0; i < wanted; i++)
		machine_take(request->machine, nodes->at[i]);
}

static void choose_small(const struct alloc *alloc, const struct alloc_request *request,
			 struct sides *sides, int_vec *nodes, struct buf *reason)
{
	const struct machine *machine = request->machine;
	int wanted = request->job->nnodes, before = 0, group;
	bool is_sst = pick_is(alloc->pick, "bug", "sst");
	bool is_dynamic = !is_sst && pick_is(alloc->pick, "boundary", "dynamic");

	if (is_dynamic) {
		group = first_fit(machine, sides, sides->boundary, wanted);
		for (int g = 0; g < sides->boundary; g++)
			before += machine->nidle_of[sides->tier][g];
		if (group < 0 && before >= wanted) {
			buf_printf(reason, "small: over groups before %d", sides->boundary);
			take_first(request, sides, sides->boundary, nodes);
			return;
		}
	}
	group = first_fit(machine, sides, sides->ngroups, wanted);
	if (group < 0) {
		buf_str(reason, "small: no group has room");
		take_first(request, sides, sides->ngroups, nodes);
		return;
	}
	buf_printf(reason, "small: group %d", group);
	if (is_sst)
		take_as_sst(request, sides, group, nodes);
	else
		take_group(request, sides, group, nodes);
}

static bool is_large(const struct alloc *alloc, const struct sides *sides, int wanted)
{
	int most = sides->nodes_of_group - (pick_is(alloc->pick, "bug", "sst") ? 0 : 1);

	return wanted > most;
}

static int choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		  struct buf *reason, struct err *err)
{
	struct sides *sides = alloc->state;

	(void)err;
	if (is_large(alloc, sides, request->job->nnodes)) {
		buf_str(reason, "large: from the end");
		take_last(request, nodes);
	} else {
		choose_small(alloc, request, sides, nodes, reason);
	}
	return 1;
}

static void restart(struct alloc *alloc)
{
	struct sides *sides = alloc->state;

	sides->boundary = sides->ngroups;
}

static void placed(struct alloc *alloc, const struct alloc_request *request, const int_vec *nodes)
{
	struct sides *sides = alloc->state;
	bool large = is_large(alloc, sides, request->job->nnodes);

	for (size_t i = 0; i < nodes->n; i++) {
		int group = sides->group_of[nodes->at[i]];

		if (large && group < sides->boundary)
			sides->boundary = group;
		if (!large && group >= sides->boundary)
			sides->boundary = group + 1;
	}
}

const struct alloc_policy alloc_policy_jokanovic = {
	.entry =
		{
			.name = "jokanovic",
			.example = "jokanovic",
			.summary = "jobs smaller than a group in the first group that can "
				   "hold them before a moving boundary, larger jobs on the "
				   "last idle nodes",
			.paper = "Jokanovic et al., Quiet Neighborhoods; Zhang et al., "
				 "Level-Spread, §IV and §VI-F",
			.params =
				(const struct param[]){
					{.key = "boundary",
					 .type = PARAM_WORD,
					 .choices = "dynamic|static",
					 .def = "dynamic",
					 .meaning = "static: small jobs go to the first group"
						    " anywhere that can hold them, else to "
						    "the first idle nodes"},
					{.key = "bug",
					 .type = PARAM_WORD,
					 .choices = "none|sst",
					 .def = "none",
					 .meaning = "sst: like the authors' code, bug for "
						    "bug, without a boundary"},
					{0}},
		},
	.open = jokanovic_open,
	.close = close,
	.restart = restart,
	.placed = placed,
	.choose = choose,
};
