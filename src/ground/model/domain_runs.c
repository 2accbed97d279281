/* domain_runs.c - how far the nodes of one domain are consecutive in label order */
#include "model/domain_runs.h"

#include <stdlib.h>

void domain_runs_make(struct domain_runs *runs, const struct topo *topo, int tier)
{
	int n = topo->nnodes;

	runs->of = xmalloc((size_t)n * sizeof(*runs->of));
	runs->to = xmalloc((size_t)n * sizeof(*runs->to));
	for (int node = n - 1; node >= 0; node--) {
		runs->of[node] = topo_domain(topo, node, tier);
		runs->to[node] = node + 1 < n && runs->of[node + 1] == runs->of[node]
					 ? runs->to[node + 1]
					 : node;
	}
}

void domain_runs_free(struct domain_runs *runs)
{
	free(runs->of);
	free(runs->to);
	*runs = (struct domain_runs){0};
}
