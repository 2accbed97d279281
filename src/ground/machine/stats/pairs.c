/* pairs.c - how far some nodes of a machine are apart, all pairs together */
#include "machine/stats/pairs.h"

/* Pair by pair. */
static void add_all(const struct topo *topo, const struct router_counts *counts,
		    struct pair_links *links)
{
	for (int i = 0; i < counts->n; i++)
		for (int k = 0; k < i; k++) {
			int a = counts->routers[i], b = counts->routers[k];
			int length = topo->type->distance(topo, a, b);

			if (length < 0) {
				links->from = a;
				links->to = b;
				return;
			}
			pair_links_add(links,
				       2 * (uint64_t)counts->count_of[a] *
					       (uint64_t)counts->count_of[b],
				       length);
		}
}

void topo_pairs(const struct topo *topo, const struct router_counts *counts,
		struct pair_links *links)
{
	*links = (struct pair_links){.from = -1, .to = -1};
	if (topo->type->pairs != NULL)
		topo->type->pairs(topo, counts, links);
	else
		add_all(topo, counts, links);
}
