/* graphs.c - graphs and grids that MPI may reorder: is each rank's neighbourhood what the program
 * asked for?
 *
 *   mpirun -n N graphs     N at least 4, even; prints "process of each rank: …", status 1 if
 * anything is not as asked
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong, world, size;

static void expect(int is, const char *what, int rank)
{
	if (is)
		return;
	fprintf(stderr, "graphs: rank %d: wrong %s\n", rank, what);
	wrong = 1;
}

/* An attribute's copies are the program's affair: none is made on the way. */
static int copies;
static int copy(MPI_Comm comm, int key, void *state, void *in, void *out, int *flag)
{
	(void)comm, (void)key, (void)state, (void)in, (void)out;
	copies++;
	*flag = 0;
	return MPI_SUCCESS;
}

/* What vertex v has: in, 1 + v % 3 neighbours; out, the other way round. One edge twice, one to
 * itself. */
static int from(int v, int k)
{
	return (v + 3 * k * k + k) % size;
}
static int weight(int from_rank, int to, int k)
{
	return 1000 * k + 7 * from_rank + to;
}

static void check_order(MPI_Comm graph, const char *what)
{
	int rank, nin = 4, is[4], got[4], sent[4];

	MPI_Comm_rank(graph, &rank);
	/* each rank's answer by the place in its list: as an upwind stencil's */
	for (int k = 0; k < 4; k++)
		sent[k] = 100 * rank + k;
	MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, graph);
	for (int k = 0; k < nin; k++) {
		is[k] = from(rank, k);
		expect(got[k] / 100 == is[k], what, rank);
	}
}

static int in[4], out[4], in_weights[4], out_weights[4], got[4], got_weights[4], gone[4],
	gone_weights[4];
static int rank, nin, nout, weighted, key, dims[2], periods[2] = {1, 0}, at[2], one = 1, *all,
						    *ends, *edges, next;
static MPI_Comm graph;

static void check_adjacent(void)
{
	/* adjacent, with weights: lists as they were given */
	for (int k = 0; k < 4; k++) {
		in[k] = from(world, k);
		in_weights[k] = weight(in[k], world, k);
		out[k] = ((world - 3 * k * k - k) % size + size) % size;
		out_weights[k] = weight(world, out[k], k);
	}
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, in_weights, 4, out, out_weights,
				       MPI_INFO_NULL, 1, &graph);
	MPI_Comm_rank(graph, &rank);
	check_order(graph, "order of neighbours");
	MPI_Dist_graph_neighbors_count(graph, &nin, &nout, &weighted);
	expect(nin == 4 && nout == 4 && weighted, "degrees", rank);
	MPI_Dist_graph_neighbors(graph, 4, got, got_weights, 4, gone, gone_weights);
	for (int k = 0; k < 4; k++) {
		int to = ((rank - 3 * k * k - k) % size + size) % size;

		expect(got[k] == from(rank, k) && got_weights[k] == weight(got[k], rank, k),
		       "weights in", rank);
		expect(gone[k] == to && gone_weights[k] == weight(rank, to, k), "weights out",
		       rank);
	}
	MPI_Gather(&world, 1, MPI_INT, all, 1, MPI_INT, 0, graph);
	if (rank == 0) {
		printf("process of each rank:");
		for (int r = 0; r < size; r++)
			printf(" %d", all[r]);
		printf("\n");
	}
	MPI_Comm_free(&graph);

	/* without weights */
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, MPI_UNWEIGHTED, 4, out,
				       MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &graph);
	MPI_Dist_graph_neighbors_count(graph, &nin, &nout, &weighted);
	expect(!weighted, "weights where there are none", world);
	check_order(graph, "order of neighbours without weights");
	MPI_Comm_free(&graph);

	/* an edge twice, one to itself, and vertices without any: all of vertex 0 and 1 */
	in[0] = in[1] = 1 - world;
	in[2] = world;
	nin = world < 2 ? 3 : 0;
	MPI_Dist_graph_create_adjacent(
		MPI_COMM_WORLD, nin, in, nin ? in_weights : MPI_WEIGHTS_EMPTY, nin, in,
		nin ? out_weights : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 1, &graph);
	MPI_Comm_rank(graph, &rank);
	MPI_Dist_graph_neighbors_count(graph, &nin, &nout, &weighted);
	expect(nin == (rank < 2 ? 3 : 0) && nout == nin && weighted, "degrees with edges twice",
	       rank);
	MPI_Dist_graph_neighbors(graph, nin, got, got_weights, nout, gone, gone_weights);
	if (nin == 3)
		expect(got[0] == 1 - rank && got[1] == 1 - rank && got[2] == rank,
		       "neighbours twice", rank);
	MPI_Comm_free(&graph);
}

