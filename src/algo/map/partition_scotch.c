/* partition_scotch.c - parts of given sizes by libscotch, repaired to be exact */
#include "algo/map/map.h"
#include "algo/map/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SCOTCH
#include <scotch.h>
#endif

#include "base/mem.h"

#ifdef HAVE_SCOTCH
/* Scotch's edge loads are integers: bytes are scaled so that the sum of all stays below 2^30. */
static double edge_scale(const struct comm *comm)
{
	double sum = 0, least = 0;

	for (int64_t e = 0; e < comm->nedges; e++) {
		sum += comm->bytes[e];
		if (comm->bytes[e] > 0 && (least == 0 || comm->bytes[e] < least))
			least = comm->bytes[e];
	}
	if (sum == 0)
		return 1;
	return sum / least < 1e9 ? 1 / least : 1e9 / sum;
}

/*
 * One thread and a fixed seed of its own: on several threads Scotch's answer depends on how many
 * there are, and thus on the machine.
 */
static int map_alone(const SCOTCH_Graph *graph, const SCOTCH_Arch *arch, SCOTCH_Strat *strat,
		     SCOTCH_Num *part_of)
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
	SCOTCH_contextRandomSeed(&context, 1);
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

static int run_scotch(const struct comm *comm, int nparts, const int *size, int *part_of)
{
	SCOTCH_Num n = comm->nranks, *first, *peer, *load, *weight;
	SCOTCH_Graph graph;
	SCOTCH_Arch arch;
	SCOTCH_Strat strat;
	double scale = edge_scale(comm);
	int status;

	first = xmalloc(((size_t)n + 1) * sizeof(*first));
	peer = xmalloc((size_t)comm->nedges * sizeof(*peer));
	load = xmalloc((size_t)comm->nedges * sizeof(*load));
	weight = xmalloc((size_t)nparts * sizeof(*weight));
	for (SCOTCH_Num i = 0; i <= n; i++)
		first[i] = (SCOTCH_Num)comm->first[i];
	for (int64_t e = 0; e < comm->nedges; e++) {
		peer[e] = comm->peer[e];
		load[e] = (SCOTCH_Num)(comm->bytes[e] * scale + 0.5);
		if (load[e] < 1)
			load[e] = 1;
	}
	for (int p = 0; p < nparts; p++)
		weight[p] = size[p];
	SCOTCH_graphInit(&graph);
	SCOTCH_archInit(&arch);
	SCOTCH_stratInit(&strat);
	status = SCOTCH_graphBuild(&graph, 0, n, first, first + 1, NULL, NULL,
				   (SCOTCH_Num)comm->nedges, peer, load);
	if (status == 0)
		status = SCOTCH_archCmpltw(&arch, nparts, weight);
	if (status == 0)
		status = SCOTCH_stratGraphMapBuild(&strat, SCOTCH_STRATQUALITY, nparts, 0.001);
	if (status == 0)
		status = map_alone(&graph, &arch, &strat, (SCOTCH_Num *)part_of);
	SCOTCH_stratExit(&strat);
	SCOTCH_archExit(&arch);
	SCOTCH_graphExit(&graph);
	free(first);
	free(peer);
	free(load);
	free(weight);
	return status;
}

/* What rank r loses (bytes to its own part less bytes to the other). */
static double loss(const struct comm *comm, const int *part_of, int r, int to)
{
	double sum = 0;

	for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
		if (part_of[comm->peer[e]] == part_of[r])
			sum += comm->bytes[e];
		else if (part_of[comm->peer[e]] == to)
			sum -= comm->bytes[e];
	}
	return sum;
}

/* Moves one rank out of a part that is too large into one that is too small, until none is. */
static void repair(const struct comm *comm, int nparts, const int *size, int *part_of)
{
	int *excess = xcalloc((size_t)nparts, sizeof(*excess));
	int to = 0;

	for (int p = 0; p < nparts; p++)
		excess[p] = -size[p];
	for (int r = 0; r < comm->nranks; r++)
		excess[part_of[r]]++;
	for (;;) {
		int best = -1;
		double best_loss = 0;

		while (to < nparts && excess[to] >= 0)
			to++;
		if (to == nparts)
			break;
		for (int r = 0; r < comm->nranks; r++) {
			double l;

			if (excess[part_of[r]] <= 0)
				continue;
			l = loss(comm, part_of, r, to);
			if (best < 0 || l < best_loss) {
				best = r;
				best_loss = l;
			}
		}
		excess[part_of[best]]--;
		excess[to]++;
		part_of[best] = to;
	}
	free(excess);
}

int partition_scotch(const struct comm *comm, int nparts, const int *size, int *part_of,
		     struct err *err)
{
	if (nparts == 1) {
		memset(part_of, 0, (size_t)comm->nranks * sizeof(*part_of));
		return 0;
	}
	if (run_scotch(comm, nparts, size, part_of) != 0)
		return err_set(err, "libscotch does not partition %d ranks into %d parts",
			       comm->nranks, nparts);
	repair(comm, nparts, size, part_of);
	return 0;
}
#else
int partition_scotch(const struct comm *comm, int nparts, const int *size, int *part_of,
		     struct err *err)
{
	(void)comm, (void)nparts, (void)size, (void)part_of;
	return err_set(err,
		       "this build has no libscotch (Debian: libscotch-dev), which cuts graphs; "
		       "mappers and partitions that do without it: in-order, block");
}
#endif

static int run(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
	       int *part_of, struct err *err)
{
	(void)pick;
	return partition_scotch(in->symmetric, nparts, size, part_of, err);
}

const struct map_partition map_partition_scotch = {
	.entry =
		{
			.name = "scotch",
			.example = "scotch",
			.summary =
				"few bytes between the parts: libscotch, repaired to exact sizes",
		},
	.run = run,
};
