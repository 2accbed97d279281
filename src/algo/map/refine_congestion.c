/* refine_congestion.c - nodes, then ranks change places to lower the most loaded links */
#include <stdlib.h>
#include <string.h>

#include "algo/map/map.h"
#include "algo/map/search.h"
#include "base/mem.h"

/* Trials at effort 1: about a second at 4 096 ranks with ten partners each. */
enum { NODE_TRIALS = 100000, RANK_TRIALS = 100000 };

static const double below =
	0.85; /* the limit that loads are pushed under, as part of the greatest */

/* All ranks of a node move together, against those of a node with the same room. */
static void search_nodes(const struct map_input *in, int *node_of, int64_t ntrials,
			 struct map_refine_result *result)
{
	int *place = xmalloc((size_t)in->nnodes * sizeof(*place));
	int *room = xmalloc((size_t)in->nnodes * sizeof(*room));
	struct comm *items = comm_quotient(in->comm, node_of, in->nnodes);
	struct search search = {items, room, in->routes, place, in->seed, below, ntrials};
	struct search_result got;

	for (int v = 0; v < in->nnodes; v++) {
		place[v] = v;
		room[v] = 1;
	}
	got = search_run(&search);
	for (int r = 0; r < in->comm->nranks; r++)
		node_of[r] = place[node_of[r]];
	result->nmoves += got.nmoves;
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

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct map_refine_result *result, struct err *err)
{
	int64_t effort = pick_int(pick, "effort");
	struct search search = {in->comm, in->room, in->routes,          node_of,
				in->seed, below,    RANK_TRIALS * effort};
	struct search_result got;

	(void)parts, (void)err;
	if (rooms_are_equal(in))
		search_nodes(in, node_of, NODE_TRIALS * effort, result);
	got = search_run(&search);
	result->nmoves += got.nmoves;
	result->nrounds = 2;
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
					 .meaning = "how long to search: 1 is about a second at "
						    "4 096 ranks"},
					{0}},
		},
	.run = run,
};
