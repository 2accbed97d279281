/* multilevel.c - the graph is cut along the machine's tiers, and annealed between routers */
#include <stdlib.h>
#include <string.h>

#include "map/problem/problem.h"
#include "map/refine/congestion.h"
#include "map/partition/graph_cut.h"
#include "base/mem.h"

enum {
	STARTS = 4,          /* cuts to begin from, at most */
	START_EDGES = 65536, /* small graphs begin from several anyway */
	START_PART = 8,      /* of the work of a search, to see where a start leads */
	ROUTERS = 6,         /* times the work of a search go between routers, at most */
	ROUTERS_AN_EDGE = 1000,
	FREE_PART = 8 /* of the slots, at most, may stay free where ranks go between routers */
};

struct cut {
	const struct map_input *in;
	int seed;     /* of libscotch */
	int *node_of; /* [nranks] */
	int *local;   /* [nranks] −1, for comm_part */
	int *ranks;   /* [nranks] all of them */
	int *nodes;   /* [nnodes] */
	struct err *err;
};

/* Numbers the domains of nodes [n] at a tier (below 0: each node is one; where a tier does not part
 * them: two halves) in the order of their first node. domain_of [n]; returns how many there are. */
static int domains(const struct map_input *in, const int *nodes, int n, int tier, int *domain_of)
{
	int ndomains = 0, *seen = xmalloc((size_t)n * sizeof(*seen));

	for (int i = 0; i < n; i++) {
		int id = tier < 0 ? i : topo_domain(in->topo, in->nodes[nodes[i]], tier), d = 0;

		/* nodes of a domain mostly stand together: look backwards */
		for (d = ndomains - 1; d >= 0 && seen[d] != id;)
			d--;
		if (d < 0) {
			d = ndomains++;
			seen[d] = id;
		}
		domain_of[i] = d;
	}
	free(seen);
	return ndomains;
}

static int cut_into(struct cut *cut, const int *ranks, int nranks, const int *nodes, int nnodes,
		    int tier);

/* Gives each domain its ranks and goes on one tier below. part_of [nranks], domain_of [nnodes] */
static int go_down(struct cut *cut, const int *ranks, int nranks, const int *nodes, int nnodes,
		   int tier, int ndomains, const int *part_of, const int *domain_of)
{
	int *some_ranks = xmalloc((size_t)nranks * sizeof(*some_ranks));
	int *some_nodes = xmalloc((size_t)nnodes * sizeof(*some_nodes));
	int status = 0;

	for (int d = 0; d < ndomains && status == 0; d++) {
		int r = 0, v = 0;

		for (int i = 0; i < nranks; i++)
			if (part_of[i] == d)
				some_ranks[r++] = ranks[i];
		for (int i = 0; i < nnodes; i++)
			if (domain_of[i] == d)
				some_nodes[v++] = nodes[i];
		status = cut_into(cut, some_ranks, r, some_nodes, v, tier - 1);
	}
	free(some_ranks);
	free(some_nodes);
	return status;
}

/* Rooms of the domains, less what stays empty: from the last domain on. */
static void fill_sizes(const struct map_input *in, const int *nodes, int nnodes,
		       const int *domain_of, int ndomains, int nranks, int *size)
{
	int spare = -nranks;

	memset(size, 0, (size_t)ndomains * sizeof(*size));
	for (int i = 0; i < nnodes; i++) {
		size[domain_of[i]] += in->room[nodes[i]];
		spare += in->room[nodes[i]];
	}
	for (int d = ndomains - 1; d >= 0 && spare > 0; d--) {
		int less = size[d] < spare ? size[d] : spare;

		size[d] -= less;
		spare -= less;
	}
}

static int cut_into(struct cut *cut, const int *ranks, int nranks, const int *nodes, int nnodes,
		    int tier)
{
	int *domain_of, *size, *part_of, ndomains, nparts, status;
	struct comm *graph;

	if (nnodes == 1 || nranks == 0) {
		for (int i = 0; i < nranks; i++)
			cut->node_of[ranks[i]] = nodes[0];
		return 0;
	}
	domain_of = xmalloc((size_t)nnodes * sizeof(*domain_of));
	ndomains = domains(cut->in, nodes, nnodes, tier, domain_of);
	if (ndomains == 1) {
		free(domain_of);
		return cut_into(cut, ranks, nranks, nodes, nnodes, tier - 1);
	}
	size = xmalloc((size_t)ndomains * sizeof(*size));
	part_of = xmalloc((size_t)nranks * sizeof(*part_of));
	fill_sizes(cut->in, nodes, nnodes, domain_of, ndomains, nranks, size);
	graph = comm_part(cut->in->symmetric, ranks, nranks, cut->local);
	/* domains that stay empty are the last ones */
	for (nparts = ndomains; size[nparts - 1] == 0;)
		nparts--;
	status = partition_scotch(graph, nparts, size, cut->seed, part_of, cut->err);
	comm_free(graph);
	if (status == 0)
		status = go_down(cut, ranks, nranks, nodes, nnodes, tier, ndomains, part_of,
				 domain_of);
	free(domain_of);
	free(size);
	free(part_of);
	return status;
}

