/* congestion.c - nodes, then ranks change places to lower the most loaded links */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "map/refine/congestion.h"
#include "map/problem/loads.h"
#include "base/mem.h"

enum {
	WORK = 5000000,      /* edges looked at, at effort 1: a part of a second */
	LEAST_WORK = 500000, /* of small graphs, but no more than: */
	LEAST_AN_EDGE = 10000,
	FEW_AN_EDGE = 320,
	WORK_AN_EDGE = 12,
	/* Nodes with unlike room: tests/bench/mapref-matrix.sh uneven */
	UNEVEN_TRIED = 4,      /* times the work, at most, to see where a start leads */
	UNEVEN_TIMES = 3,      /* and of a search */
	UNEVEN_TURNS = 4,      /* of nodes and ranks */
	UNEVEN_RANKS = 4,      /* for each node, from which on cuts are tried hot */
	OTHERS = 3,            /* searches, and one at least */
	OTHERS_WORK = 2500000, /* of a search that is soon over: a quarter of a second */
	HOPS = 6, /* of a route, on average: on longer ones an edge takes longer, and helps less */
	HOT = 32,
	WARM = 8,
	MANY = 64 * 64,  /* the square of a degree */
	TRIED_PART = 8,  /* of the work of a search, to see where a start leads */
	WHOLE_TIMES = 3, /* searches for nodes of a kind as they are, to see where a start leads */
	PARTINGS = 6     /* and for their ranks, at most */
};

/* The greatest load after a search over that before, with which another one follows. */
static const double enough_gain = 0.99;

/* All ranks of a node move together, against those of another one, where both have the room;
 * is_last: that is all the search there is. */
static struct search_result search_nodes(const struct map_input *in, const struct search *all,
					 int64_t work, bool is_last)
{
	int *place = xmalloc((size_t)in->nnodes * sizeof(*place));
	int *room = xmalloc((size_t)in->nnodes * sizeof(*room));
	int *size = xcalloc((size_t)in->nnodes + 1, sizeof(*size));
	struct comm *items = comm_quotient(in->comm, all->node_of, in->nnodes);
	struct search search = *all;
	struct search_result got;

	search.comm = items;
	search.room = room;
	search.node_of = place;
	search.heat = WARM;
	search.anneal = work / 2;
	search.mend = is_last ? 0 : work / 4;
	search.polish = 0;
	search.patience = is_last ? all->patience * 2 / 3 : all->patience / 4;
	for (int v = 0; v < in->nnodes; v++) {
		place[v] = v;
		room[v] = 1;
	}
	for (int r = 0; r < in->comm->nranks; r++)
		size[all->node_of[r]]++;
	search.size = size;
	search.capacity = in->room;
	got = search_run(&search);
	for (int r = 0; r < in->comm->nranks; r++)
		all->node_of[r] = place[all->node_of[r]];
	comm_free(items);
	free(place);
	free(room);
	free(size);
	return got;
}

/* The next edge of a rank, from e on, that leaves its node. */
static int64_t next_away(const struct comm *comm, const int *node_of, int rank, int64_t e)
{
	while (e < comm->first[rank + 1] && node_of[comm->peer[e]] == node_of[rank])
		e++;
	return e;
}

/* Whether two ranks of a node send the same to the same ranks of others. */
static bool talk_alike(const struct comm *comm, const int *node_of, int a, int b)
{
	int64_t i = next_away(comm, node_of, a, comm->first[a]);
	int64_t j = next_away(comm, node_of, b, comm->first[b]);

	while (i < comm->first[a + 1] && j < comm->first[b + 1]) {
		if (comm->peer[i] != comm->peer[j] || comm->bytes[i] != comm->bytes[j])
			return false;
		i = next_away(comm, node_of, a, i + 1);
		j = next_away(comm, node_of, b, j + 1);
	}
	return i == comm->first[a + 1] && j == comm->first[b + 1];
}

