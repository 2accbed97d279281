/* multilevel.c - the graph is cut along the machine's tiers, annealed between routers,
 * or embedded */
#include <stdlib.h>
#include <string.h>

#include "map/problem/loads.h"
#include "map/problem/problem.h"
#include "map/refine/congestion.h"
#include "map/grid/digits.h"
#include "map/mapper/scotch_grid.h"
#include "map/mapper/tier_cut.h"
#include "map/mapper/whole_parts.h"
#include "base/mem.h"

enum {
	START_SIZE = 80000,   /* edges and ranks of all cuts to begin from; one is always made */
	UNEVEN_SIZE = 160000, /* where nodes have unlike room: what cuts lead to differs more */
	CUTS = 4,             /* of them at most */
	/* Where a rank has no more edges than SPARSE a link carries few messages, and cuts decide
	 * how many. Eight cuts of 4 096 ranks: tests/bench/mapref.sh; eleven:
	 * tests/bench/mapref-matrix.sh gpc/halo2d uneven/halo2d */
	SPARSE = 6,
	SPARSE_SIZE = 165000,
	SPARSE_CUTS = 11,
	STARTS = SPARSE_CUTS + 5, /* and others */
	ROUTERS = 6,              /* times the work of a search go between routers, at most */
	ROUTERS_AN_EDGE = 1000,   /* fewer of small graphs: a 16th of their edges, */
	ROUTERS_LEAST = 4000,     /* but as many as so many edges have */
	FREE_PART = 8 /* of the slots, at most, may stay free where ranks go between routers */
};

enum start_kind { START_CUT, START_ROUTERS, START_DIGITS, START_GRID, START_IN_ORDER, START_PARTS };

/* A start and how far it got. */
struct start {
	struct search_result got;
	int64_t number;
	int64_t is_unchanged; /* the search found nothing better, and there is no other */
};

/* What all members are given, and where the first one of a process puts what they found. */
struct task {
	const struct map_input *in;
	int nstarts, ntried;
	struct {
		enum start_kind kind;
		int seed; /* of a cut */
	} starts[STARTS];
	bool is_packed;
	double in_order; /* what ranks in order put on the most loaded link */
	int *cut;        /* [nranks] nodes of the first cut */
	int *router_of;  /* [nranks] of START_ROUTERS */
	int *on_grid;    /* [nranks] nodes of START_GRID */
	int *packed;     /* [nranks] nodes of START_PARTS */
	struct rank_grid grid;
	struct places places; /* of START_DIGITS */
	struct start *found;  /* [STARTS] how far each start got, best first, */
	int *found_of;        /* [STARTS * nranks] and its nodes */
	int nfound;
};

static bool is_better(const struct start *a, const struct start *b)
{
	if (search_is_better(&a->got, &b->got))
		return true;
	return !search_is_better(&b->got, &a->got) && a->number < b->number;
}

static int make_start(const struct task *task, struct routes *routes, int k, int *node_of,
		      struct err *err)
{
	const struct map_input *in = task->in;

	switch (task->starts[k].kind) {
	case START_CUT:
		if (k > 0)
			/* cppcheck-suppress arrayIndexOutOfBoundsCond ; k < nstarts */
			return tier_cut(in, task->starts[k].seed, task->is_packed, node_of, err);
		memcpy(node_of, task->cut, (size_t)in->comm->nranks * sizeof(*node_of));
		return 0;
	case START_ROUTERS:
		return tier_cut_routers(in, task->router_of, node_of, err);
	case START_DIGITS:
		digits_embed_once(in, routes, &task->grid, &task->places, 1, node_of);
		return 0;
	case START_GRID:
		memcpy(node_of, task->on_grid, (size_t)in->comm->nranks * sizeof(*node_of));
		return 0;
	case START_IN_ORDER:
		return map_policy_in_order.run(in, NULL, NULL, node_of, err);
	case START_PARTS:
		memcpy(node_of, task->packed, (size_t)in->comm->nranks * sizeof(*node_of));
		return 0;
	}
	return 0;
}

