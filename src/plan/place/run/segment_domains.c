/* segment_domains.c - the domains that segments of a size are placed in */
#include "place/run/segment_domains.h"

#include <stdlib.h>

#include "model/hierarchy.h"

/* How many consecutive base blocks the least enforced size joins that a plan of the segment fits;
 * 0: all of them. */
static int64_t width_for(const struct level_ref *base, int size)
{
	const struct domain_level *levels = base->hierarchy->levels;
	int64_t nbase = (size - 1) / levels[base->level].size + 1, width = 1;

	for (int l = base->level - 1; l >= 0 && levels[l].every > 0 && width < nbase; l--)
		width *= levels[l].every;
	return width < nbase ? 0 : width;
}

/* The lowest tier with a domain of that many nodes, or the machine. */
static int tier_for(struct segment_domains *domains, const struct topo *topo, int size)
{
	int tier = 0;

	if (domains->most == NULL) {
		domains->most = xcalloc((size_t)topo->ntiers + 1, sizeof(*domains->most));
		for (int t = 0; t < topo->ntiers; t++) {
			int *count = xcalloc((size_t)topo->tiers[t].n + 1, sizeof(*count));

			for (int node = 0; node < topo->nnodes; node++) {
				int domain = topo_domain(topo, node, t);

				if (domain >= 0 && ++count[domain] > domains->most[t])
					domains->most[t] = count[domain];
			}
			free(count);
		}
	}
	while (tier < topo->ntiers && domains->most[tier] < size)
		tier++;
	return tier;
}

/* of and n: by width of the blocks, or by tier. */
static void find_domains(struct segment_domains *domains, const struct topo *topo,
			 const struct level_ref *base)
{
	int64_t width = domains->width;

	domains->n = base == NULL && domains->tier < topo->ntiers ? topo->tiers[domains->tier].n
		     : base != NULL && width > 0 ? (int)((level_count(base) - 1) / width + 1)
						 : 1;
	for (int node = 0; node < topo->nnodes; node++) {
		int block = base != NULL ? level_domain(base, node) : 0;

		if (base == NULL && domains->tier < topo->ntiers)
			domains->of[node] = topo_domain(topo, node, domains->tier);
		else
			domains->of[node] = block > 0 && width > 0 ? (int)(block / width)
					    : block < 0            ? -1
								   : 0;
	}
}

static void free_lists(struct segment_domains *domains)
{
	free(domains->of);
	free(domains->first);
	free(domains->member);
	free(domains->count);
}

void segment_domains_make(struct segment_domains *domains, const struct topo *topo, int size)
{
	struct level_ref base;
	bool has_blocks = level_with_size(&base, topo);
	int64_t width = has_blocks ? width_for(&base, size) : 0;
	int tier = has_blocks ? 0 : tier_for(domains, topo, size);

	if (domains->size > 0 && domains->width == width && domains->tier == tier)
		return;
	free_lists(domains);
	domains->size = size;
	domains->width = width;
	domains->tier = tier;
	domains->of = xmalloc(((size_t)topo->nnodes + 1) * sizeof(int));
	domains->member = xmalloc(((size_t)topo->nnodes + 1) * sizeof(int));
	find_domains(domains, topo, has_blocks ? &base : NULL);
	domains->first = xcalloc((size_t)domains->n + 2, sizeof(int));
	domains->count = xcalloc((size_t)domains->n + 1, sizeof(int));
	for (int node = 0; node < topo->nnodes; node++)
		if (domains->of[node] >= 0)
			domains->first[domains->of[node] + 2]++;
	for (int d = 0; d < domains->n; d++)
		domains->first[d + 2] += domains->first[d + 1];
	for (int node = 0; node < topo->nnodes; node++)
		if (domains->of[node] >= 0)
			domains->member[domains->first[domains->of[node] + 1]++] = node;
}

void segment_domains_free(struct segment_domains *domains)
{
	free_lists(domains);
	free(domains->most);
	*domains = (struct segment_domains){0};
}
