/* dragonfly_pairs.c - how far some nodes of a dragonfly are apart: group by group */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/dragonfly.h"
#include "machine/stats/pairs.h"

/* The routers of one group that have some of the nodes. */
struct members {
	int group, first, end; /* of counts->routers */
	uint64_t nnodes;
};

struct pairing {
	const struct topo *topo;
	const struct dragonfly *df;
	const struct router_counts *counts;
	struct pair_links *links;
};

static uint64_t nodes_of(const struct pairing *pairing, int group, int router)
{
	return (uint64_t)pairing->counts->count_of[group * pairing->df->routers + router];
}

/* Within a group: one link between routers of a row or a column, else two. */
static void add_inside(const struct pairing *pairing, const struct members *members)
{
	const struct dragonfly *df = pairing->df;
	uint64_t *row = xcalloc((size_t)(df->rows + df->columns), sizeof(*row));
	uint64_t *column = row + df->rows, same = 0, straight = 0;

	for (int i = members->first; i < members->end; i++) {
		int router = pairing->counts->routers[i] % df->routers;
		uint64_t n = nodes_of(pairing, members->group, router);

		row[router / df->columns] += n;
		column[router % df->columns] += n;
		same += n * n;
	}
	for (int i = 0; i < df->rows + df->columns; i++)
		straight += row[i] * row[i];
	straight -= 2 * same;
	pair_links_add(pairing->links, straight, 1);
	pair_links_add(pairing->links, members->nnodes * members->nnodes - same - straight, 2);
	free(row);
}

/* Between two groups of one row each: a router with a cable to the other group saves a link. Ports
 * ascend with i, so equal gates are next to each other. */
static void add_flat(const struct pairing *pairing, const struct members *a,
		     const struct members *b)
{
	const struct dragonfly *df = pairing->df;
	uint64_t ends_a = 0, ends_b = 0, joined = 0, near;
	int last_a = -1, last_b = -1;

	for (int i = 0; i < df->links; i++) {
		int gate_a = dragonfly_gate(df, a->group, b->group, i);
		int gate_b = dragonfly_gate(df, b->group, a->group, i);
		uint64_t na = nodes_of(pairing, a->group, gate_a);
		uint64_t nb = nodes_of(pairing, b->group, gate_b);

		joined += gate_a != last_a || gate_b != last_b ? na * nb : 0;
		ends_a += gate_a != last_a ? na : 0;
		ends_b += gate_b != last_b ? nb : 0;
		last_a = gate_a;
		last_b = gate_b;
	}
	near = a->nnodes * ends_b + ends_a * b->nnodes - ends_a * ends_b;
	pair_links_add(pairing->links, 2 * joined, 1);
	pair_links_add(pairing->links, 2 * (near - joined), 2);
	pair_links_add(pairing->links, 2 * (a->nnodes * b->nnodes - near), 3);
}

/* Router by router. */
static void add_each(const struct pairing *pairing, const struct members *a,
		     const struct members *b)
{
	const struct router_counts *counts = pairing->counts;

	for (int i = a->first; i < a->end; i++)
		for (int k = b->first; k < b->end; k++) {
			int x = counts->routers[i], y = counts->routers[k];

			pair_links_add(pairing->links,
				       2 * (uint64_t)counts->count_of[x] *
					       (uint64_t)counts->count_of[y],
				       pairing->topo->type->distance(pairing->topo, x, y));
		}
}

void dragonfly_pairs(const struct topo *topo, const struct router_counts *counts,
		     struct pair_links *links)
{
	struct pairing pairing = {topo, topo->shape, counts, links};
	int routers = pairing.df->routers;
	VEC(struct members) groups = {0};

	/* routers ascend */
	for (int i = 0; i < counts->n; i++) {
		int group = counts->routers[i] / routers;

		if (groups.n == 0 || groups.at[groups.n - 1].group != group)
			vec_push(&groups, (struct members){group, i, i, 0});
		groups.at[groups.n - 1].end = i + 1;
		groups.at[groups.n - 1].nnodes += (uint64_t)counts->count_of[counts->routers[i]];
	}
	for (size_t i = 0; i < groups.n; i++) {
		add_inside(&pairing, &groups.at[i]);
		for (size_t k = 0; k < i; k++)
			if (pairing.df->rows == 1)
				add_flat(&pairing, &groups.at[i], &groups.at[k]);
			else
				add_each(&pairing, &groups.at[i], &groups.at[k]);
	}
	free(groups.at);
}
