/* linkdisjoint.c - nodes whose messages share no link with those of the jobs that run */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "machine/route/walk.h"
#include "place/constraint/constraint.h"

enum { JOBS_KEPT = 4096 };

/* The cables that jobs use: found once for a set of nodes. */
struct job_links {
	const struct space *space;
	int nwords;
	bool is_closed;        /* the next router depends on the router and the destination only */
	struct map index;      /* the bytes of the nodes → place */
	VEC(uint64_t *) links; /* [nwords] a bit for each */
	int *seen;             /* [nrouters] the last destination, plus one */
	int_vec path;
};

/*
 * Two idle nodes go together if the routes between them have no cable that is on a route of a job
 * that runs. The sets are the cliques of this relation; finding one of a given size is NP-hard.
 */
struct disjoint {
	const struct space *space;
	struct search *search;
	uint64_t *is_used; /* a bit for each link */
	int_vec path, set;
};

/* ---- the cables of a job ---- */

static void add_channel(uint64_t *links, int channel)
{
	links[channel / 2 / 64] |= 1ULL << (channel / 2 % 64);
}

/* All routes to a node: each goes on until it meets one that was there before. */
static void add_routes_to(struct job_links *known, const int *nodes, int n, int to, uint64_t *links)
{
	const struct topo *topo = known->space->topo;
	const struct topo_graph *graph = topo_graph(known->space->topo);
	int last = topo->router_of[to];

	add_channel(links, graph->channel[graph->first[to]]);
	for (int i = 0; i < n; i++) {
		int router = topo->router_of[nodes[i]];

		while (router != last && known->seen[router] != to + 1) {
			int cable, ncables;
			int next = topo->type->next(topo, router, last, to, &cable);
			int64_t first = walk_cables(graph, topo->nnodes + router,
						    topo->nnodes + next, &ncables);

			known->seen[router] = to + 1;
			add_channel(links, graph->channel[first + cable]);
			router = next;
		}
	}
}

static void add_route(struct job_links *known, int a, int b, uint64_t *links)
{
	known->path.n = 0;
	if (route_path(known->space->routing, a, b, &known->path) < 0)
		return;
	for (size_t i = 0; i < known->path.n; i++)
		add_channel(links, known->path.at[i]);
}

static uint64_t *find_links(struct job_links *known, const int *nodes, int n)
{
	uint64_t *links = xcalloc((size_t)known->nwords, sizeof(*links));

	if (known->is_closed)
		memset(known->seen, 0, (size_t)known->space->topo->nrouters * sizeof(int));
	for (int i = 0; i < n && n > 1; i++) {
		if (known->is_closed) {
			add_routes_to(known, nodes, n, nodes[i], links);
			continue;
		}
		for (int k = 0; k < n; k++)
			if (i != k)
				add_route(known, nodes[k], nodes[i], links);
	}
	return links;
}

static void forget_links(struct job_links *known)
{
	for (size_t i = 0; i < known->links.n; i++)
		free(known->links.at[i]);
	known->links.n = 0;
	map_free(&known->index);
	known->index = (struct map){0};
}

static const uint64_t *links_of(struct job_links *known, const struct constraint_job *job)
{
	size_t bytes = (size_t)job->n * sizeof(int);
	int64_t place = map_get(&known->index, (const char *)job->nodes, bytes);

	if (place >= 0)
		return known->links.at[place];
	if (known->links.n >= JOBS_KEPT)
		forget_links(known);
	map_add(&known->index, (const char *)job->nodes, bytes, (int64_t)known->links.n);
	vec_push(&known->links, find_links(known, job->nodes, job->n));
	return known->links.at[known->links.n - 1];
}

/* Whether every node hangs on one router, by one cable. */
static bool has_one_cable_each(const struct topo *topo, const struct topo_graph *graph)
{
	for (int node = 0; node < topo->nnodes; node++)
		if (graph->first[node + 1] - graph->first[node] != 1)
			return false;
	return true;
}

static int linkdisjoint_open(struct constraint *constraint, struct err *err)
{
	const struct space *space = constraint->space;
	const struct topo_graph *graph = topo_graph(space->topo);
	struct job_links *known = xcalloc(1, sizeof(*known));

	(void)err;
	constraint->state = known;
	known->space = space;
	known->nwords = (int)(graph->nlinks / 64) + 1;
	known->is_closed = space->topo->type->next != NULL && routing_is_closed(space->routing) &&
			   has_one_cable_each(space->topo, graph);
	known->seen = xcalloc((size_t)space->topo->nrouters, sizeof(int));
	return 0;
}

static void close(struct constraint *constraint)
{
	struct job_links *known = constraint->state;

	if (known == NULL)
		return;
	forget_links(known);
	free(known->links.at);
	free(known->seen);
	free(known->path.at);
	free(known);
}

/* ---- nodes that go together ---- */

/* Whether a route has a used cable. −1: out of steps. */
static int walk(struct disjoint *disjoint, int a, int b)
{
	disjoint->path.n = 0;
	if (route_path(disjoint->space->routing, a, b, &disjoint->path) < 0)
		return 1;
	for (size_t i = 0; i < disjoint->path.n; i++) {
		int link = disjoint->path.at[i] / 2;

		if ((disjoint->is_used[link / 64] >> (link % 64) & 1) != 0)
			return 1;
	}
	return search_spend(disjoint->search, (int64_t)disjoint->path.n) ? 0 : -1;
}

/* 1: they go together; 0: they don't; −1: out of steps. */
static int go_together(struct disjoint *disjoint, int a, int b)
{
	int used = walk(disjoint, a, b);

	if (used == 0)
		used = walk(disjoint, b, a);
	return used < 0 ? -1 : !used;
}

static void open_search(struct disjoint *disjoint, struct constraint *constraint,
			struct search *search)
{
	struct job_links *known = constraint->state;

	*disjoint = (struct disjoint){.space = constraint->space, .search = search};
	disjoint->is_used = xcalloc((size_t)known->nwords, sizeof(*disjoint->is_used));
	for (int j = 0; j < search->nrunning; j++) {
		const uint64_t *links = links_of(known, &search->running[j]);

		for (int w = 0; w < known->nwords; w++)
			disjoint->is_used[w] |= links[w];
	}
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
static bool is_empty(const struct disjoint *disjoint, int nwords)
{
	for (int w = 0; w < nwords; w++)
		if (disjoint->is_used[w] != 0)
			return false;
	return true;
}

static int regions(struct constraint *constraint, struct search *search)
{
	const struct job_links *known = constraint->state;
	int64_t steps = search->steps;
	struct disjoint disjoint;
	int_vec nodes = {0};
	bool found = false;
	int end;

	open_search(&disjoint, constraint, search);
	for (int node = -1; (node = bitset_next(&search->machine->idle, node + 1)) >= 0;)
		vec_push(&nodes, node);
	search_sort(search, nodes.at, (int)nodes.n);
	if (!search->wants_all)
		search->steps = pick_int(constraint->pick, "effort");
	if (is_empty(&disjoint, known->nwords))
		end = search_any(search, nodes.at, (int)nodes.n);
	else
		end = extend(&disjoint, nodes.at, (int)nodes.n, &found);
	if (!search->wants_all)
		search->steps = steps;
	close_search(&disjoint);
	free(nodes.at);
	return end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct disjoint disjoint;
	int together = 1;

	open_search(&disjoint, constraint, search);
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
			.params = (const struct param[]){EFFORT_PARAM, CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_CLIQUES,
	.is_bounded = true,
	.reads_running = true,
	.open = linkdisjoint_open,
	.close = close,
	.regions = regions,
	.holds = holds,
};
