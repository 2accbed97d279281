/* rank_order.c - a PMPI library: MPI_Dist_graph_create gives ranks by a mapping of mapref
 *
 *   mpicc -shared -fPIC -o librank_order.so rank_order.c
 *   LD_PRELOAD=./librank_order.so mpirun …          or linked in front of the MPI library
 *
 * RANK_ORDER_GRAPH=FILE    the first graph is written there, as a stream of the kind comm
 * RANK_ORDER_MAPPING=FILE  graphs with reorder get their ranks by this mapping (rank, node, core)
 * RANK_ORDER_HOSTS=FILE    the node of each process of MPI_COMM_WORLD, one a line; without it a
 *                          process is on the node that MPI_Get_processor_name says
 *
 * Mirsadeghi and Afsahi, PTRAM, §V: the vertices of the graph stay what they are, and the process
 * that lies where the mapping puts vertex r becomes rank r of the new communicator.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = MPI_MAX_PROCESSOR_NAME };

struct slot {
	char node[NAME];
	int core, rank;
};

static void stop(const char *what, const char *name)
{
	fprintf(stderr, "rank_order: %s: %s\n", name, what);
	MPI_Abort(MPI_COMM_WORLD, 2);
}

/* The node of this process: its line of RANK_ORDER_HOSTS, or the processor's name. */
static void find_node(char node[NAME])
{
	const char *path = getenv("RANK_ORDER_HOSTS");
	int rank, n;
	FILE *file;

	memset(node, 0, NAME);
	if (path == NULL) {
		MPI_Get_processor_name(node, &n);
		return;
	}
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	file = fopen(path, "r");
	if (file == NULL)
		stop("can't be read", path);
	for (int line = 0; line <= rank; line++)
		if (fgets(node, NAME, file) == NULL)
			stop("has fewer lines than there are processes", path);
	fclose(file);
	n = (int)strcspn(node, "\r\n");
	memset(node + n, 0, (size_t)(NAME - n));
}

/* The rows of a mapping, whose columns stand in any order. Returns their number. */
static int read_mapping(const char *path, struct slot *slots, int size)
{
	char line[4096];
	int place[3] = {-1, -1, -1}, n = 0; /* of rank, node, core */
	static const char *const names[3] = {"rank", "node", "core"};
	int has_header = 0;
	FILE *file = fopen(path, "r");

	if (file == NULL)
		stop("can't be read", path);
	while (fgets(line, sizeof(line), file) != NULL) {
		char *cell = line, *cells[3] = {NULL};

		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] == '#')
			continue;
		for (int i = 0; cell != NULL; i++) {
			char *next = strchr(cell, '\t');

			if (next != NULL)
				*next++ = '\0';
			for (int c = 0; c < 3; c++) {
				if (!has_header && strcmp(cell, names[c]) == 0)
					place[c] = i;
				if (has_header && place[c] == i)
					cells[c] = cell;
			}
			cell = next;
		}
		if (has_header && (cells[0] == NULL || cells[1] == NULL || n == size))
			stop("is no mapping of as many ranks as the graph has", path);
		if (has_header) {
			slots[n].rank = (int)strtol(cells[0], NULL, 10);
			slots[n].core = cells[2] != NULL ? (int)strtol(cells[2], NULL, 10) : n;
			snprintf(slots[n++].node, NAME, "%s", cells[1]);
		}
		has_header = 1;
	}
	fclose(file);
	if (n != size)
		stop("is no mapping of as many ranks as the graph has", path);
	return n;
}

static int by_place(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;
	int order = strcmp(x->node, y->node);

	return order != 0 ? order : x->core - y->core;
}

/* The rank that the mapping gives this process: the i-th process of a node (by its old rank) gets
 * the rank on the i-th of the node's cores that are used. */
