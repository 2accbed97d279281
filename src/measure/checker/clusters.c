/* clusters.c - whether a job's nodes lie in as few blocks as they can */
#include <stdlib.h>

#include "measure/checker/geometry.h"

struct clusters {
	int size;      /* of a block */
	int *block_of; /* [nnodes] */
	int *seen_of;  /* [nblocks] */
	int nseen;
};

/* Blocks of so many compute nodes in label order; else the routers. */
static int open(struct checker *checker, struct err *err)
{
	const struct geometry *geometry = checker->geometry;
	const struct topo *topo = geometry->topo;
	struct clusters *clusters = xcalloc(1, sizeof(*clusters));
	int place = 0;

	(void)err;
	checker->state = clusters;
	clusters->block_of = xmalloc((size_t)topo->nnodes * sizeof(int));
	clusters->seen_of = xcalloc((size_t)(topo->nnodes + topo->nrouters), sizeof(int));
	if (pick_has(checker->pick, "size")) {
		clusters->size = (int)pick_int(checker->pick, "size");
		for (int node = 0; node < topo->nnodes; node++)
			clusters->block_of[node] = geometry_computes(geometry, node)
							   ? place++ / clusters->size
							   : place / clusters->size;
		return 0;
	}
	for (int node = 0; node < topo->nnodes; node++)
		clusters->block_of[node] = topo->router_of[node];
	for (int r = 0; r < topo->nrouters; r++)
		if (geometry->ncompute[r] > clusters->size)
			clusters->size = geometry->ncompute[r];
	return 0;
}

static void close(struct checker *checker)
{
	struct clusters *clusters = checker->state;

	free(clusters->block_of);
	free(clusters->seen_of);
	free(clusters);
}

static enum verdict check(struct checker *checker, const struct region *region, struct buf *witness)
{
	struct clusters *clusters = checker->state;
	int n = 0, wanted = (region->n - 1) / clusters->size + 1;

	clusters->nseen++;
	for (int i = 0; i < region->n; i++) {
		int block = clusters->block_of[region->nodes[i]];

		n += clusters->seen_of[block] != clusters->nseen;
		clusters->seen_of[block] = clusters->nseen;
	}
	if (n <= wanted)
		return VERDICT_HOLDS;
	buf_printf(witness, "it lies in %d blocks of %d nodes, %d can hold it", n, clusters->size,
		   wanted);
	return VERDICT_BROKEN;
}

const struct param geometry_params_clusters[] = {{.key = "size",
						  .type = PARAM_INT,
						  .min = 1,
						  .max = 1 << 26,
						  .optional = true,
						  .unit = "nodes",
						  .meaning = "of a block, in label order; else "
							     "blocks are the routers"},
						 CHECKER_PARAMS,
						 {0}};

const struct checker_type checker_clusters = {
	.entry = {.name = "clusters",
		  .example = "clusters",
		  .summary = "nodes in as few blocks of equal size as can hold them",
		  .paper = "after Lucarelli et al., Contiguity and Locality in Backfilling "
			   "Scheduling, CCGrid 2015",
		  .params = geometry_params_clusters},
	.open = open,
	.close = close,
	.check = check,
};