/* A cut of all ranks and nodes, to be closed. */
static void cut_open(struct cut *cut, const struct map_input *in, int seed, int *node_of,
		     struct err *err)
{
	size_t nranks = (size_t)in->comm->nranks, nnodes = (size_t)in->nnodes;

	*cut = (struct cut){.in = in, .seed = seed, .node_of = node_of, .err = err};
	cut->local = xmalloc(nranks * sizeof(*cut->local));
	cut->ranks = xmalloc(nranks * sizeof(*cut->ranks));
	cut->nodes = xmalloc(nnodes * sizeof(*cut->nodes));
	for (int r = 0; r < in->comm->nranks; r++) {
		cut->local[r] = -1;
		cut->ranks[r] = r;
	}
	for (int v = 0; v < in->nnodes; v++)
		cut->nodes[v] = v;
}

static void cut_close(struct cut *cut)
{
	free(cut->local);
	free(cut->ranks);
	free(cut->nodes);
}

/* One mapping, with a seed for libscotch. */
static int cut_all(const struct map_input *in, int seed, int *node_of, struct err *err)
{
	struct cut cut;
	int status;

	cut_open(&cut, in, seed, node_of, err);
	status = cut_into(&cut, cut.ranks, in->comm->nranks, cut.nodes, in->nnodes,
			  in->topo->ntiers - 1);
	cut_close(&cut);
	return status;
}

/* The ranks of each router among its nodes. router_of [nranks] sources of the routes */
static int cut_routers(const struct map_input *in, const int *router_of, int *node_of,
		       struct err *err)
{
	struct cut cut;
	int status;

	cut_open(&cut, in, 1, node_of, err);
	status = go_down(&cut, cut.ranks, in->comm->nranks, cut.nodes, in->nnodes, 0,
			 in->routes->nsources, router_of, in->routes->source_of);
	cut_close(&cut);
	return status;
}

/* What all members are given, and where the first one of a process puts the best. */
struct task {
	const struct map_input *in;
	int nstarts;
	const int *cut;       /* [nranks] nodes of the first start */
	const int *router_of; /* [nranks] of the last start; NULL: that is a cut too */
	int *node_of;         /* [nranks] */
};

/* A start and how far it got; number −1: none. */
struct start {
	struct search_result got;
	int64_t number;
};

static bool is_better(const struct start *a, const struct start *b)
{
	if (b->number < 0 || search_is_better(&a->got, &b->got))
		return true;
	return !search_is_better(&b->got, &a->got) && a->number < b->number;
}

/* libscotch does the same with an even seed and the next one. */
static int make_start(const struct task *task, int k, int *node_of, struct err *err)
{
	if (k == 0) {
		memcpy(node_of, task->cut, (size_t)task->in->comm->nranks * sizeof(*node_of));
		return 0;
	}
	if (task->router_of != NULL && k == task->nstarts - 1)
		return cut_routers(task->in, task->router_of, node_of, err);
	return cut_all(task->in, 2 * k + 1, node_of, err);
}

/* Every nmembers-th start, each refined a little: the best one. node_of [nranks] */
static int try_starts(const struct task *task, struct routes *routes, int member,
		      struct start *best, int *node_of, struct err *err)
{
	size_t size = (size_t)task->in->comm->nranks * sizeof(*node_of);
	int *tried = xmalloc(size), status = 0;

	*best = (struct start){.number = -1};
	for (int k = member; k < task->nstarts && status == 0; k += team_nmembers(task->in->team)) {
		struct map_refine_result result = {0};
		int64_t work = congestion_work(task->in);
		struct start start = {.number = k};

		status = make_start(task, k, tried, err);
		if (status != 0)
			break;
		if (!nodes_are_of_a_kind(task->in, tried)) /* else it is over soon */
			work /= START_PART;
		start.got = congestion_search(task->in, routes, NULL, 0, work, tried, &result);
		if (is_better(&start, best)) {
			*best = start;
			memcpy(node_of, tried, size);
		}
	}
	free(tried);
	return status;
}

