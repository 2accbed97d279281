/* job_routers.c - the routers of a job's nodes, for metrics that count pairs of nodes by them */
#include "measure/metric/job_routers.h"

#include <stdlib.h>

void job_routers_open(struct job_routers *routers, struct topo *topo)
{
	routers->is_of_routers = topo_nodes_have_one_link(topo);
	routers->count_of = xcalloc((size_t)topo->nrouters, sizeof(*routers->count_of));
	domain_runs_make(&routers->runs, topo, 0);
}

void job_routers_close(struct job_routers *routers)
{
	free(routers->count_of);
	domain_runs_free(&routers->runs);
	vec_free(&routers->routers);
	vec_free(&routers->nodes);
}

struct router_counts job_routers_of(struct job_routers *routers, const struct node_ranges *nodes)
{
	for (size_t i = 0; i < routers->routers.n; i++)
		routers->count_of[routers->routers.at[i]] = 0;
	routers->routers.n = routers->nodes.n = 0;
	for (size_t i = 0; i < nodes->of.n; i++) {
		struct node_range range = nodes->of.at[i];

		for (int node = range.first, to; node <= range.last; node = to + 1) {
			int router = routers->runs.of[node];

			to = routers->runs.to[node];
			to = to < range.last ? to : range.last;
			if (routers->count_of[router] == 0) {
				vec_push(&routers->routers, router);
				vec_push(&routers->nodes, node);
			}
			routers->count_of[router] += to - node + 1;
		}
	}
	return (struct router_counts){routers->routers.at, (int)routers->routers.n,
				      routers->count_of};
}
