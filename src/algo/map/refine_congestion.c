/* refine_congestion.c - nodes, then ranks change places to lower the most loaded links */
#include <stdlib.h>
#include <string.h>

#include "algo/map/congestion.h"
#include "base/mem.h"

/* Edges looked at, at effort 1: about a second. */
enum { WORK = 6000000, WORK_AN_EDGE = 20, NODE_PATIENCE = 1600000, PATIENCE = 2400000 };

static const double below =
	0.85; /* the limit that loads are pushed under, as part of the greatest */

/* All ranks of a node move together, against those of a node with the same room. */
static void search_nodes(const struct map_input *in, int *node_of, int64_t effort, int64_t work,
			 struct map_refine_result *result)
{
	int *place = xmalloc((size_t)in->nnodes * sizeof(*place));
	int *room = xmalloc((size_t)in->nnodes * sizeof(*room));
	struct comm *items = comm_quotient(in->comm, node_of, in->nnodes);
	struct search search = {.comm = items,
				.room = room,
				.routes = in->routes,
				.node_of = place,
				.seed = in->seed,
				.below = below,
				.work = work,
				.patience = NODE_PATIENCE * effort,
				.restart = NODE_PATIENCE / 8,
				.is_stubborn = effort > 1};
	struct search_result got;

	for (int v = 0; v < in->nnodes; v++) {
		place[v] = v;
		room[v] = 1;
	}
	got = search_run(&search);
	for (int r = 0; r < in->comm->nranks; r++)
		node_of[r] = place[node_of[r]];
	result->nmoves += got.nmoves;
	result->nrounds += got.nrounds;
	comm_free(items);
	free(place);
	free(room);
}

static bool rooms_are_equal(const struct map_input *in)
{
	for (int v = 1; v < in->nnodes; v++)
		if (in->room[v] != in->room[0])
			return false;
	return true;
}

struct search_result congestion_refine(const struct map_input *in, int64_t effort, int *node_of,
				       struct map_refine_result *result)
{
	int64_t all = WORK_AN_EDGE * in->comm->nedges, work = effort * (all > WORK ? all : WORK);
	struct search search = {.comm = in->comm,
				.room = in->room,
				.routes = in->routes,
				.node_of = node_of,
				.seed = in->seed,
				.below = below,
				.work = work,
				.patience = PATIENCE * effort,
				.restart = PATIENCE * effort / 2,
				.is_stubborn = effort > 1};
	struct search_result got;

	if (rooms_are_equal(in))
		search_nodes(in, node_of, effort, work, result);
	got = search_run(&search);
	result->nmoves += got.nmoves;
	result->nrounds += got.nrounds;
	return got;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct map_refine_result *result, struct err *err)
{
	(void)parts, (void)err;
	congestion_refine(in, pick_int(pick, "effort"), node_of, result);
	return 0;
}

const struct map_refiner map_refiner_congestion = {
	.entry =
		{
			.name = "congestion",
			.example = "congestion:effort=1",
			.summary = "nodes, then ranks change places while hop-bytes and what is "
				   "loaded near "
				   "the maximum fall",
			.params =
				(const struct param[]){
					{.key = "effort",
					 .type = PARAM_INT,
					 .min = 1,
					 .max = 1000,
					 .def = "1",
					 .meaning =
						 "how long to search: 1 is less than a second at "
						 "4 096 ranks"},
					{0}},
		},
	.run = run,
};
