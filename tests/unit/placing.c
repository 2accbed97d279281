/* placing.c - loads that are kept while items move, beside those counted from nothing; with what
 * copies inside nodes load, too */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "machine/route/routing.h"
#include "map/search/placing.h"

enum { RANKS = 24, EDGES = 150, STEPS = 2000, ROOM = 6 };

/* Bytes that stay on a node. */
static double kept_inside(const struct comm *comm, const int *node_of, int node)
{
	double sum = 0;

	for (int rank = 0; rank < comm->nranks; rank++)
		for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++)
			if (comm->peer[e] != rank && node_of[rank] == node &&
			    node_of[comm->peer[e]] == node)
				sum += comm->bytes[e];
	return sum;
}

static struct comm *some_graph(struct rng *rng)
{
	int32_t src[EDGES], dst[EDGES];
	double bytes[EDGES];

	for (int i = 0; i < EDGES; i++) {
		src[i] = (int32_t)rng_below(rng, RANKS);
		dst[i] = (int32_t)rng_below(rng, RANKS);
		bytes[i] = (double)rng_below(rng, 100);
	}
	return comm_make(RANKS, EDGES, src, dst, bytes, NULL);
}

/* An exchange is left out only if booking it would say that it adds too much: below the limit, at
 * it, and above. */
static void check_try(struct placing *placing, int i, int j, int there, struct rng *rng)
{
	bool is_steep = rng_below(rng, 3) == 0;
	double gain, tried, limits[3];
	int64_t nedges = 0;

	placing_aim(placing, placing_greatest(placing) * (double)(1 + rng_below(rng, 4)) / 4 + 1,
		    (double)rng_below(rng, 4) / 8, is_steep);
	CHECK(placing_book(placing, i, j, there) > 0);
	gain = placing_gain(placing);
	placing_forget(placing);
	limits[0] = gain - 1;
	limits[1] = gain;
	limits[2] = gain + 1e-9 * (1 + fabs(gain));
	for (int k = 0; k < 3; k++) {
		tried = -1;
		CHECK_INT(placing_try(placing, i, j, there, limits[k], &tried, &nedges), k == 2);
		if (k == 2) {
			CHECK(tried == gain);
			placing_forget(placing);
		}
	}
}

/* Items move, change places, and go back; settled or forgotten. */
static void step(struct placing *placing, struct rng *rng)
{
	int i = (int)rng_below(rng, RANKS), back = placing->node_of[i];
	int there = (int)rng_below(rng, (uint64_t)placing->routes->nnodes);
	int place = placing->place_of[i], j = -1;

	if (there == back)
		return;
	if (placing->nheld[there] == placing->room[there] ||
	    (placing->nheld[there] > 0 && rng_below(rng, 2) == 0))
		j = placing->items[placing->first_room[there] +
				   (int64_t)rng_below(rng, (uint64_t)placing->nheld[there])];
	check_try(placing, i, j, there, rng);
	placing_book(placing, i, j, there);
	if (rng_below(rng, 3) == 0) {
		placing_forget(placing);
		return;
	}
	placing_exchange(placing, i, j, there);
	if (rng_below(rng, 3) == 0)
		placing_undo(placing, i, j, back, place);
}

static void check_steps(const char *spec, double per_byte, uint64_t seed)
{
	struct rng rng = rng_make(seed, "placing", NULL, NULL);
	struct comm *comm = some_graph(&rng);
	struct topo *topo = machine(spec);
	int *nodes = xmalloc((size_t)topo->nnodes * sizeof(*nodes)), node_of[RANKS];
	int *room = xmalloc((size_t)topo->nnodes * sizeof(*room));
	struct placing placing;
	struct routing *routing;
	struct routes routes;
	struct err err;

	CHECK_INT(routing_open(&routing, topo, NULL, &err), 0);
	for (int v = 0; v < topo->nnodes; v++) {
		nodes[v] = v;
		room[v] = ROOM;
	}
	for (int r = 0; r < RANKS; r++)
		node_of[r] = r / ROOM;
	routes_init(&routes, topo, routing, nodes, topo->nnodes);
	if (per_byte > 0)
		routes_load_inside(&routes, per_byte);
	placing_open(&placing, comm, room, &routes, node_of);
	for (int k = 0; k < STEPS; k++)
		step(&placing, &rng);
	CHECK(placing_is_right(&placing));
	for (int v = 0; v < topo->nnodes && per_byte > 0; v++)
		CHECK(placing_load(&placing, routes.inside[v]) ==
		      kept_inside(comm, node_of, v) * per_byte);
	placing_close(&placing);
	routes_free(&routes);
	routing_close(routing);
	topo_free(topo);
	comm_free(comm);
	free(nodes);
	free(room);
}

int main(void)
{
	static const char *const specs[] = {"complete:nodes=6,per-router=2", "torus:dims=3x3",
					    "fattree:k=4,levels=2",
					    "dragonfly:groups=3,routers=2,nodes=2"};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			check_steps(specs[i], 0, seed);
			check_steps(specs[i], .5, seed);
		}
	return check_done();
}
