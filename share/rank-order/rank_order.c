/* rank_order.c - a PMPI library: graphs and grids that MPI may reorder get the ranks of a mapping
 *
 * placetools-rank-order(7) is its manual page.
 *
 * Mirsadeghi and Afsahi, PTRAM, §V: the vertices of the graph stay what they are, and the process
 * that lies where the mapping puts vertex r becomes rank r of the new communicator.
 */
#include "rank_order.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = MPI_MAX_PROCESSOR_NAME, COUNT_TAG = 1, LIST_TAG, EDGES_TAG };

_Thread_local int rank_order_asks;

void rank_order_check(void)
{
	static char version[MPI_MAX_LIBRARY_VERSION_STRING + 8192]; /* of whichever MPI */
	static const char *const firsts[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"};
	bool is_open_mpi, is_first = true;
	int length;

	if (version[0] != '\0')
		return;
	PMPI_Get_library_version(version, &length);
	is_open_mpi = strstr(version, "Open MPI") != NULL;
#ifdef OPEN_MPI
	if (is_open_mpi)
		return;
#else
	if (!is_open_mpi)
		return;
#endif
	/* no call of it can be made: its handles are of other types */
	for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
		const char *rank = getenv(firsts[i]);

		is_first = is_first && (rank == NULL || strcmp(rank, "0") == 0);
	}
	if (is_first)
		fprintf(stderr,
			"rank-order: the library is not built for this program's MPI (%.*s): "
			"compile it with that mpicc\n",
			(int)strcspn(version, "\n,"), version);
	_Exit(2);
}

void rank_order_stop(const char *name, const char *what)
{
	fprintf(stderr, "rank-order: %s: %s\n", name, what);
	PMPI_Abort(MPI_COMM_WORLD, 2);
	_Exit(2);
}

void *rank_order_room(size_t n, size_t size)
{
	void *room = calloc(n + 1, size);

	if (room == NULL)
		rank_order_stop("memory", "there is not enough");
	return room;
}

/* ---- the graph ---- */

/* What one process says of the graph: src, dst, weight each. */
struct edges {
	int *at;
	size_t n, room;
};

static void add_edge(struct edges *edges, int from, int to, int weight)
{
	if (from == to || to < 0) /* MPI_PROC_NULL, and what stays where it is */
		return;
	if (edges->n == edges->room) {
		edges->room = 2 * edges->room + 64;
		edges->at = realloc(edges->at, edges->room * 3 * sizeof(*edges->at));
		if (edges->at == NULL)
			rank_order_stop("memory", "there is not enough");
	}
	edges->at[3 * edges->n] = from;
	edges->at[3 * edges->n + 1] = to;
	edges->at[3 * edges->n++ + 2] = weight;
}

static void write_edges(FILE *file, const int *at, int n)
{
	for (int i = 0; i + 2 < n; i += 3)
		fprintf(file, "%d\t%d\t%d\n", at[i], at[i + 1], at[i + 2]);
}

/* The first process gets the others' edges, one after the other; a weight is taken for bytes. */
static void record(MPI_Comm mine, const char *path, const struct edges *edges)
{
	int size, rank, n = (int)(3 * edges->n);
	FILE *file;

	PMPI_Comm_size(mine, &size);
	PMPI_Comm_rank(mine, &rank);
	if (rank != 0) {
		PMPI_Send(edges->at, n, MPI_INT, 0, EDGES_TAG, mine);
		return;
	}
	if ((file = fopen(path, "w")) == NULL)
		rank_order_stop(path, strerror(errno));
	fprintf(file, "##placetools=comm/1 end=yes\nsrc\tdst\tbytes\n");
	write_edges(file, edges->at, n);
	for (int p = 1; p < size; p++) {
		MPI_Status status;
		int *at;

		PMPI_Probe(p, EDGES_TAG, mine, &status);
		PMPI_Get_count(&status, MPI_INT, &n);
		at = rank_order_room((size_t)n, sizeof(*at));
		PMPI_Recv(at, n, MPI_INT, p, EDGES_TAG, mine, MPI_STATUS_IGNORE);
		write_edges(file, at, n);
		free(at);
	}
	fprintf(file, "##end\n");
	if (fclose(file) != 0)
		rank_order_stop(path, strerror(errno));
}

