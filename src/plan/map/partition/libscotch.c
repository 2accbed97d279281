/* libscotch.c - libscotch on communication graphs, the same everywhere */
#include "map/partition/libscotch.h"

#include "map/partition/graph_cut.h"

#ifdef HAVE_SCOTCH
#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

/*
 * One thread and a fixed seed: on several threads Scotch's answer depends on how many
 * there are, and thus on the machine.
 */
static int map_alone(const SCOTCH_Graph *graph, const SCOTCH_Arch *arch, SCOTCH_Strat *strat,
		     int seed, SCOTCH_Num *part_of)
{
	SCOTCH_Context context;
	SCOTCH_Graph bound;
	int status = SCOTCH_contextInit(&context);

	if (status != 0)
		return status;
	status = SCOTCH_contextOptionSetNum(&context, SCOTCH_OPTIONNUMDETERMINISTIC, 1);
	if (status == 0)
		status = SCOTCH_contextThreadSpawn(&context, 1, NULL);
	if (status == 0)
		status = SCOTCH_contextRandomClone(&context);
	SCOTCH_contextRandomSeed(&context, seed);
	SCOTCH_contextRandomReset(&context);
	SCOTCH_graphInit(&bound);
	if (status == 0)
		status = SCOTCH_contextBindGraph(&context, graph, &bound);
	if (status == 0)
		status = SCOTCH_graphMap(&bound, arch, strat, part_of);
	SCOTCH_graphExit(&bound);
	SCOTCH_contextExit(&context);
	return status;
}

/* The library's parser of strategies and its random generator are not thread-safe. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

int libscotch_map(const struct comm *comm, const SCOTCH_Arch *arch, int nplaces, double imbalance,
		  int seed, int *place_of)
{
	SCOTCH_Num n = comm->nranks, *first, *peer, *load;
	SCOTCH_Graph graph;
	SCOTCH_Strat strat;
	double scale = partition_scale(comm);
	int status;

	first = xmalloc(((size_t)n + 1) * sizeof(*first));
	peer = xmalloc((size_t)comm->nedges * sizeof(*peer));
	load = xmalloc((size_t)comm->nedges * sizeof(*load));
	for (SCOTCH_Num i = 0; i <= n; i++)
		first[i] = (SCOTCH_Num)comm->first[i];
	for (int64_t e = 0; e < comm->nedges; e++) {
		peer[e] = comm->peer[e];
		load[e] = (SCOTCH_Num)(comm->bytes[e] * scale + 0.5);
		if (load[e] < 1)
			load[e] = 1;
	}
	SCOTCH_graphInit(&graph);
	SCOTCH_stratInit(&strat);
	status = SCOTCH_graphBuild(&graph, 0, n, first, first + 1, NULL, NULL,
				   (SCOTCH_Num)comm->nedges, peer, load);
	pthread_mutex_lock(&turn);
	if (status == 0)
		status = SCOTCH_stratGraphMapBuild(&strat, SCOTCH_STRATQUALITY, nplaces, imbalance);
	if (status == 0)
		status = map_alone(&graph, arch, &strat, seed, (SCOTCH_Num *)place_of);
	pthread_mutex_unlock(&turn);
	SCOTCH_stratExit(&strat);
	SCOTCH_graphExit(&graph);
	free(first);
	free(peer);
	free(load);
	return status;
}
#endif