bool nodes_are_of_a_kind(const struct map_input *in, const int *node_of)
{
	int *first_on = xmalloc((size_t)in->nnodes * sizeof(*first_on)); /* rank; -1: none yet */
	bool is_so = in->comm->nranks >= 2 * in->nnodes;

	for (int v = 0; v < in->nnodes; v++)
		first_on[v] = -1;
	for (int r = 0; r < in->comm->nranks && is_so; r++) {
		int *first = &first_on[node_of[r]];

		if (*first < 0)
			*first = r;
		is_so = talk_alike(in->comm, node_of, *first, r) &&
			talk_alike(in->symmetric, node_of, *first, r);
	}
	free(first_on);
	return is_so;
}

/* Less of it where routes are long. */
static int64_t shortened(const struct map_input *in, int64_t work)
{
	return in->hops > HOPS ? (int64_t)((double)work * HOPS * HOPS / in->hops / in->hops) : work;
}

static int64_t least_work(const struct map_input *in)
{
	int64_t few = LEAST_AN_EDGE * (in->comm->nedges + 1);

	return few < LEAST_WORK ? few : LEAST_WORK;
}

/* As far as the graph says; on long routes it is shortened. */
static int64_t graph_work(const struct map_input *in)
{
	int64_t few = FEW_AN_EDGE * in->comm->nedges, all = WORK_AN_EDGE * in->comm->nedges;

	if (few < WORK)
		return few > least_work(in) ? few : least_work(in);
	return all > WORK ? all : WORK;
}

int64_t congestion_work(const struct map_input *in)
{
	return shortened(in, graph_work(in));
}

/* Longer again where routes are long and ranks talk to many: there most is left to find
 * (tests/bench/mapref-matrix.sh mesh/nbody). */
static int64_t dense_work(const struct map_input *in, int64_t work)
{
	int64_t degree = 2 * in->comm->nedges / in->comm->nranks;

	return in->hops > HOPS ? work + work * degree * degree / MANY : work;
}

/*
 * Work without a better mapping after which a stage of a short search ends: where ranks talk to
 * many, and all nodes carry alike, one exchange says more about the others, and takes longer.
 */
static int64_t short_patience(const struct map_input *in, int64_t work)
{
	int64_t degree = 2 * in->comm->nedges / in->comm->nranks;

	return work / (1 + degree * degree / MANY);
}

static void add(struct map_refine_result *result, const struct search_result *got)
{
	result->nmoves += got->nmoves;
	result->nrounds += got->nrounds;
}

/* Searches that are short, each from the start with a separate seed; the best one. */
static struct search_result search_whole_nodes(const struct map_input *in, const struct search *all,
					       int64_t work, struct map_refine_result *result)
{
	int64_t each = work < congestion_work(in) ? work : congestion_work(in);
	size_t size = (size_t)in->comm->nranks * sizeof(*all->node_of);
	int *tried = xmalloc(size), *found = xmalloc(size);
	struct search_result best = {0};
	struct search search = *all;

	search.node_of = tried;
	search.patience = short_patience(in, each);
	for (int64_t k = 0; k < work / each; k++) {
		struct search_result got;

		memcpy(tried, all->node_of, size);
		search.seed = all->seed + (uint64_t)k;
		got = search_nodes(in, &search, each, true);
		add(result, &got);
		if (k == 0 || search_is_better(&got, &best)) {
			best = got;
			memcpy(found, tried, size);
		}
	}
	memcpy(all->node_of, found, size);
	free(tried);
	free(found);
	return best;
}

/* By one alone; node_of [nranks] is changed in place. */
static struct search make_search(const struct map_input *in, struct routes *routes, int64_t work,
				 int *node_of)
{
	bool is_short = work < CONGESTION_HOT * congestion_work(in);

	return (struct search){.comm = in->comm,
			       .room = in->room,
			       .routes = routes,
			       .node_of = node_of,
			       .seed = in->seed,
			       .heat = is_short ? WARM : HOT,
			       .anneal = 2 * work,
			       .mend = work,
			       .polish = work < congestion_work(in) ? 0 : work,
			       .patience = is_short ? short_patience(in, work) : 2 * work};
}

/* Each node's own link that carries anything carries as much as the most loaded one: only other
 * groups of ranks would lower that, and those a cut has made. */
