/* linkdisjoint.c - nodes whose messages share no link with those of the jobs that run */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/constraint.h"

/*
 * Two idle nodes go together if the routes between them have no cable that is on a route of a job
 * that runs. The sets are the cliques of this relation; finding one of a given size is NP-hard.
 */
struct disjoint {
	const struct space *space;
	struct search *search;
	bool *is_used; /* [nlinks] */
	int_vec path, set;
};

/* Whether a route has a used cable; or (note) its cables are used from now on. −1: out of steps. */
static int walk(struct disjoint *disjoint, int a, int b, bool note)
{
	disjoint->path.n = 0;
	if (route_path(disjoint->space->routing, a, b, &disjoint->path) < 0)
		return 1;
	for (size_t i = 0; i < disjoint->path.n; i++) {
		if (note)
			disjoint->is_used[disjoint->path.at[i] / 2] = true;
		else if (disjoint->is_used[disjoint->path.at[i] / 2])
			return 1;
	}
	return search_spend(disjoint->search, (int64_t)disjoint->path.n) ? 0 : -1;
}

/* 1: they go together; 0: they don't; −1: out of steps. */
static int go_together(struct disjoint *disjoint, int a, int b)
{
	int used = walk(disjoint, a, b, false);

	if (used == 0)
		used = walk(disjoint, b, a, false);
	return used < 0 ? -1 : !used;
}

static void open_search(struct disjoint *disjoint, const struct space *space, struct search *search)
{
	int64_t steps = search->steps;

	*disjoint = (struct disjoint){.space = space, .search = search};
	disjoint->is_used = xcalloc((size_t)topo_graph(space->topo)->nlinks + 1, sizeof(bool));
	search->steps = INT64_MAX / 2; /* what runs must be known whole */
	for (int j = 0; j < search->nrunning; j++) {
		const struct constraint_job *job = &search->running[j];

		for (int i = 0; i < job->n; i++)
			for (int k = 0; k < job->n; k++)
				if (i != k)
					walk(disjoint, job->nodes[i], job->nodes[k], true);
	}
	search->steps = steps;
}

static void close_search(struct disjoint *disjoint)
{
	free(disjoint->is_used);
	free(disjoint->path.at);
	free(disjoint->set.at);
}

/* may [n]: nodes that go together with all of the set, by rank; each is taken in turn, and the
 * first whole set ends it where one is enough. */
static int extend(struct disjoint *disjoint, const int *may, int n, bool *found)
{
	struct search *search = disjoint->search;
	size_t wanted = (size_t)search->wanted;
	int end = SEARCH_ALL;

	if (disjoint->set.n == wanted) {
		*found = true;
		return search_exact(search, disjoint->set.at);
	}
	for (int i = 0; i < n && end == SEARCH_ALL; i++) {
		int_vec rest = {0};

		if (disjoint->set.n + (size_t)(n - i) < wanted || (*found && !search->wants_all))
			break;
		for (int k = i + 1; k < n && end == SEARCH_ALL; k++) {
			int together = go_together(disjoint, may[i], may[k]);

			if (together < 0)
				end = SEARCH_BOUND;
			else if (together)
				vec_push(&rest, may[k]);
		}
		vec_push(&disjoint->set, may[i]);
		if (end == SEARCH_ALL)
			end = extend(disjoint, rest.at, (int)rest.n, found);
		disjoint->set.n--;
		free(rest.at);
	}
	return end;
}

/* Nothing is used: anything goes. */
static bool is_empty(const struct disjoint *disjoint)
{
	int64_t n = topo_graph(disjoint->space->topo)->nlinks;

	return memchr(disjoint->is_used, 1, (size_t)n) == NULL;
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct disjoint disjoint;
	int_vec nodes = {0};
	bool found = false;
	int end;

	open_search(&disjoint, constraint->space, search);
	for (int node = -1; (node = bitset_next(&search->machine->idle, node + 1)) >= 0;)
		vec_push(&nodes, node);
	search_sort(search, nodes.at, (int)nodes.n);
	if (is_empty(&disjoint))
		end = search_any(search, nodes.at, (int)nodes.n);
	else
		end = extend(&disjoint, nodes.at, (int)nodes.n, &found);
	close_search(&disjoint);
	free(nodes.at);
	return end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct disjoint disjoint;
	int together = 1;

	open_search(&disjoint, constraint->space, search);
	for (int i = 0; i < search->wanted && together == 1; i++)
		for (int k = 0; k < i && together == 1; k++)
			together = go_together(&disjoint, nodes[i], nodes[k]);
	close_search(&disjoint);
	return together;
}

const struct constraint_type constraint_linkdisjoint = {
	.entry =
		{
			.name = "linkdisjoint",
			.example = "linkdisjoint",
			.summary = "nodes whose messages to each other share no link with those of "
				   "jobs that run at the same time",
			.params = (const struct param[]){CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_CLIQUES,
	.is_bounded = true,
	.reads_running = true,
	.regions = regions,
	.holds = holds,
};
