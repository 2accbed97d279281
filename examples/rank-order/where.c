/* where.c - each rank says which core it is bound to */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	cpu_set_t set;
	int rank, size, core = -1, cores[64] = {0};

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&set) == 1; i++)
		if (CPU_ISSET(i, &set))
			core = i;
	if (size <= 64)
		MPI_Gather(&core, 1, MPI_INT, cores, 1, MPI_INT, 0, MPI_COMM_WORLD);
	for (int r = 0; r < size && rank == 0; r++)
		printf("%d\t%d\n", r, cores[r]);
	MPI_Finalize();
	return 0;
}
