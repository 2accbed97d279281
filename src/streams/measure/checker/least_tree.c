/* least_tree.c - on hierarchical networks: the lowest level with room, and a knapsack over
 * the tree */
#include <stdlib.h>

#include "measure/checker/least_priv.h"

/* Nodes in service below each domain of a tier; [tiers[tier].n]. */
static int *count(const struct least *least, int tier)
{
	const struct topo *topo = least->geometry->topo;
	int *n = xcalloc((size_t)topo->tiers[tier].n, sizeof(*n));

	for (size_t i = 0; i < least->serving.n; i++) {
		int d = topo_domain(topo, least->serving.at[i], tier);

		if (d >= 0)
			n[d]++;
	}
	return n;
}

int64_t least_level(const struct least *least, int n)
{
	const struct topo *topo = least->geometry->topo;

	if (n == 1)
		return 0;
	for (int tier = 0; tier < topo->ntiers; tier++) {
		int *nserving = count(least, tier);
		bool has_room = false;

		for (int d = 0; d < topo->tiers[tier].n; d++)
			has_room = has_room || nserving[d] >= n;
		free(nserving);
		if (has_room)
			return tier + 1;
	}
	return topo->ntiers + 1;
}

/*
 * A pair costs one level more than the tier where it meets, so it saves one for each tier in which
 * it is in one domain. saved[x]: the most that x nodes below a domain can save; [size + 1].
 */
struct domain {
	int64_t *saved;
	int size;
};

/* A child is put below a domain: the most over all ways to divide x nodes between the two. */
static void merge(struct domain *into, struct domain *child, int n)
{
	int size = into->size + child->size < n ? into->size + child->size : n;
	int64_t *saved = xmalloc(((size_t)size + 1) * sizeof(*saved));

	for (int x = 0; x <= size; x++)
		saved[x] = -1;
	for (int x = 0; x <= into->size; x++)
		for (int y = 0; y <= child->size && x + y <= size; y++)
			if (into->saved[x] + child->saved[y] > saved[x + y])
				saved[x + y] = into->saved[x] + child->saved[y];
	free(into->saved);
	free(child->saved);
	into->saved = saved;
	into->size = size;
}

static struct domain *empty_domains(int n)
{
	struct domain *domains = xcalloc((size_t)n, sizeof(*domains));

	for (int d = 0; d < n; d++)
		domains[d].saved = xcalloc(1, sizeof(int64_t));
	return domains;
}

int64_t least_tree_sum(const struct least *least, int n)
{
	const struct topo *topo = least->geometry->topo;
	int64_t npairs = (int64_t)n * (n - 1) / 2, saved;
	int nbelow = topo->tiers[0].n, *nserving = count(least, 0);
	struct domain *below = empty_domains(nbelow);

	for (int d = 0; d < nbelow; d++) {
		int size = nserving[d] < n ? nserving[d] : n;

		below[d].saved = xrealloc(below[d].saved, (size_t)size + 1, sizeof(int64_t));
		below[d].size = size;
		for (int64_t x = 0; x <= size; x++)
			below[d].saved[x] = x * (x - 1) / 2;
	}
	free(nserving);
	for (int tier = 1; tier <= topo->ntiers; tier++) {
		int ndomains = tier < topo->ntiers ? topo->tiers[tier].n : 1;
		struct domain *domains = empty_domains(ndomains);

		for (int d = 0; d < nbelow; d++) {
			int parent = tier < topo->ntiers ? topo->tiers[tier].of[d] : 0;

			if (parent >= 0)
				merge(&domains[parent], &below[d], n);
			else
				free(below[d].saved);
		}
		for (int d = 0; d < ndomains && tier < topo->ntiers; d++)
			for (int64_t x = 0; x <= domains[d].size; x++)
				domains[d].saved[x] += x * (x - 1) / 2;
		free(below);
		below = domains;
		nbelow = ndomains;
	}
	saved = below[0].saved[n];
	free(below[0].saved);
	free(below);
	return (topo->ntiers + 1) * npairs - saved;
}
