/* clusters.c - whether a job's nodes are in as few blocks as they can */
#include <stdlib.h>

#include "measure/checker/geometry.h"

struct clusters {
	int nblocks;
	int *block_of; /* [nnodes] */
	int *serving;  /* [nblocks] nodes in service, the most first */
	int *seen_of;  /* [nblocks] */
	int nseen;
};

static int most_first(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

static void count_serving(struct clusters *clusters, const struct geometry *geometry)
{
	clusters->serving = xcalloc((size_t)clusters->nblocks, sizeof(int));
	for (int node = 0; node < geometry->topo->nnodes; node++)
		if ((geometry->flags[node] & NODE_SERVES) != 0)
			clusters->serving[clusters->block_of[node]]++;
	qsort(clusters->serving, (size_t)clusters->nblocks, sizeof(int), most_first);
}

/* Blocks of a number of compute nodes in label order; else the routers. */
static int clusters_open(struct checker *checker, struct err *err)
{
	const struct geometry *geometry = checker->geometry;
	const struct topo *topo = geometry->topo;
	struct clusters *clusters = xcalloc(1, sizeof(*clusters));
	int place = 0, size = 0;

	(void)err;
	if (pick_has(checker->pick, "size"))
		size = (int)pick_int(checker->pick, "size");
	checker->state = clusters;
	clusters->block_of = xmalloc((size_t)topo->nnodes * sizeof(int));
	clusters->nblocks = topo->nnodes + topo->nrouters;
	clusters->seen_of = xcalloc((size_t)clusters->nblocks, sizeof(int));
	for (int node = 0; node < topo->nnodes; node++) {
		clusters->block_of[node] = size > 0 ? place / size : topo->router_of[node];
		place += geometry_computes(geometry, node);
	}
	count_serving(clusters, geometry);
	return 0;
}

static void close(struct checker *checker)
{
	struct clusters *clusters = checker->state;

	free(clusters->block_of);
	free(clusters->serving);
	free(clusters->seen_of);
	free(clusters);
}

static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	struct clusters *clusters = checker->state;
	int n = 0, wanted = 0, left = region->n;

	for (; wanted < clusters->nblocks && left > 0; wanted++)
		left -= clusters->serving[wanted];
	if (left > 0) { /* it has nodes that others are never given */
		buf_str(witness, "fewer nodes are in service");
		return VERDICT_OPEN;
	}
	clusters->nseen++;
	for (int i = 0; i < region->n; i++) {
		int block = clusters->block_of[region->nodes[i]];

		n += clusters->seen_of[block] != clusters->nseen;
		clusters->seen_of[block] = clusters->nseen;
	}
	if (n <= wanted)
		return VERDICT_HOLDS;
	buf_printf(witness, "it is in %d blocks, %d can hold it", n, wanted);
	return VERDICT_BROKEN;
}

const struct param geometry_params_clusters[] = {{.key = "size",
						  .type = PARAM_INT,
						  .min = 1,
						  .max = 1 << 26,
						  .optional = true,
						  .unit = "nodes",
						  .meaning = "size of a block, in label order; "
							     "default: blocks are the routers"},
						 CHECKER_PARAMS,
						 {0}};

const struct checker_type checker_clusters = {
	.entry = {.name = "clusters",
		  .example = "clusters",
		  .summary = "nodes in as few blocks as can hold them",
		  .paper = "after Lucarelli et al., Contiguity and Locality in "
			   "Backfilling Scheduling, CCGrid 2015",
		  .params = geometry_params_clusters},
	.open = clusters_open,
	.close = close,
	.check = check,
};