static void check_dist(void)
{
	/* each process says what its successor has, and its predecessor the other half */
	in[0] = (world + 1) % size, in[1] = (world + size - 1) % size;
	nout = 2, out[0] = (in[0] + 2) % size, out[1] = (in[1] + 1) % size;
	gone[0] = gone[1] = 1;
	MPI_Dist_graph_create(MPI_COMM_WORLD, 2, in, gone, out, in_weights, MPI_INFO_NULL, 1,
			      &graph);
	MPI_Comm_rank(graph, &rank);
	MPI_Dist_graph_neighbors_count(graph, &nin, &nout, &weighted);
	expect(nin == 2 && nout == 2 && weighted, "degrees", rank);
	MPI_Dist_graph_neighbors(graph, 2, got, got_weights, 2, gone, gone_weights);
	expect((gone[0] == (rank + 1) % size && gone[1] == (rank + 2) % size) ||
		       (gone[1] == (rank + 1) % size && gone[0] == (rank + 2) % size),
	       "neighbours", rank);
	MPI_Comm_free(&graph);
}

static void check_known(void)
{
	/* a grid of fewer processes than there are, when there are more than four */
	dims[0] = size > 4 ? (size - 2) / 2 : size / 2, dims[1] = 2;
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &graph);
	if (graph != MPI_COMM_NULL) {
		MPI_Comm_rank(graph, &rank);
		MPI_Cart_coords(graph, rank, 2, at);
		expect(at[0] == rank / 2 && at[1] == rank % 2, "coordinates", rank);
		MPI_Comm_free(&graph);
	}
	dims[0] = size / 2;
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &graph);
	MPI_Comm_rank(graph, &rank);
	MPI_Gather(&world, 1, MPI_INT, all, 1, MPI_INT, 0, graph);
	if (rank == 0) {
		printf("process of each rank of the grid:");
		for (int r = 0; r < size; r++)
			printf(" %d", all[r]);
		printf("\n");
	}
	MPI_Cart_shift(graph, 0, 1, &in[0], &in[1]);
	expect(in[1] == (rank + 2) % size, "neighbour in the grid", rank);
	MPI_Comm_free(&graph);

	/* a graph that all know: a ring one way */
	ends = malloc((size_t)size * sizeof(*ends));
	edges = malloc((size_t)size * sizeof(*edges));
	for (int v = 0; v < size; v++)
		ends[v] = v + 1, edges[v] = (v + 1) % size;
	MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 1, &graph);
	MPI_Comm_rank(graph, &rank);
	MPI_Graph_neighbors(graph, rank, 1, &next);
	expect(next == (rank + 1) % size, "neighbour in the graph", rank);
	MPI_Comm_free(&graph);

	/* one rank */
	MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, (int[]){0}, &one, 1, (int[]){0}, &one,
				       MPI_INFO_NULL, 1, &graph);
	MPI_Comm_size(graph, &nin);
	expect(nin == 1, "graph of one rank", world);
	MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &world);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	all = malloc((size_t)size * sizeof(*all));
	MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
	MPI_Comm_set_attr(MPI_COMM_WORLD, key, &one);
	check_adjacent();
	check_dist();
	check_known();
	expect(copies == 0, "copies of an attribute", world);
	MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	MPI_Finalize();
	return wrong;
}