/* ---- the order ---- */

/* The node of this process: its line of RANK_ORDER_HOSTS, or the processor's name. */
static void find_node(char node[NAME])
{
	const char *path = getenv("RANK_ORDER_HOSTS");
	char *line = NULL;
	size_t room = 0;
	int rank, n;
	FILE *file;

	memset(node, 0, NAME);
	if (path == NULL) {
		PMPI_Get_processor_name(node, &n);
		return;
	}
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if ((file = fopen(path, "r")) == NULL)
		rank_order_stop(path, strerror(errno));
	for (int i = 0; i <= rank; i++)
		if (getline(&line, &room, file) < 0)
			rank_order_stop(path, "has fewer lines than there are processes");
	fclose(file);
	line[strcspn(line, "\r\n")] = '\0';
	if (strlen(line) >= NAME)
		rank_order_stop(path, "expected a node's name in each line");
	memcpy(node, line, strlen(line));
	free(line);
}

/* What a call of the program comes to. */
struct call {
	MPI_Comm mine;    /* the program's processes in their order: no message meets its own */
	MPI_Comm ordered; /* with the new ranks; MPI_COMM_NULL: nothing is reordered */
	const char *record;
	double begin;
	int nmoved;
};

/* The ranks of nvertices by the mapping; one that has another number of ranks is for another
 * graph of the program. */
static void order(struct call *call, const char *path, int nvertices)
{
	int size, rank, world, n = 0, *ranks;
	struct rank_order_slot *slots = NULL;
	char mine[NAME], *nodes = NULL;
	static bool is_said;

	PMPI_Comm_size(call->mine, &size);
	PMPI_Comm_rank(call->mine, &rank);
	PMPI_Comm_rank(MPI_COMM_WORLD, &world);
	if (rank == 0) {
		slots = rank_order_read(path, &n);
		if (n != nvertices && world == 0 && !is_said) {
			fprintf(stderr,
				"rank-order: %s has %d ranks: a graph of %d vertices stays as it is\n",
				path, n, nvertices);
			is_said = true;
		}
		nodes = rank_order_room((size_t)size, NAME);
	}
	PMPI_Bcast(&n, 1, MPI_INT, 0, call->mine);
	if (n == nvertices) {
		int new_rank;

		find_node(mine);
		PMPI_Gather(mine, NAME, MPI_CHAR, nodes, NAME, MPI_CHAR, 0, call->mine);
		ranks = rank_order_room(rank == 0 ? (size_t)size : 0, sizeof(*ranks));
		if (rank == 0)
			rank_order_assign(path, slots, n, nodes, size, ranks);
		for (int i = 0; rank == 0 && i < size; i++)
			call->nmoved += ranks[i] != i;
		PMPI_Scatter(ranks, 1, MPI_INT, &new_rank, 1, MPI_INT, 0, call->mine);
		PMPI_Comm_split(call->mine, 0, new_rank, &call->ordered);
		free(ranks);
	}
	free(slots);
	free(nodes);
}

/*
 * Collective: the first process decides for all, whatever variables the others have. nvertices:
 * of the graph. Returns whether its edges are to be recorded.
 */
static bool begin(struct call *call, MPI_Comm comm, int reorder, int nvertices)
{
	static bool is_recorded;
	const char *mapping = getenv("RANK_ORDER_MAPPING");
	int rank, size, todo[2];

	rank_order_check();
	*call = (struct call){.mine = MPI_COMM_NULL, .ordered = MPI_COMM_NULL};
	if (rank_order_asks)
		return false;
	call->begin = PMPI_Wtime();
	call->record = getenv("RANK_ORDER_GRAPH");
	PMPI_Comm_rank(comm, &rank);
	PMPI_Comm_size(comm, &size);
	todo[0] = call->record != NULL && !is_recorded;
	todo[1] = mapping != NULL && reorder && nvertices <= size;
	PMPI_Bcast(todo, 2, MPI_INT, 0, comm);
	if (!todo[0] && !todo[1])
		return false;
	PMPI_Comm_split(comm, 0, rank, &call->mine); /* a duplicate would copy attributes */
	is_recorded = is_recorded || todo[0];
	if (todo[1])
		order(call, mapping, nvertices);
	return todo[0];
}

