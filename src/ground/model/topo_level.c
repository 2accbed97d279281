/* topo_level.c - the classes of links that share bandwidth and latency */
#include "model/topo_level.h"

#include <stdio.h>
#include <string.h>

int topo_level_add(struct topo *topo, const char *name)
{
	struct link_level *level = &topo->levels[topo->nlevels];

	*level = (struct link_level){.bandwidth = TOPO_BANDWIDTH, .latency = TOPO_LATENCY};
	snprintf(level->name, sizeof(level->name), "%s", name);
	return topo->nlevels++;
}

void topo_level_start(struct topo *topo)
{
	topo_level_add(topo, "node");
	topo_level_add(topo, "terminal");
}

int topo_level_find(const struct topo *topo, const char *name, size_t n)
{
	for (int i = 0; i < topo->nlevels; i++)
		if (strlen(topo->levels[i].name) == n && memcmp(topo->levels[i].name, name, n) == 0)
			return i;
	return -1;
}

void topo_tier_add(struct topo *topo, const char *name, int n, int *domain_of)
{
	struct tier *tier = &topo->tiers[topo->ntiers++];

	*tier = (struct tier){.n = n, .of = domain_of};
	snprintf(tier->name, sizeof(tier->name), "%s", name);
}
