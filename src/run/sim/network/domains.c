/* domains.c - the domains that routers are in: what the groups of a dragonfly are elsewhere */
#include "sim/network/domains.h"

#include <stdlib.h>

#include "base/mem.h"
#include "model/topo_type.h"

enum { TIER = 1 };

bool domains_exist(const struct topo *topo)
{
	return topo->ntiers > TIER && topo->tiers[TIER].n > 1 && !topo->type->is_tree_like;
}

/* Where the nodes of a domain change their router a run begins. */
static void find_runs(struct domains *domains, const struct topo *topo)
{
	struct domain_run *run = domains->runs =
		xmalloc(((size_t)topo->nnodes + 1) * sizeof(*domains->runs));

	domains->first_run = xcalloc((size_t)domains->n + 1, sizeof(*domains->first_run));
	for (int domain = 0; domain < domains->n; domain++) {
		int32_t first = domains->first[domain], router = -1;

		for (int32_t i = first; i < domains->first[domain + 1]; i++) {
			if (i == first || topo->router_of[domains->nodes[i]] != router) {
				router = topo->router_of[domains->nodes[i]];
				*run++ = (struct domain_run){.router = router, .first = i};
			}
			run[-1].nnodes++;
		}
		domains->first_run[domain + 1] = (int32_t)(run - domains->runs);
	}
}

void domains_open(struct domains *domains, const struct topo *topo)
{
	int n = topo->tiers[TIER].n;

	*domains = (struct domains){.n = n, .of = topo->tiers[TIER].of};
	domains->first = xcalloc((size_t)n + 1, sizeof(*domains->first));
	domains->nodes = xmalloc(((size_t)topo->nnodes + 1) * sizeof(*domains->nodes));
	for (int node = 0; node < topo->nnodes; node++)
		domains->first[domains->of[topo->router_of[node]] + 1]++;
	for (int domain = 0; domain < n; domain++)
		domains->first[domain + 1] += domains->first[domain];
	for (int node = 0; node < topo->nnodes; node++)
		domains->nodes[domains->first[domains->of[topo->router_of[node]]]++] = node;
	for (int domain = n; domain > 0; domain--)
		domains->first[domain] = domains->first[domain - 1];
	domains->first[0] = 0;
	find_runs(domains, topo);
}

void domains_close(struct domains *domains)
{
	free(domains->first);
	free(domains->nodes);
	free(domains->first_run);
	free(domains->runs);
}
