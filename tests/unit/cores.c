/* cores.c - cores of a node: near ones against all ways there are */
#include <stdlib.h>

#include "map/cores.h"
#include "machine/load.h"
#include "base/rng.h"
#include "check.h"

enum { RANKS_MOST = 8, EDGES_MOST = 64 };

/* Σ bytes × levels to climb, of the ranks of one node */
static double cost_of(const struct comm *comm, const struct topo_inside *inside, const int *core_of)
{
	double cost = 0;

	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++)
			cost += comm->bytes[e] *
				topo_inside_distance(inside, core_of[r], core_of[comm->peer[e]]);
	return cost;
}

/* The least of all orders of ranks k … on the cores that those before leave. */
static double least(const struct comm *comm, const struct topo_inside *inside, int *core_of, int k)
{
	double best = -1;

	if (k == comm->nranks)
		return cost_of(comm, inside, core_of);
	for (int i = k; i < comm->nranks; i++) {
		int kept = core_of[k];
		double cost;

		core_of[k] = core_of[i];
		core_of[i] = kept;
		cost = least(comm, inside, core_of, k + 1);
		best = best < 0 || cost < best ? cost : best;
		core_of[i] = core_of[k];
		core_of[k] = kept;
	}
	return best;
}

static struct comm *draw(struct rng *rng, int nranks, int nedges)
{
	int32_t src[EDGES_MOST], dst[EDGES_MOST];
	double bytes[EDGES_MOST];
	struct comm *comm, *both;

	for (int i = 0; i < nedges; i++) {
		src[i] = (int32_t)rng_below(rng, (uint64_t)nranks);
		dst[i] = (int32_t)rng_below(rng, (uint64_t)nranks);
		bytes[i] = 1 + (double)rng_below(rng, 20);
	}
	comm = comm_make(nranks, nedges, src, dst, bytes, NULL);
	both = comm_symmetric(comm);
	comm_free(comm);
	return both;
}

/* Returns how far near is above the least, relative to it, and checks what must always hold. */
static double try(struct topo *topo, const struct comm *comm)
{
	const struct topo_inside *inside = topo_inside(topo, 0);
	int node = 0, room = RANKS_MOST, node_of[RANKS_MOST] = {0};
	int in_order[RANKS_MOST], near[RANKS_MOST], taken[RANKS_MOST] = {0};
	struct map_input in = {.topo = topo,
			       .comm = comm,
			       .symmetric = comm,
			       .nodes = &node,
			       .nnodes = 1,
			       .room = &room,
			       .nslots = room};
	double best, got;

	cores_in_order(&in, node_of, in_order);
	cores_near(&in, node_of, near);
	for (int r = 0; r < comm->nranks; r++) {
		CHECK_INT(in_order[r], r);
		CHECK(near[r] >= 0 && near[r] < comm->nranks && taken[near[r]]++ == 0);
	}
	got = cost_of(comm, inside, near);
	CHECK(got <= cost_of(comm, inside, in_order));
	best = least(comm, inside, in_order, 0);
	CHECK(got >= best);
	return best > 0 ? got / best - 1 : 0;
}

/* Two rows of four: the halves are squares, which no single exchange leads to. */
static void test_grid(struct topo *topo)
{
	static const int32_t src[] = {0, 1, 2, 4, 5, 6, 0, 1, 2, 3};
	static const int32_t dst[] = {1, 2, 3, 5, 6, 7, 4, 5, 6, 7};
	static const double bytes[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct comm *comm = comm_make(8, 10, src, dst, bytes, NULL), *both = comm_symmetric(comm);

	CHECK(try(topo, both) == 0);
	comm_free(both);
	comm_free(comm);
}

static struct topo *machine(const char *inside)
{
	char spec[64];
	struct topo *topo;
	struct err err;

	snprintf(spec, sizeof(spec), "line:nodes=2,inside=%s", inside);
	if (topo_load(&topo, spec, &err) != 0) {
		printf("%s\n", err.msg);
		exit(1);
	}
	return topo;
}

int main(void)
{
	static const char *const insides[] = {"package:2+core:4", "package:4+core:2",
					      "package:2+l3cache:2+core:2", "package:2+core:3"};
	struct rng rng = rng_make(1, "cores", NULL, NULL);

	for (int i = 0; i < 4; i++) {
		struct topo *topo = machine(insides[i]);
		int most = topo->cores < 7 ? topo->cores : 7;
		double above = 0;

		if (i == 0)
			test_grid(topo);
		for (int k = 0; k < 40; k++) {
			int nranks = most - k % 3;
			struct comm *comm = draw(&rng, nranks, nranks + k % 12);

			above += try(topo, comm);
			comm_free(comm);
		}
		CHECK(above / 40 < 0.01);
		topo_free(topo);
	}
	return check_done();
}