enum { HEADER = sizeof(struct start) / sizeof(int) };

/* Every nmembers-th start not yet tried, each refined a little. found: for each one how far it got,
 * then the nodes of its ranks. */
static int try_starts(const struct task *task, struct routes *routes, int member, int_vec *found,
		      struct err *err)
{
	size_t nranks = (size_t)task->in->comm->nranks, size = nranks * sizeof(int);
	int *begun = xmalloc(size), status = 0;

	for (int k = task->ntried + member; k < task->nstarts && status == 0;
	     k += team_nmembers(task->in->team)) {
		struct start start = {.number = k};
		int *tried;

		status = make_start(task, routes, k, begun, err);
		if (status != 0)
			break;
		vec_reserve(found, found->n + HEADER + nranks);
		tried = found->at + found->n + HEADER;
		memcpy(tried, begun, size);
		start.got =
			congestion_try(task->in, routes, task->starts[k].kind == START_CUT, tried);
		start.is_unchanged = memcmp(tried, begun, size) == 0 &&
				     !congestion_may_part(task->in, routes, tried);
		memcpy(found->at + found->n, &start, sizeof(start));
		found->n += HEADER + nranks;
	}
	free(begun);
	return status;
}

/* Puts a start where it belongs among those found so far. */
static void keep(struct task *task, const struct start *start, const int *node_of)
{
	size_t nranks = (size_t)task->in->comm->nranks, size = nranks * sizeof(*node_of);
	int at = task->nfound++;

	for (; at > 0 && is_better(start, &task->found[at - 1]); at--) {
		task->found[at] = task->found[at - 1];
		memcpy(task->found_of + (size_t)at * nranks,
		       task->found_of + (size_t)(at - 1) * nranks, size);
	}
	task->found[at] = *start;
	memcpy(task->found_of + (size_t)at * nranks, node_of, size);
}

static int work(void *context, int member, struct err *err)
{
	struct task *task = context;
	size_t nranks = (size_t)task->in->comm->nranks, nall = 0;
	int_vec mine = {0};
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);
	const int *all = NULL;

	if (status == 0) {
		status = try_starts(task, routes.routes, member, &mine, err);
		all = team_gather(task->in->team, member, mine.at, mine.n, &nall);
	}
	for (size_t k = 0; k < nall && map_is_own(task->in, member); k += HEADER + nranks) {
		struct start start;

		memcpy(&start, all + k, sizeof(start));
		keep(task, &start, all + k + HEADER);
	}
	vec_free(&mine);
	map_routes_close(&routes);
	return status;
}

/* The work of a search between routers, at most. */
static int64_t routers_work(const struct map_input *in)
{
	int64_t nedges = in->comm->nedges, all = ROUTERS * congestion_work(in);
	int64_t an_edge = nedges / 16 < ROUTERS_AN_EDGE ? nedges / 16 : ROUTERS_AN_EDGE;
	int64_t least = nedges < ROUTERS_LEAST ? nedges : ROUTERS_LEAST, most = an_edge * nedges;

	most = most > least * ROUTERS_AN_EDGE ? most : least * ROUTERS_AN_EDGE;
	return all < most ? all : most;
}

/* What a search between routers makes of a cut into router_of [nranks], where it is likely to help:
 * where slots stay free, ranks end too close together; nor does it know what a node copies. */
static int go_between(const struct map_input *in, int64_t effort, const int *cut, int *router_of,
		      bool *is_done, struct err *err)
{
	*is_done = false;
	if (in->nslots - in->comm->nranks > in->nslots / FREE_PART || in->routes->inside != NULL)
		return 0;
	return routers_search(in, effort * routers_work(in), cut, router_of, is_done, err);
}

static bool is_less(const struct loads *a, const struct loads *b)
{
	return a->greatest < b->greatest ||
	       (a->greatest == b->greatest && a->hop_bytes < b->hop_bytes);
}

