/* dragonfly.h - how a dragonfly is wired */
#ifndef MACHINE_KIND_DRAGONFLY_H
#define MACHINE_KIND_DRAGONFLY_H

#include "machine/kind/shape.h"

enum { LEVEL_LOCAL = LINK_TERMINAL + 1, LEVEL_GLOBAL };
enum dragonfly_arrangement { ABSOLUTE, RELATIVE, CIRCULANT };

/*
 * Routers are numbered group by group, within a group row by row. Links: that of node i is link i,
 * then those within groups, then the global ones, pair by pair of groups (0 1, 0 2, …, 1 2, …).
 */
struct dragonfly {
	int groups, routers; /* routers of a group */
	int columns, rows;   /* of a group: columns × rows routers */
	int nodes;           /* of a router */
	int links;           /* global, per pair of groups */
	int row_links, column_links;
	enum dragonfly_arrangement arrangement;
	int *gate; /* [links·(groups−1)] router within the group of each global port */
};

/*
 * A group's global ports are numbered round by round: link i to another group is port i·(g−1) +
 * place, where place is that group's place among the others: by its number (absolute), by its
 * distance upwards (relative: +1, +2, …), or by its distance both ways (circulant: +1, −1, +2, …).
 * Ports are spread evenly over the routers, in order: port q belongs to router ⌊q·a /
 * (links·(g−1))⌋, which is ⌊q/h⌋ where every router has h. The router's number within group a.
 */
static inline int dragonfly_gate(const struct dragonfly *df, int group_a, int group_b, int i)
{
	int place, up = group_b - group_a;

	up += up < 0 ? df->groups : 0;
	if (df->arrangement == ABSOLUTE)
		place = group_b < group_a ? group_b : group_b - 1;
	else if (df->arrangement == RELATIVE)
		place = up - 1;
	else
		place = 2 * up <= df->groups ? 2 * (up - 1) : 2 * (df->groups - up) - 1;
	return df->gate[(int64_t)i * (df->groups - 1) + place];
}

/* Links between two routers of one group, by their numbers in it. */
static inline int dragonfly_local(const struct dragonfly *df, int a, int b)
{
	if (a == b)
		return 0;
	if (df->rows == 1)
		return 1;
	return (a % df->columns != b % df->columns) + (a / df->columns != b / df->columns);
}

void dragonfly_distances(const struct topo *topo, struct distance_counts *counts);
void dragonfly_pairs(const struct topo *topo, const struct router_counts *counts,
		     struct pair_links *links);
bool dragonfly_within(const struct topo *topo, const struct router_counts *counts,
		      const bool *is_open, uint64_t *npairs);

#endif
