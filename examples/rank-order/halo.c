/* halo.c - a 2-D periodic halo exchange over a graph that MPI may reorder
 *
 *   mpirun -n 16 halo 4 4     says for each rank of the graph which process it is
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank, size, world, sum = 0, x, y, columns, rows;
	int neighbours[4], weights[4] = {1000, 1000, 1000, 1000}, degree = 4, got[4];
	MPI_Comm graph;
	int *worlds;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	columns = argc == 3 ? (int)strtol(argv[1], NULL, 10) : 0;
	rows = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;
	if (columns < 3 || rows < 3 || columns * rows != size) {
		fprintf(stderr,
			"usage: mpirun -n COLUMNS*ROWS halo COLUMNS ROWS (3 or more each)\n");
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	x = world % columns;
	y = world / columns;
	neighbours[0] = y * columns + (x + 1) % columns;
	neighbours[1] = y * columns + (x + columns - 1) % columns;
	neighbours[2] = (y + 1) % rows * columns + x;
	neighbours[3] = (y + rows - 1) % rows * columns + x;
	MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &world, &degree, neighbours, weights,
			      MPI_INFO_NULL, 1, &graph);
	MPI_Comm_rank(graph, &rank);
	MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, graph);
	for (int i = 0; i < 4; i++)
		sum += got[i];
	/* what the four neighbours of a rank add up to is known */
	x = rank % columns;
	y = rank / columns;
	if (sum != y * columns * 2 + (x + 1) % columns + (x + columns - 1) % columns + 2 * x +
			   columns * ((y + 1) % rows + (y + rows - 1) % rows)) {
		fprintf(stderr, "halo: rank %d has the wrong neighbours\n", rank);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	worlds = malloc((size_t)size * sizeof(*worlds));
	MPI_Gather(&world, 1, MPI_INT, worlds, 1, MPI_INT, 0, graph);
	if (rank == 0) {
		printf("rank\tprocess\n");
		for (int r = 0; r < size; r++)
			printf("%d\t%d\n", r, worlds[r]);
	}
	free(worlds);
	MPI_Comm_free(&graph);
	MPI_Finalize();
	return 0;
}