static bool is_even(const struct comm *comm, struct routes *routes, const int *node_of)
{
	struct loads loads = {0};
	bool is_so = true;

	loads_count(&loads, routes, comm, node_of);
	for (int v = 0; v < routes->nnodes && is_so; v++) {
		size_t up = (size_t)routes->up[v]; /* above all numbers: none */
		double bytes = up < loads.bytes.n ? loads.bytes.at[up] : 0;

		is_so = bytes <= 0 || bytes * routes->per_byte.at[up] >= loads.greatest;
	}
	loads_free(&loads);
	return is_so;
}

bool congestion_may_part(const struct map_input *in, struct routes *routes, const int *node_of)
{
	return map_rooms_are_equal(in) && nodes_are_of_a_kind(in, node_of) &&
	       !is_even(in->comm, routes, node_of);
}

/* Where nodes have unlike room, where a start leads is seen late, and less is found: small graphs,
 * but the smallest, are searched so many times as long. */
static int64_t uneven_times(const struct map_input *in, int64_t most)
{
	int64_t work = congestion_work(in), times = shortened(in, WORK) / work;

	if (map_rooms_are_equal(in) || work <= shortened(in, least_work(in)) || times < 1)
		return 1;
	return times < most ? times : most;
}

int congestion_nothers(const struct map_input *in)
{
	int n = (int)(OTHERS / uneven_times(in, OTHERS));

	return n > 1 && !map_rooms_are_equal(in) ? n : 1;
}

bool congestion_needs_others(const struct map_input *in, const int *node_of)
{
	return !map_rooms_are_equal(in) || short_patience(in, graph_work(in)) <= OTHERS_WORK ||
	       congestion_may_part(in, in->routes, node_of);
}

/* A part of the work of a search; of small graphs as much as that of the smallest has. */
static int64_t tried_work(const struct map_input *in)
{
	int64_t part = congestion_work(in) / TRIED_PART, least = shortened(in, least_work(in));

	return uneven_times(in, UNEVEN_TRIED) * (part > least ? part : least);
}

/* A cut does not know what links of unlike speed carry, so where nodes with unlike room hold many
 * ranks a hot search finds more than it loses. */
static double tried_heat(const struct map_input *in, const struct search *search, bool is_cut)
{
	bool is_hot =
		is_cut && !map_rooms_are_equal(in) && in->comm->nranks >= UNEVEN_RANKS * in->nnodes;

	return is_hot ? HOT : search->heat;
}

struct search_result congestion_try(const struct map_input *in, struct routes *routes, bool is_cut,
				    int *node_of)
{
	bool is_whole = nodes_are_of_a_kind(in, node_of);
	int64_t work = is_whole ? WHOLE_TIMES * congestion_work(in) : tried_work(in);
	struct search search = make_search(in, routes, work, node_of);
	struct map_refine_result result = {0};

	search.heat = tried_heat(in, &search, is_cut);
	if (is_whole && map_rooms_are_equal(in))
		return search_whole_nodes(in, &search, work, &result);
	/* of a large graph the search is too short to make up for other nodes with unlike room */
	if (map_rooms_are_equal(in) || congestion_work(in) < shortened(in, WORK))
		search_nodes(in, &search, work, false);
	return search_run(&search);
}

/* Ranks leave nodes of a kind, in searches one behind the other, as long as they help. */
static void part_nodes(const struct search *search, double greatest,
		       struct map_refine_result *result)
{
	struct search again = *search;

	for (int k = 0; k < PARTINGS && !is_even(again.comm, again.routes, again.node_of); k++) {
		struct search_result got;

		again.seed = search->seed + (uint64_t)k;
		got = search_run(&again);
		add(result, &got);
		if (got.max_after > enough_gain * greatest)
			return;
		greatest = got.max_after;
	}
}

/* Nodes and ranks in turn: where a node has to hold much or little depends on what is on it. */
static void search_in_turn(const struct map_input *in, const struct search *all,
			   struct map_refine_result *result)
{
	int nturns = map_rooms_are_equal(in) ? 1 : UNEVEN_TURNS;
	struct search search = *all;
	struct search_result got;

