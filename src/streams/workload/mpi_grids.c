/* mpi_grids.c - codes on grids of ranks: SW4lite, Minisweep, AmgX; and two micro-benchmarks */
#include "workload/mpi_app.h"

#define KIB 1024.
#define MIB (1024. * KIB)

void app_grid(int n, int *size)
{
	size[1] = 1;
	for (int i = 1; (int64_t)i * i <= n; i++)
		if (n % i == 0)
			size[1] = i;
	size[0] = n / size[1];
}

/* −1: outside */
static int neighbour(const struct mpi_app *app, int dx, int dy)
{
	int size[2], x, y;

	app_grid(app->nranks, size);
	x = app->rank % size[0] + dx;
	y = app->rank / size[0] + dy;
	return x < 0 || y < 0 || x >= size[0] || y >= size[1] ? -1 : x + size[0] * y;
}

/* One message of this size from and to each of up to four neighbours. */
static void exchange(struct mpi_app *app, double bytes, int tag)
{
	static const int offsets[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

	for (int is_send = 0; is_send < 2; is_send++)
		for (int i = 0; i < 4; i++) {
			int peer = neighbour(app, offsets[i][0], offsets[i][1]);

			if (peer >= 0 && is_send)
				app_isend(app, peer, bytes * app->face_scale, tag);
			else if (peer >= 0)
				app_irecv(app, peer, bytes * app->face_scale, tag);
		}
}

/* Half of the messages 64 KB, half 12 MB: Khetawat 2022, §3.5.1. */
void app_sw4lite(struct mpi_app *app, int64_t iteration)
{
	app_compute(app, iteration, 1);
	exchange(app, 64 * KIB, 0);
	exchange(app, 12 * MIB, 1);
	app_waitall(app);
}

/*
 * A wave from one corner: blocks of faces, 4 MB along one dimension and 8 MB along the other. A
 * block's sends are waited for with the receives of the next. With more blocks than ranks along the
 * grid the wave is full, and each rank's NIC is what it waits for; with fewer it is filling.
 */
static void sweep(struct mpi_app *app, int64_t iteration, int dx, int dy)
{
	for (int64_t block = 0; block < app->blocks; block++) {
		int before[2] = {neighbour(app, -dx, 0), neighbour(app, 0, -dy)};
		int behind[2] = {neighbour(app, dx, 0), neighbour(app, 0, dy)};

		for (int i = 0; i < 2; i++)
			if (before[i] >= 0)
				app_irecv(app, before[i], (i + 1) * 4 * MIB * app->face_scale, i);
		app_waitall(app);
		app_compute(app, iteration, 1. / (4. * (double)app->blocks));
		for (int i = 0; i < 2; i++)
			if (behind[i] >= 0)
				app_isend(app, behind[i], (i + 1) * 4 * MIB * app->face_scale, i);
	}
	app_waitall(app);
}

void app_minisweep(struct mpi_app *app, int64_t iteration)
{
	sweep(app, iteration, 1, 1);
	sweep(app, iteration, -1, 1);
	sweep(app, iteration, 1, -1);
	sweep(app, iteration, -1, -1);
}

/*
 * The levels of a multigrid cycle: of 24 exchanges 2 above 500 KB, 4 of 100 … 500 KB, 17 of 1 … 100
 * KB and a small one (8, 17, 71 and 4 %), and the norms and dot products of the solver. Messages
 * below 32 KB are 4 % of the bytes (§3.3.5), so that those 17 are of 5 KB.
 */
void app_amgx(struct mpi_app *app, int64_t iteration)
{
	for (int i = 0; i < 24; i++) {
		double bytes = i < 2 ? 600e3 : i < 6 ? 200e3 : i < 23 ? 5e3 : 512;

		app_compute(app, iteration, 1. / 24);
		exchange(app, bytes, 0);
		app_waitall(app);
		if (i % 6 == 5)
			app_collective(app, "allreduce", 8);
	}
}

/* Rank 0 and rank 1 in turn. */
void app_pingpong(struct mpi_app *app, int64_t iteration)
{
	app_compute(app, iteration, 1);
	for (int turn = 0; turn < 2; turn++) {
		if (app->rank > 1)
			return;
		if (app->rank == turn)
			app_isend(app, 1 - turn, (double)app->bytes, 0);
		else
			app_irecv(app, turn, (double)app->bytes, 0);
		app_waitall(app);
	}
}

/* Four messages from each rank of the first half to its like in the second. */
void app_senders(struct mpi_app *app, int64_t iteration)
{
	int half = app->nranks / 2;

	app_compute(app, iteration, 1);
	for (int i = 0; i < 4; i++)
		if (app->rank < half)
			app_isend(app, app->rank + half, (double)app->bytes, i);
		else if (app->rank < 2 * half)
			app_irecv(app, app->rank - half, (double)app->bytes, i);
	app_waitall(app);
}