static int new_rank(MPI_Comm comm, const char *path)
{
	int size, rank, before = 0, found = -1;
	char mine[NAME], *nodes;
	struct slot *slots;

	MPI_Comm_size(comm, &size);
	MPI_Comm_rank(comm, &rank);
	find_node(mine);
	nodes = malloc((size_t)size * NAME);
	slots = malloc((size_t)size * sizeof(*slots));
	MPI_Allgather(mine, NAME, MPI_CHAR, nodes, NAME, MPI_CHAR, comm);
	if (rank == 0) {
		read_mapping(path, slots, size);
		qsort(slots, (size_t)size, sizeof(*slots), by_place);
	}
	MPI_Bcast(slots, size * (int)sizeof(*slots), MPI_BYTE, 0, comm);
	for (int i = 0; i < rank; i++)
		before += strcmp(nodes + (size_t)i * NAME, mine) == 0;
	for (int i = 0; i < size && found < 0; i++)
		if (strcmp(slots[i].node, mine) == 0 && before-- == 0)
			found = slots[i].rank;
	if (found < 0)
		stop("has fewer ranks on a node than there are processes", path);
	free(nodes);
	free(slots);
	return found;
}

/* All edges on the first process, written as src dst bytes; a weight is taken for bytes. */
static void write_graph(MPI_Comm comm, const char *path, int n, const int *sources,
			const int *degrees, const int *destinations, const int *weights)
{
	int size, rank, nmine = 0, *counts, *starts, *mine, *all = NULL, total = 0;

	MPI_Comm_size(comm, &size);
	MPI_Comm_rank(comm, &rank);
	for (int i = 0; i < n; i++)
		nmine += 3 * degrees[i];
	mine = malloc(((size_t)nmine + 1) * sizeof(*mine));
	counts = malloc((size_t)size * sizeof(*counts));
	starts = malloc((size_t)size * sizeof(*starts));
	for (int i = 0, edge = 0; i < n; i++)
		for (int k = 0; k < degrees[i]; k++, edge++) {
			mine[3 * edge] = sources[i];
			mine[3 * edge + 1] = destinations[edge];
			mine[3 * edge + 2] = weights == MPI_UNWEIGHTED ? 1 : weights[edge];
		}
	MPI_Gather(&nmine, 1, MPI_INT, counts, 1, MPI_INT, 0, comm);
	for (int i = 0; i < size && rank == 0; i++) {
		starts[i] = total;
		total += counts[i];
	}
	if (rank == 0)
		all = malloc(((size_t)total + 1) * sizeof(*all));
	MPI_Gatherv(mine, nmine, MPI_INT, all, counts, starts, MPI_INT, 0, comm);
	if (rank == 0) {
		FILE *file = fopen(path, "w");

		if (file == NULL)
			stop("can't be written", path);
		fprintf(file, "##placetools=comm/1 end=yes\nsrc\tdst\tbytes\n");
		for (int i = 0; i < total; i += 3)
			fprintf(file, "%d\t%d\t%d\n", all[i], all[i + 1], all[i + 2]);
		fprintf(file, "##end\n");
		if (fclose(file) != 0)
			stop("can't be written", path);
	}
	free(mine);
	free(counts);
	free(starts);
	free(all);
}

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
			  const int destinations[], const int weights[], MPI_Info info, int reorder,
			  MPI_Comm *graph)
{
	const char *mapping = getenv("RANK_ORDER_MAPPING"), *record = getenv("RANK_ORDER_GRAPH");
	static int is_recorded;
	MPI_Comm ordered;
	int status;

	if (record != NULL && !is_recorded)
		write_graph(comm, record, n, sources, degrees, destinations, weights);
	is_recorded = 1;
	if (!reorder || mapping == NULL)
		return PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights,
					      info, 0, graph);
	PMPI_Comm_split(comm, 0, new_rank(comm, mapping), &ordered);
	status = PMPI_Dist_graph_create(ordered, n, sources, degrees, destinations, weights, info,
					0, graph);
	PMPI_Comm_free(&ordered);
	return status;
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int nin, const int sources[],
				   const int in_weights[], int nout, const int destinations[],
				   const int out_weights[], MPI_Info info, int reorder,
				   MPI_Comm *graph)
{
	int rank;

	if (!reorder)
		return PMPI_Dist_graph_create_adjacent(comm, nin, sources, in_weights, nout,
						       destinations, out_weights, info, 0, graph);
	/* who becomes this rank may be another process: it must be told its neighbours */
	PMPI_Comm_rank(comm, &rank);
	return MPI_Dist_graph_create(comm, 1, &rank, &nout, destinations, out_weights, info, 1,
				     graph);
}
