/* mpi_lulesh.c - LULESH 2.0: a cube of ranks, 144³ elements each, its three exchanges */
#include <math.h>

#include "workload/mpi_app.h"

enum { EDGE = 144, NODES = EDGE + 1, REAL_BYTES = 8 };

/*
 * Karlin et al., LLNL-TR-641973. Nodal masses and forces go to all 26 neighbours (3 fields),
 * positions and velocities to the 13 that come before (6 fields), the gradients of monotonic Q over
 * the 6 faces (3 fields of elements). Strong scaling shrinks the edge.
 */
enum exchange { FORCES, POSITIONS, GRADIENTS };

struct offset {
	int x, y, z;
};

static int edge_of_cube(int n)
{
	int p = (int)lround(cbrt(n));

	return p;
}

/* Bytes to the neighbour at an offset. */
static double bytes_of(const struct mpi_app *app, enum exchange exchange, const struct offset *to)
{
	double nodes = floor(EDGE * sqrt(app->face_scale) + .5) + (exchange == GRADIENTS ? 0 : 1);
	int fields = exchange == POSITIONS ? 6 : 3;
	int ndims = (to->x == 0) + (to->y == 0) + (to->z == 0);

	return fields * REAL_BYTES * pow(nodes, ndims);
}

/* Whether the exchange sends to an offset; receives come from the opposite ones. */
static bool goes(enum exchange exchange, const struct offset *to)
{
	int nsides = (to->x != 0) + (to->y != 0) + (to->z != 0);

	if (exchange == GRADIENTS)
		return nsides == 1;
	if (exchange == POSITIONS)
		return to->z < 0 || (to->z == 0 && (to->y < 0 || (to->y == 0 && to->x < 0)));
	return nsides > 0;
}

/* −1: outside the cube. */
static int neighbour(const struct mpi_app *app, const struct offset *to)
{
	int p = edge_of_cube(app->nranks);
	int x = app->rank % p + to->x, y = app->rank / p % p + to->y, z = app->rank / p / p + to->z;

	return x < 0 || y < 0 || z < 0 || x >= p || y >= p || z >= p ? -1 : x + p * (y + p * z);
}

static void exchange_all(struct mpi_app *app, enum exchange exchange)
{
	for (int is_send = 0; is_send < 2; is_send++)
		for (int i = 0; i < 27; i++) {
			struct offset to = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
			struct offset back = {-to.x, -to.y, -to.z};
			int peer = neighbour(app, &to);

			if (peer < 0 || !goes(exchange, is_send ? &to : &back))
				continue;
			if (is_send)
				app_isend(app, peer, bytes_of(app, exchange, &to), exchange);
			else
				app_irecv(app, peer, bytes_of(app, exchange, &to), exchange);
		}
	app_waitall(app);
}

void app_lulesh(struct mpi_app *app, int64_t iteration)
{
	app_collective(app, "allreduce", REAL_BYTES);
	app_compute(app, iteration, .5);
	exchange_all(app, FORCES);
	app_compute(app, iteration, .25);
	exchange_all(app, POSITIONS);
	app_compute(app, iteration, .25);
	exchange_all(app, GRADIENTS);
}