/* What process r knew of vertex r goes to the process that is it now. Returns that, to be freed. */
static int *pass_on(const struct call *call, const int *list, int n, int *got)
{
	MPI_Status status;
	int rank, *at;

	PMPI_Comm_rank(call->mine, &rank);
	PMPI_Sendrecv(&n, 1, MPI_INT, rank, COUNT_TAG, got, 1, MPI_INT, MPI_ANY_SOURCE, COUNT_TAG,
		      call->ordered, &status);
	at = rank_order_room((size_t)*got, sizeof(*at));
	PMPI_Sendrecv(list, n, MPI_INT, rank, LIST_TAG, at, *got, MPI_INT, status.MPI_SOURCE,
		      LIST_TAG, call->ordered, MPI_STATUS_IGNORE);
	return at;
}

static int end(struct call *call, int status)
{
	int rank;

	if (call->mine == MPI_COMM_NULL)
		return status;
	PMPI_Comm_rank(call->mine, &rank);
	if (call->ordered != MPI_COMM_NULL) {
		if (rank == 0)
			fprintf(stderr, "rank-order: %d processes have another rank, in %.3f ms\n",
				call->nmoved, 1000 * (PMPI_Wtime() - call->begin));
		PMPI_Comm_free(&call->ordered);
	}
	PMPI_Comm_free(&call->mine);
	return status;
}

static int size_of(MPI_Comm comm)
{
	int size;

	rank_order_check();
	PMPI_Comm_size(comm, &size);
	return size;
}

/* ---- the four calls ---- */

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
			  const int destinations[], const int weights[], MPI_Info info, int reorder,
			  MPI_Comm *graph)
{
	bool is_weighted, is_recorded;
	int nedges = 0, got, k, *list, *at;
	struct edges edges = {NULL};
	struct call call;

	is_recorded = begin(&call, comm, reorder, size_of(comm));
	is_weighted = weights != MPI_UNWEIGHTED;
	for (int i = 0; i < n; i++)
		for (int d = 0; d < degrees[i]; d++, nedges++)
			if (is_recorded)
				add_edge(&edges, sources[i], destinations[nedges],
					 is_weighted ? weights[nedges] : 1);
	if (is_recorded)
		record(call.mine, call.record, &edges);
	free(edges.at);
	if (call.ordered == MPI_COMM_NULL)
		return end(&call, PMPI_Dist_graph_create(comm, n, sources, degrees, destinations,
							 weights, info, reorder, graph));
	/* n, whether weighted, sources, degrees, destinations, weights */
	list = rank_order_room(2 + 2 * (size_t)n + 2 * (size_t)nedges, sizeof(*list));
	list[0] = n;
	list[1] = is_weighted;
	k = 2;
	for (int i = 0; i < n; i++, k++) {
		list[k] = sources[i];
		list[k + n] = degrees[i];
	}
	k += n;
	for (int i = 0; i < nedges; i++, k++) {
		list[k] = destinations[i];
		list[k + nedges] = is_weighted ? weights[i] : 1;
	}
	at = pass_on(&call, list, 2 + 2 * n + 2 * nedges, &got);
	nedges = (got - 2) / 2 - at[0];
	got = PMPI_Dist_graph_create(
		call.ordered, at[0], at + 2, at + 2 + at[0], at + 2 + 2 * at[0],
		at[1] ? at + 2 + 2 * at[0] + nedges : MPI_UNWEIGHTED, info, 0, graph);
	free(list);
	free(at);
	return end(&call, got);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int nin, const int sources[],
				   const int in_weights[], int nout, const int destinations[],
				   const int out_weights[], MPI_Info info, int reorder,
				   MPI_Comm *graph)
{
	bool is_recorded, is_in, is_out;
	int rank, got, *list, *at, *in;
	struct edges edges = {NULL};
	struct call call;

	is_recorded = begin(&call, comm, reorder, size_of(comm));
	is_in = in_weights != MPI_UNWEIGHTED;
	is_out = out_weights != MPI_UNWEIGHTED;
	if (is_recorded) {
		PMPI_Comm_rank(comm, &rank);
		for (int i = 0; i < nout; i++)
			add_edge(&edges, rank, destinations[i], is_out ? out_weights[i] : 1);
		record(call.mine, call.record, &edges);
		free(edges.at);
	}
	if (call.ordered == MPI_COMM_NULL)
		return end(&call, PMPI_Dist_graph_create_adjacent(comm, nin, sources, in_weights,
								  nout, destinations, out_weights,
								  info, reorder, graph));
	/* nin, whether each is weighted, sources, their weights, destinations, their weights */
	list = rank_order_room(3 + 2 * (size_t)nin + 2 * (size_t)nout, sizeof(*list));
	list[0] = nin;
	list[1] = is_in;
	list[2] = is_out;
	for (int i = 0; i < nin; i++) {
		list[3 + i] = sources[i];
		list[3 + nin + i] = is_in ? in_weights[i] : 1;
	}
	for (int i = 0; i < nout; i++) {
		list[3 + 2 * nin + i] = destinations[i];
		list[3 + 2 * nin + nout + i] = is_out ? out_weights[i] : 1;
	}
	at = pass_on(&call, list, 3 + 2 * nin + 2 * nout, &got);
	nin = at[0];
	nout = (got - 3) / 2 - nin;
	in = at + 3;
	got = PMPI_Dist_graph_create_adjacent(
		call.ordered, nin, in, at[1] ? in + nin : MPI_UNWEIGHTED, nout, in + 2 * nin,
		at[2] ? in + 2 * nin + nout : MPI_UNWEIGHTED, info, 0, graph);
	free(list);
	free(at);
	return end(&call, got);
}