/* The first cut, its free slots spread or packed, whatever loads links less; and whether ranks in
 * order load them less still. */
static int first_cut(struct task *task, int *cut, bool *is_worse, struct err *err)
{
	const struct map_input *in = task->in;
	int *other = xmalloc((size_t)in->comm->nranks * sizeof(*other)), status;
	struct loads loads = {0}, others = {0};

	status = tier_cut(in, 1, false, cut, err);
	loads_count(&loads, in->routes, in->comm, cut);
	if (status == 0 && in->nslots > in->comm->nranks) {
		status = tier_cut(in, 1, true, other, err);
		loads_count(&others, in->routes, in->comm, other);
		task->is_packed = is_less(&others, &loads);
		if (task->is_packed) {
			loads_count(&loads, in->routes, in->comm, other);
			memcpy(cut, other, (size_t)in->comm->nranks * sizeof(*cut));
		}
	}
	if (status == 0)
		status = map_policy_in_order.run(in, NULL, NULL, other, err);
	if (status == 0)
		loads_count(&others, in->routes, in->comm, other);
	task->in_order = others.greatest;
	*is_worse = status == 0 && is_less(&others, &loads);
	loads_free(&loads);
	loads_free(&others);
	free(other);
	return status;
}

static void add_start(struct task *task, enum start_kind kind, int seed)
{
	task->starts[task->nstarts].kind = kind;
	task->starts[task->nstarts++].seed = seed;
}

/* Tries the starts that were listed since. */
static int try(struct task *task, struct err *err)
{
	int status = team_run(task->in->team, work, task, err);

	task->ntried = task->nstarts;
	return status;
}

/* A grid in a grid that a search makes no better is better than what further cuts lead to, unless
 * ranks in order are. */
static bool is_settled(const struct task *task)
{
	return task->nfound > 0 && task->found[0].is_unchanged != 0 &&
	       task->starts[task->found[0].number].kind == START_DIGITS &&
	       task->found[0].got.max_after <= task->in_order;
}

/* How many cuts to begin from: where one is soon made and tried there are several. */
static int64_t count_cuts(const struct map_input *in, int64_t effort)
{
	int64_t nedges = in->comm->nedges, nranks = in->comm->nranks;
	bool is_sparse = nedges <= SPARSE * nranks;
	int64_t size = is_sparse ? SPARSE_SIZE : map_rooms_are_equal(in) ? START_SIZE : UNEVEN_SIZE;
	int64_t n = effort * size / (nedges + nranks), most = is_sparse ? SPARSE_CUTS : CUTS;

	return n < most ? n : most;
}

/* libscotch leaves fewest hop-bytes on a grid of nodes, and more on its most loaded links than a
 * search that begins elsewhere: it comes first if the product of both is less. */
static void prefer_grid(struct task *task)
{
	size_t nranks = (size_t)task->in->comm->nranks, size = nranks * sizeof(*task->found_of);
	const struct search_result *first = &task->found[0].got;
	struct start start;
	int *node_of, k = 0;

	while (k < task->nfound && task->starts[task->found[k].number].kind != START_GRID)
		k++;
	if (k == task->nfound || task->found[k].got.max_after * task->found[k].got.sum_after >=
					 first->max_after * first->sum_after)
		return;
	start = task->found[k];
	node_of = xmalloc(size);
	memcpy(node_of, task->found_of + (size_t)k * nranks, size);
	memmove(task->found + 1, task->found, (size_t)k * sizeof(start));
	memmove(task->found_of + nranks, task->found_of, (size_t)k * size);
	task->found[0] = start;
	memcpy(task->found_of, node_of, size);
	free(node_of);
}

/*
 * The best start when refined a little: first the cut and a grid in a grid; then, unless the latter
 * is all there is to be had, what a search between routers makes of the cut, what libscotch makes
 * of a grid of nodes, ranks in order where the cut is worse, a job's parts each on one node, and
 * other cuts where there is time. Of a cut alone nothing is tried, unless the effort is more: a
 * longer search between routers is hotter, and of a large graph may lead to worse. Nodes of a kind
 * are left as they are.
 */
