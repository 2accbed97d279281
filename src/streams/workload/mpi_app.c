/* mpi_app.c - the calls of a generated MPI trace */
#include "workload/mpi_app.h"
#include <math.h>
#include <stdio.h>
#include "base/rng.h"

/* columns of a row */
enum {
	RANK,
	TIME,
	OP,
	PEER,
	BYTES,
	RECV_BYTES,
	TAG,
	REQUEST,
	SEND_LOCATION,
	RECV_LOCATION,
	REGION
};

static void begin_row(struct mpi_app *app, const char *op)
{
	for (int i = PEER; i <= REGION; i++)
		table_out_text(app->table, i, NULL);
	table_out_int(app->table, RANK, app->rank);
	table_out_seconds(app->table, TIME, app->now_ns);
	table_out_text(app->table, OP, op);
}

static void post(struct mpi_app *app, const char *op, int peer, int tag)
{
	begin_row(app, op);
	table_out_int(app->table, PEER, peer);
	table_out_int(app->table, TAG, tag);
	table_out_int(app->table, REQUEST, app->request);
	vec_push(&app->open, app->request++);
}

void app_isend(struct mpi_app *app, int peer, double bytes, int tag)
{
	post(app, "isend", peer, tag);
	table_out_int(app->table, BYTES, llround(bytes));
	table_out_text(app->table, SEND_LOCATION, app->location);
	table_out_emit(app->table);
}

void app_irecv(struct mpi_app *app, int peer, double bytes, int tag)
{
	post(app, "irecv", peer, tag);
	table_out_int(app->table, RECV_BYTES, llround(bytes));
	table_out_text(app->table, RECV_LOCATION, app->location);
	table_out_emit(app->table);
}

void app_waitall(struct mpi_app *app)
{
	for (size_t i = 0; i < app->open.n; i++) {
		begin_row(app, "wait");
		table_out_int(app->table, REQUEST, app->open.at[i]);
		table_out_emit(app->table);
	}
	app->open.n = 0;
}

void app_collective(struct mpi_app *app, const char *op, int64_t bytes)
{
	begin_row(app, op);
	table_out_int(app->table, BYTES, bytes);
	table_out_int(app->table, RECV_BYTES, bytes);
	table_out_text(app->table, SEND_LOCATION, app->location);
	table_out_text(app->table, RECV_LOCATION, app->location);
	table_out_emit(app->table);
}

void app_region(struct mpi_app *app, const char *op)
{
	begin_row(app, op);
	table_out_text(app->table, REGION, "loop");
	table_out_emit(app->table);
}

void app_compute(struct mpi_app *app, int64_t iteration, double part)
{
	char of[48];
	struct rng rng;
	double share;

	snprintf(of, sizeof(of), "%d %lld", app->rank, (long long)iteration);
	rng = rng_make(app->seed, "mpi-compute", NULL, of);
	share = 1 + app->imbalance * (2 * rng_unit(&rng) - 1);
	app->now_ns += llround((double)app->compute_ns * share * part);
}