/* The best of what all members found. mine: a start, then the nodes of its ranks. */
static void choose(const struct task *task, int member, const int_vec *mine)
{
	enum { HEADER = sizeof(struct start) / sizeof(int) };
	size_t nranks = (size_t)task->in->comm->nranks, nall;
	const int *all = team_gather(task->in->team, member, mine->at, mine->n, &nall), *chosen;
	struct start best = {.number = -1};

	chosen = all;
	for (const int *at = all; at < all + nall; at += HEADER + nranks) {
		struct start start;

		memcpy(&start, at, sizeof(start));
		if (start.number >= 0 && is_better(&start, &best)) {
			best = start;
			chosen = at + HEADER;
		}
	}
	if (map_is_own(task->in, member))
		memcpy(task->node_of, chosen, nranks * sizeof(*chosen));
}

static int work(void *context, int member, struct err *err)
{
	const struct task *task = context;
	size_t header = sizeof(struct start) / sizeof(int);
	int_vec mine = {0};
	struct map_routes routes;
	struct start best;
	int status = map_routes_open(&routes, task->in, member, err);

	if (status == 0) {
		mine.n = header + (size_t)task->in->comm->nranks;
		vec_reserve(&mine, mine.n);
		status = try_starts(task, routes.routes, member, &best, mine.at + header, err);
		memcpy(mine.at, &best, sizeof(best));
		choose(task, member, &mine);
		vec_free(&mine);
	}
	map_routes_close(&routes);
	return status;
}

/* What a search between routers makes of a cut into router_of [nranks], where it is likely to help:
 * where slots stay free, ranks end too close together. */
static int go_between(const struct map_input *in, int64_t effort, const int *cut, int *router_of,
		      bool *is_done, struct err *err)
{
	int64_t all = ROUTERS * congestion_work(in), most = ROUTERS_AN_EDGE * in->comm->nedges;

	*is_done = false;
	if (in->nslots - in->comm->nranks > in->nslots / FREE_PART)
		return 0;
	return routers_search(in, effort * (all < most ? all : most), cut, router_of, is_done, err);
}

/* Of several cuts and what a search between routers makes of the first, the best when refined a
 * little; where one is all there is time for, the latter. Nodes of a kind are left as they are. */
static int start(const struct map_input *in, int64_t effort, int *cut, int *router_of, int *node_of,
		 struct err *err)
{
	int64_t ncuts = effort * START_EDGES / (in->comm->nedges + 1);
	struct task task = {in, ncuts < STARTS ? (int)ncuts : STARTS, cut, NULL, node_of};
	bool is_done = false, is_whole;

	if (cut_all(in, 1, cut, err) != 0)
		return -1;
	is_whole = nodes_are_of_a_kind(in, cut);
	if (!is_whole && go_between(in, effort, cut, router_of, &is_done, err) != 0)
		return -1;
	if (is_done) {
		task.router_of = router_of;
		task.nstarts++;
	}
	if (ncuts > 1 && (!is_whole || effort >= CONGESTION_HOT))
		return team_run(in->team, work, &task, err);
	if (is_done)
		return cut_routers(in, router_of, node_of, err);
	memcpy(node_of, cut, (size_t)in->comm->nranks * sizeof(*node_of));
	return 0;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	int *cut = xmalloc(size), *router_of = xmalloc(size), status;

	(void)parts;
	status = start(in, pick_int(pick, "effort"), cut, router_of, node_of, err);
	free(cut);
	free(router_of);
	return status;
}

static char *refine_of(const struct pick *pick)
{
	return xasprintf("congestion:effort=%d", (int)pick_int(pick, "effort"));
}

const struct map_policy map_policy_multilevel = {
	.entry =
		{
			.name = "multilevel",
			.example = "multilevel",
			.summary = "the graph is cut along the machine's tiers (groups, routers, "
				   "nodes), annealed between routers, then refined on the links' "
				   "loads",
			.params =
				(const struct param[]){
					{.key = "effort",
					 .type = PARAM_INT,
					 .min = 1,
					 .max = 1000,
					 .def = "1",
					 .meaning = "how long to search: 1 is a second or two at "
						    "4 096 ranks"},
					{0}},
		},
	.refine_of = refine_of,
	.falls_back = true,
	.run = run,
};
