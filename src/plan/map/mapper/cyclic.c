/* cyclic.c - one rank to each node in turn, round after round */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "base/mem.h"

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	int *nheld = xcalloc((size_t)in->nnodes, sizeof(*nheld));
	int node = in->nnodes - 1;

	(void)parts, (void)pick, (void)err;
	for (int rank = 0; rank < in->comm->nranks; rank++) {
		do
			node = (node + 1) % in->nnodes;
		while (nheld[node] == in->room[node]);
		node_of[rank] = node;
		nheld[node]++;
	}
	free(nheld);
	return 0;
}

const struct map_policy map_policy_cyclic = {
	.entry =
		{
			.name = "cyclic",
			.example = "cyclic",
			.summary = "one rank per node in turn, round after round",
		},
	.refine = "none",
	.keeps_cores = true,
	.run = run,
};
