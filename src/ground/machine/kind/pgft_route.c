/* pgft_route.c - parallel generalised fat trees: distances and D-mod-k routes */
#include "machine/kind/pgft.h"
#include "machine/stats/pairs.h"

#include <stdlib.h>

/* A switch: level, number of its subtree among those of its level, number in the subtree. */
struct place {
	int level, subtree, number;
};

static struct place place_of(const struct pgft *tree, int router)
{
	struct place place = {.level = 1};

	while (router >= tree->first[place.level + 1])
		place.level++;
	router -= tree->first[place.level];
	place.subtree = router / tree->tops[place.level];
	place.number = router % tree->tops[place.level];
	return place;
}

static int router_at(const struct pgft *tree, const struct place *place)
{
	return tree->first[place->level] + place->subtree * tree->tops[place->level] +
	       place->number;
}

/* Position l of a switch's label: of its subtree's path from above (l above its level), or which
 * of the parents it is (l up to its level). */
static int digit(const struct pgft *tree, const struct place *place, int l)
{
	if (l > place->level)
		return place->subtree /
		       (tree->nodes_below[l - 1] / tree->nodes_below[place->level]) % tree->m[l];
	return place->number / tree->tops[l - 1] % tree->w[l];
}

/*
 * A way between two switches may change position l only by crossing from level l − 1 to l or back.
 * So it must come down to below the lowest position in which both have parents' numbers that
 * differ, and up to the highest in which their subtrees differ.
 */
static void find_turns(const struct pgft *tree, const struct place *a, const struct place *b,
		       int *low, int *high)
{
	int lower = a->level < b->level ? a->level : b->level;
	int upper = a->level < b->level ? b->level : a->level;

	*low = lower;
	*high = upper;
	for (int l = lower; l >= 1; l--)
		if (digit(tree, a, l) != digit(tree, b, l))
			*low = l - 1;
	for (int l = upper + 1; l <= tree->nlevels; l++)
		if (digit(tree, a, l) != digit(tree, b, l))
			*high = l;
}

int pgft_distance(const struct topo *topo, int router_a, int router_b)
{
	const struct pgft *tree = topo->shape;
	struct place a = place_of(tree, router_a), b = place_of(tree, router_b);
	int low, high;

	find_turns(tree, &a, &b, &low, &high);
	if (low < 1)
		return -1; /* only nodes join these two */
	return 2 * (high - low) - abs(a.level - b.level);
}

/* D-mod-k: port ⌊d / tops⌋ mod (w·p) of level l, whose number is parent + w·cable (Zahavi). */
static int port(const struct pgft *tree, int l, int node)
{
	return node / tree->tops[l - 1] % (tree->w[l] * tree->p[l]);
}

int pgft_next(const struct topo *topo, int router_a, int router_b, int node_b, int *cable)
{
	const struct pgft *tree = topo->shape;
	struct place a = place_of(tree, router_a), b = place_of(tree, router_b);
	int low, high, l = a.level;

	find_turns(tree, &a, &b, &low, &high);
	/* The higher one climbs first, the lower one (and either of equals) comes down first. */
	if ((l > b.level && l < high) || (l <= b.level && l == low)) {
		int at = port(tree, l + 1, node_b), parent = at % tree->w[l + 1];

		*cable = at / tree->w[l + 1];
		if (l + 1 <= b.level)
			parent = digit(tree, &b, l + 1);
		a.level++;
		a.subtree /= tree->m[l + 1];
		a.number += parent * tree->tops[l];
	} else {
		int child = l > b.level ? digit(tree, &b, l)
					: node_b / tree->nodes_below[l - 1] % tree->m[l];

		*cable = port(tree, l, node_b) / tree->w[l];
		a.level--;
		a.subtree = a.subtree * tree->m[l] + child;
		a.number %= tree->tops[l - 1];
	}
	return router_at(tree, &a);
}

void pgft_distances(const struct topo *topo, struct distance_counts *counts)
{
	const struct pgft *tree = topo->shape;

	topo_counts_start(counts, 2 * (tree->nlevels - 1));
	for (int l = 1; l <= tree->nlevels; l++)
		counts->pairs[2 * (l - 1)] =
			(uint64_t)topo->nnodes *
			(uint64_t)(tree->nodes_below[l] - (l > 1 ? tree->nodes_below[l - 1] : 1));
	while (counts->longest > 0 && counts->pairs[counts->longest] == 0)
		counts->longest--;
}

/* Ordered pairs of nodes (a node with itself, too) that share a subtree of level l. */
static uint64_t count_sharing(const struct pgft *tree, const struct router_counts *counts, int l)
{
	int nleaves = tree->nodes_below[l] / tree->nodes_below[1], subtree = -1;
	uint64_t n = 0, sum = 0;

	/* routers ascend, and those of a subtree follow each other */
	for (int i = 0; i < counts->n; i++) {
		if (counts->routers[i] / nleaves != subtree) {
			sum += n * n;
			n = 0;
		}
		subtree = counts->routers[i] / nleaves;
		n += (uint64_t)counts->count_of[counts->routers[i]];
	}
	return sum + n * n;
}

void pgft_pairs(const struct topo *topo, const struct router_counts *counts,
		struct pair_links *links)
{
	const struct pgft *tree = topo->shape;
	uint64_t nearer = count_sharing(tree, counts, 1);

	for (int l = 2; l <= tree->nlevels; l++) {
		uint64_t sharing = count_sharing(tree, counts, l);

		pair_links_add(links, sharing - nearer, 2 * (l - 1));
		nearer = sharing;
	}
}
