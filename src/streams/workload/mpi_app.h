/* mpi_app.h - MPI codes as traces: what their files share */
#ifndef WORKLOAD_MPI_APP_H
#define WORKLOAD_MPI_APP_H

#include "base/err.h"
#include "base/mem.h"
#include "formats/table.h"

/* Who writes, and what is asked for. Rows come rank by rank. */
struct mpi_app {
	struct table_out *table;
	int nranks;
	int64_t iterations, compute_ns; /* of an iteration, without imbalance */
	double imbalance;               /* computation varies by up to this part of it */
	double face_scale;              /* of messages, where the problem is strong-scaled */
	int64_t bytes;                  /* of apps that send one size */
	int64_t blocks;                 /* of a sweep of minisweep */
	uint64_t seed;
	const char *location; /* of buffers; NULL: not said */
	/* the rank that is being written */
	int rank;
	int64_t now_ns, request;
	VEC(int64_t) open; /* requests that are not complete */
};

/* Computation of this part of an iteration: the rank's share is drawn for it, once an iteration. */
/* enter or leave, of the user region that holds the iterations. */
void app_region(struct mpi_app *app, const char *op);
void app_compute(struct mpi_app *app, int64_t iteration, double part);
void app_isend(struct mpi_app *app, int peer, double bytes, int tag);
void app_irecv(struct mpi_app *app, int peer, double bytes, int tag);
/* Of all requests that are not complete. */
void app_waitall(struct mpi_app *app);
void app_collective(struct mpi_app *app, const char *op, int64_t bytes);

/* The calls of the rank in one iteration. */
typedef void app_iteration_fn(struct mpi_app *app, int64_t iteration);
app_iteration_fn app_lulesh, app_sw4lite, app_minisweep, app_amgx, app_pingpong, app_senders;

/* The grid of n ranks in two dimensions: sizes [2], the first at least the second. */
void app_grid(int n, int *size);

#endif
