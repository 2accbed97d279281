/* random.c - a random order of the allocation's slots */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "base/mem.h"
#include "base/rng.h"

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	struct rng rng = rng_make(in->seed, "mapper-random", NULL, NULL);
	int *slots = xmalloc((size_t)in->nslots * sizeof(*slots)), nslots = 0;

	(void)parts, (void)pick, (void)err;
	for (int node = 0; node < in->nnodes; node++)
		for (int i = 0; i < in->room[node]; i++)
			slots[nslots++] = node;
	rng_shuffle(&rng, slots, (size_t)nslots);
	for (int rank = 0; rank < in->comm->nranks; rank++)
		node_of[rank] = slots[rank];
	free(slots);
	return 0;
}

const struct map_policy map_policy_random = {
	.entry =
		{
			.name = "random",
			.example = "random",
			.summary = "ranks on the slots of the allocation in random order",
		},
	.refine = "none",
	.keeps_cores = true,
	.run = run,
};
