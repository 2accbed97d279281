/* near_counts.c - nodes of the balls of tori against counting router by router */
#include <stdlib.h>

#include "base/rng.h"
#include "check.h"
#include "machine.h"
#include "place/constraint/near.h"

static const char *const specs[] = {"torus:dims=9",        "torus:dims=5x4",   "torus:dims=2x3x2",
				    "torus:dims=6x1x7",    "torus:dims=8x9x3", "torus:dims=1x5x4",
				    "torus:dims=4x3x2x5x2"};

/* The routers within radius of one or of the other. */
static int count(struct distances *distances, const int *weight, int a, int b, int radius)
{
	int sum = 0;

	for (int r = 0; r < distances->space->topo->nrouters; r++)
		if (distances_from(distances, r)[a] <= radius ||
		    distances_from(distances, r)[b] <= radius)
			sum += weight[r];
	return sum;
}

/* One step further on in a dimension. */
static int further(const struct space *space, int router, int d)
{
	int at[32], stride = 1, next = router;

	space_coordinates(space, router, at);
	for (int i = 0; i < d; i++)
		stride *= space->sizes[i];
	next -= at[d] * stride;
	return next + (at[d] + 1) % space->sizes[d] * stride;
}

static void check_radius(struct distances *distances, const int *weight, int radius, int second,
			 int_vec *room)
{
	const struct space *space = distances->space;
	const int *counts = near_counts(space, weight, radius, second, room);

	for (int r = 0; r < space->topo->nrouters; r++) {
		int other = second >= 0 ? further(space, r, second) : r;

		CHECK_INT(counts[r], count(distances, weight, r, other, radius));
	}
}

int main(void)
{
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		struct topo *topo = machine(specs[i]);
		struct rng rng = rng_make(1, "counts", specs[i], NULL);
		struct distances distances;
		struct space space;
		struct err err;
		int_vec room = {0};
		int *weight = xmalloc((size_t)topo->nrouters * sizeof(int));

		CHECK(space_open(&space, topo, NULL, NULL, &err) == 0);
		CHECK(distances_open(&distances, &space, false, &err) == 0);
		for (int r = 0; r < topo->nrouters; r++)
			weight[r] = (int)rng_below(&rng, 4);
		for (int radius = 0; radius <= distances.most; radius++)
			for (int second = -1; second < space.ndims; second++)
				check_radius(&distances, weight, radius, second, &room);
		free(weight);
		free(room.at);
		distances_close(&distances);
		space_close(&space);
		topo_free(topo);
	}
	return check_done();
}