static int start(struct task *task, int64_t effort, struct err *err)
{
	const struct map_input *in = task->in;
	int64_t ncuts = count_cuts(in, effort);
	bool is_done = false, is_whole, is_worse, is_alone;

	if (first_cut(task, task->cut, &is_worse, err) != 0)
		return -1;
	is_whole = nodes_are_of_a_kind(in, task->cut);
	add_start(task, START_CUT, 1);
	if (places_find(&task->places, in)) {
		digits_grid_once(in, &task->grid);
		add_start(task, START_DIGITS, 0);
		if (try(task, err) != 0)
			return -1;
		if (is_settled(task))
			return 0;
	}
	if (!is_whole && go_between(in, effort, task->cut, task->router_of, &is_done, err) != 0)
		return -1;
	if (is_done)
		add_start(task, START_ROUTERS, 0);
	if (!is_whole && scotch_grid(in, task->on_grid))
		add_start(task, START_GRID, 0);
	is_alone = task->nstarts == 1 + is_done && ncuts < 2 && effort < 2;
	if (is_worse)
		add_start(task, START_IN_ORDER, 0);
	if (whole_parts(in, task->packed))
		add_start(task, START_PARTS, 0);
	for (int64_t k = 1; k < ncuts && (!is_whole || effort >= CONGESTION_HOT); k++)
		add_start(task, START_CUT, (int)(2 * k + 1));
	if (is_alone && !is_worse && is_done)
		return tier_cut_routers(in, task->router_of, task->found_of, err);
	if (task->nstarts == 1)
		memcpy(task->found_of, task->cut, (size_t)in->comm->nranks * sizeof(*task->cut));
	else if (task->nstarts > task->ntried && try(task, err) != 0)
		return -1;
	prefer_grid(task);
	return 0;
}

/* What may lead as far as the best start: the others, but the best one again in place of those that
 * load links too much already. Where nodes have unlike room, or whole nodes were moved, what links
 * carry before the search says too little about what they carry after it. */
static void hand_over(const struct task *task, struct map_others *others)
{
	const struct map_input *in = task->in;
	size_t nranks = (size_t)in->comm->nranks;
	bool is_told = map_rooms_are_equal(in) && !nodes_are_of_a_kind(in, task->found_of);

	for (int k = 1; k < task->nfound; k++) {
		bool is_behind = is_told && task->found[k].got.max_after >
						    map_others_load * task->found[0].got.max_after;

		map_others_add(others, task->found_of + (is_behind ? 0 : (size_t)k * nranks),
			       nranks);
	}
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	struct start found[STARTS];
	struct task task = {.in = in,
			    .cut = xmalloc(size),
			    .router_of = xmalloc(size),
			    .on_grid = xmalloc(size),
			    .packed = xmalloc(size),
			    .found = found,
			    .found_of = xmalloc(STARTS * size)};
	int status;

	(void)parts;
	status = start(&task, pick_int(pick, "effort"), err);
	*in->is_settled = is_settled(&task);
	if (status == 0)
		memcpy(node_of, task.found_of, size);
	if (status == 0)
		hand_over(&task, in->others);
	free(task.found_of);
	places_free(&task.places);
	rank_grid_free(&task.grid);
	free(task.cut);
	free(task.router_of);
	free(task.on_grid);
	free(task.packed);
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
			.summary = "cut the graph along the machine's tiers (groups, "
				   "routers, nodes), anneal between routers, then refine "
				   "on link loads",
			.params =
				(const struct param[]){
					{.key = "effort",
					 .type = PARAM_INT,
					 .min = 1,
					 .max = 1000,
					 .def = "1",
					 .meaning = "length of the search: 1 takes a second "
						    "or two at 4 096 ranks"},
					{0}},
		},
	.refine_of = refine_of,
	.falls_back = true,
	.run = run,
};
