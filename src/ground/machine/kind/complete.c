/* complete.c - every router joined to every other */
#include <stdlib.h>

#include "formats/out.h"
#include "machine/kind/shape.h"
#include "machine/stats/pairs.h"

enum { LEVEL_LOCAL = LINK_TERMINAL + 1 };

struct complete {
	int per, cables;
};

static int shape(struct topo *topo, const struct pick *pick, struct err *err)
{
	struct complete *complete = xcalloc(1, sizeof(*complete));
	int64_t nodes = pick_int(pick, "nodes"), per = pick_int(pick, "per-router");
	int64_t nrouters = nodes / per, cables = pick_int(pick, "cables");

	topo->shape = complete;
	*complete = (struct complete){(int)per, (int)cables};
	if (nodes % per != 0)
		return err_set(err, "nodes=%lld is not a multiple of per-router=%lld",
			       (long long)nodes, (long long)per);
	if (topo_set_size(topo, nodes, nrouters, nrouters * (nrouters - 1) / 2 * cables + nodes,
			  err) != 0)
		return -1;
	topo_set_routers(topo, complete->per);
	topo_level_add(topo, "local");
	return 0;
}

static void links(const struct topo *topo, topo_link_fn *add, void *context)
{
	const struct complete *complete = topo->shape;

	topo_add_terminals(topo, add, context);
	for (int a = 0; a < topo->nrouters; a++)
		for (int b = a + 1; b < topo->nrouters; b++)
			for (int cable = 0; cable < complete->cables; cable++)
				add(context, topo->nnodes + a, topo->nnodes + b, LEVEL_LOCAL);
}

static int distance(const struct topo *topo, int a, int b)
{
	(void)topo;
	return a != b;
}

static void pairs(const struct topo *topo, const struct router_counts *counts,
		  struct pair_links *links)
{
	uint64_t all, same;

	(void)topo;
	topo_count_pairs(counts, &all, &same);
	pair_links_add(links, all - same, 1);
}

static bool within(const struct topo *topo, const struct router_counts *counts, const bool *is_open,
		   uint64_t *npairs)
{
	uint64_t all = 0, same = 0;

	(void)topo;
	for (int i = 0; i < counts->n; i++) {
		uint64_t n = (uint64_t)counts->count_of[counts->routers[i]];

		all += is_open[counts->routers[i]] ? n : 0;
		same += is_open[counts->routers[i]] ? n * n : 0;
	}
	*npairs = all * all - same;
	return true;
}

static int next(const struct topo *topo, int a, int b, int node_b, int *cable)
{
	const struct complete *complete = topo->shape;

	(void)a;
	*cable = node_b % complete->cables;
	return b;
}

static void distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct complete *complete = topo->shape;
	uint64_t n = (uint64_t)topo->nnodes, per = (uint64_t)complete->per;

	topo_counts_start(counts, topo->nrouters > 1);
	counts->pairs[0] = n * (per - 1);
	if (topo->nrouters > 1)
		counts->pairs[1] = n * (n - per);
}

static int bisection(const struct topo *topo, double *bytes_per_s, const char **how)
{
	const struct complete *complete = topo->shape;
	int64_t half = topo->nrouters / 2;

	if (half == 0)
		return -1;
	*bytes_per_s = (double)(half * (topo->nrouters - half) * complete->cables) *
		       topo->levels[LEVEL_LOCAL].bandwidth;
	*how = "exact: floor(r/2) ceil(r/2) links, of a complete graph";
	return 0;
}

static bool write_scotch(const struct topo *topo, int ncores, struct out *out)
{
	if (ncores > 1 || topo->nnodes != topo->nrouters)
		return false;
	out_printf(out, "cmplt\n%d\n", topo->nnodes);
	return true;
}

static void free_shape(struct topo *topo)
{
	free(topo->shape);
}

static const struct param params[] = {
	TOPO_ALL_NODES,     TOPO_CABLES("cables", "two routers"), TOPO_PER_ROUTER,
	TOPO_COMMON_PARAMS, TOPO_LEVEL_PARAMS("local"),           {.key = NULL},
};

const struct topo_type topo_type_complete = {
	.entry =
		{
			.name = "complete",
			.summary = "every router joined to every other",
			.example = "complete:nodes=8",
			.params = params,
		},
	.family = "complete",
	.shape = shape,
	.links = links,
	.distance = distance,
	.next = next,
	.distances = distances,
	.pairs = pairs,
	.within = within,
	.is_tree_like = true,
	.bisection = bisection,
	.write_scotch = write_scotch,
	.free_shape = free_shape,
};