int MPI_Graph_create(MPI_Comm comm, int n, const int index[], const int neighbours[], int reorder,
		     MPI_Comm *graph)
{
	struct edges edges = {NULL};
	struct call call;
	int rank;

	if (begin(&call, comm, reorder, n)) {
		PMPI_Comm_rank(comm, &rank);
		for (int v = 0; rank == 0 && v < n; v++)
			for (int k = v > 0 ? index[v - 1] : 0; k < index[v]; k++)
				add_edge(&edges, v, neighbours[k], 1);
		record(call.mine, call.record, &edges);
		free(edges.at);
	}
	if (call.ordered == MPI_COMM_NULL)
		return end(&call, PMPI_Graph_create(comm, n, index, neighbours, reorder, graph));
	return end(&call, PMPI_Graph_create(call.ordered, n, index, neighbours, 0, graph));
}

/* The neighbours of a rank in a grid whose last dimension runs fastest: MPI-3.1, 7.5.1. */
static void add_neighbours(struct edges *edges, int rank, int ndims, const int *dims,
			   const int *periods)
{
	for (int d = ndims - 1, stride = 1; d >= 0; stride *= dims[d], d--) {
		int at = rank / stride % dims[d];

		for (int step = -1; step <= 1; step += 2) {
			int to = at + step;

			if (periods[d])
				to = (to + dims[d]) % dims[d];
			if (to >= 0 && to < dims[d])
				add_edge(edges, rank, rank + (to - at) * stride, 1);
		}
	}
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
		    MPI_Comm *grid)
{
	struct edges edges = {NULL};
	struct call call;
	int rank, size = size_of(comm), n = 1;

	for (int d = 0; d < ndims && n > 0; d++)
		n = dims[d] > 0 && dims[d] <= size / n ? n * dims[d] : 0;
	/* a grid that does not fit is MPI's to refuse */
	if (begin(&call, comm, reorder && n > 0, n)) {
		PMPI_Comm_rank(comm, &rank);
		if (rank < n)
			add_neighbours(&edges, rank, ndims, dims, periods);
		record(call.mine, call.record, &edges);
		free(edges.at);
	}
	if (call.ordered == MPI_COMM_NULL)
		return end(&call, PMPI_Cart_create(comm, ndims, dims, periods, reorder, grid));
	return end(&call, PMPI_Cart_create(call.ordered, ndims, dims, periods, 0, grid));
}
