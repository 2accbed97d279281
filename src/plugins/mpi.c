/* mpi.c - the processes of an MPI launcher (base/processes.h) */
#include <mpi.h>
#include <stdio.h>

#include "base/processes.h"

static const char *join(int *count, int *number)
{
	int level;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
		return "MPI can't be initialised";
	if (level < MPI_THREAD_SERIALIZED) {
		MPI_Finalize();
		return "this MPI library does not let threads take turns (MPI_THREAD_SERIALIZED)";
	}
	MPI_Comm_size(MPI_COMM_WORLD, count);
	MPI_Comm_rank(MPI_COMM_WORLD, number);
	return NULL;
}

static void leave(void)
{
	MPI_Finalize();
}

static void gather(const void *mine, int size, void *all)
{
	MPI_Allgather(mine, size, MPI_BYTE, all, size, MPI_BYTE, MPI_COMM_WORLD);
}

static void gather_any(const void *mine, int size, void *all, const int *sizes, const int *firsts)
{
	MPI_Allgatherv(mine, size, MPI_BYTE, all, sizes, firsts, MPI_BYTE, MPI_COMM_WORLD);
}

static void exchange(const void *out, const int *out_sizes, const int *out_firsts, void *in,
		     const int *in_sizes, const int *in_firsts)
{
	MPI_Alltoallv(out, out_sizes, out_firsts, MPI_BYTE, in, in_sizes, in_firsts, MPI_BYTE,
		      MPI_COMM_WORLD);
}

static void abort_all(const char *why)
{
	fprintf(stderr, "%s\n", why);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

extern const struct processes_plugin placetools_processes;
const struct processes_plugin placetools_processes = {
	.version = PLACETOOLS_VERSION,
	.join = join,
	.leave = leave,
	.gather = gather,
	.gather_any = gather_any,
	.exchange = exchange,
	.abort = abort_all,
};