	search.anneal /= nturns;
	search.mend /= nturns;
	search.patience /= nturns;
	for (int k = 0; k < nturns; k++) {
		search.seed = all->seed + (uint64_t)k;
		search.polish = k == nturns - 1 ? all->polish : 0;
		got = search_nodes(in, &search, search.mend, false);
		add(result, &got);
		got = search_run(&search);
		add(result, &got);
	}
}

/* Nodes, then ranks. */
static void search_all(const struct map_input *in, const struct search *search,
		       struct map_refine_result *result)
{
	int64_t work = search->mend;
	struct search_result got;

	if (map_rooms_are_equal(in) && nodes_are_of_a_kind(in, search->node_of)) {
		got = search_whole_nodes(in, search, work, result);
		if (work < CONGESTION_HOT * congestion_work(in)) {
			part_nodes(search, got.max_after, result);
			return;
		}
		got = search_run(search);
		add(result, &got);
		return;
	}
	search_in_turn(in, search, result);
}

/* What all members are given, and where the first one of a process puts the result. */
struct task {
	const struct map_input *in;
	int64_t work;
	const int *node_of; /* [nranks] as it was */
	int *refined;       /* [nranks] */
	struct map_refine_result *result;
};

static int work(void *context, int member, struct err *err)
{
	const struct task *task = context;
	const struct map_input *in = task->in;
	size_t size = (size_t)in->comm->nranks * sizeof(*task->refined);
	struct map_refine_result result = {0};
	struct map_routes routes;
	int *node_of, status = map_routes_open(&routes, in, member, err);

	if (status == 0) {
		struct search search;

		node_of = xmalloc(size);
		memcpy(node_of, task->node_of, size);
		search = make_search(in, routes.routes, task->work, node_of);
		search.team = in->team;
		search.member = member;
		search_all(in, &search, &result);
		if (map_is_own(in, member)) {
			memcpy(task->refined, node_of, size);
			*task->result = result;
		}
		free(node_of);
	}
	map_routes_close(&routes);
	return status;
}

int congestion_refine(const struct map_input *in, int64_t most, int *node_of,
		      struct map_refine_result *result, struct err *err)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	struct task task = {in, most, node_of, xmalloc(size), result};
	int status;

	status = team_run(in->team, work, &task, err);
	if (status == 0)
		memcpy(node_of, task.refined, size);
	free(task.refined);
	return status;
}

/* What leaves all as it was, in work that was shortened, is done again as if routes were short:
 * from some starts only a longer search leads away (tests/bench/mapref-matrix.sh
 * mesh/halo3d15/fragmented). */
static int refine_again(const struct map_input *in, int64_t work, int *node_of,
			struct map_refine_result *result, struct err *err)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	double longer = (double)work * (double)graph_work(in) / (double)congestion_work(in);
	int64_t again = (int64_t)fmin(longer, WORK);
	int *before = xmalloc(size), status;

	memcpy(before, node_of, size);
	status = congestion_refine(in, work, node_of, result, err);
	if (status == 0 && again > work && memcmp(before, node_of, size) == 0)
		status = congestion_refine(in, again, node_of, result, err);
	free(before);
	return status;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct map_refine_result *result, struct err *err)
{
	int64_t work = pick_int(pick, "effort") * dense_work(in, congestion_work(in)) *
		       uneven_times(in, UNEVEN_TIMES);

	(void)parts;
	return refine_again(in, work, node_of, result, err);
}

const struct map_refiner map_refiner_congestion = {
	.entry =
		{
			.name = "congestion",
			.example = "congestion:effort=1",
			.summary = "exchange nodes, then ranks, to reduce hop-bytes and "
				   "loads near the maximum",
			.params =
				(const struct param[]){
					{.key = "effort",
					 .type = PARAM_INT,
					 .min = 1,
					 .max = 1000,
					 .def = "1",
					 .meaning = "length of the search: 1 takes less than "
						    "a second at 4 096 ranks"},
					{0}},
		},
	.run = run,
};
