/* dragonfly_pairs.c - how far some nodes of a dragonfly are apart: group by group */
#include <stdlib.h>

#include "machine/kind/dragonfly_between.h"
#include "machine/stats/pairs.h"

/* The routers of one group that have some of the nodes. */
struct members {
	int group, first, end; /* of counts->routers */
	uint64_t nnodes;
};
typedef VEC(struct members) groups_with;

struct pairing {
	const struct topo *topo;
	const struct dragonfly *df;
	const struct router_counts *counts;
	struct pair_links *links;
	struct dragonfly_between *between;
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

static void add_counted(const struct pairing *pairing, const struct members *a,
			const struct members *b)
{
	uint64_t pairs[DRAGONFLY_LONGEST + 1] = {0};

	dragonfly_between_count(pairing->between, (struct dragonfly_group){a->group, a->nnodes},
				(struct dragonfly_group){b->group, b->nnodes}, pairs);
	for (int length = 1; length <= DRAGONFLY_LONGEST; length++)
		pair_links_add(pairing->links, 2 * pairs[length], length);
}

/* Whether a group of rows and columns costs more than the few pairs of routers. */
static bool is_few(const struct dragonfly *df, const struct members *a, const struct members *b)
{
	return df->rows > 1 && (int64_t)(a->end - a->first) * (b->end - b->first) * df->links <
				       2 * (int64_t)df->routers;
}

/* Groups with some of the nodes; routers ascend. */
static void list_groups(const struct dragonfly *df, const struct router_counts *counts,
			groups_with *groups)
{
	for (int i = 0; i < counts->n; i++) {
		int group = counts->routers[i] / df->routers;

		if (groups->n == 0 || groups->at[groups->n - 1].group != group)
			vec_push(groups, (struct members){group, i, i, 0});
		groups->at[groups->n - 1].end = i + 1;
		groups->at[groups->n - 1].nnodes += (uint64_t)counts->count_of[counts->routers[i]];
	}
}

void dragonfly_pairs(const struct topo *topo, const struct router_counts *counts,
		     struct pair_links *links)
{
	struct pairing pairing = {topo, topo->shape, counts, links, NULL};
	groups_with groups = {0};

	list_groups(pairing.df, counts, &groups);
	pairing.between = dragonfly_between_open(pairing.df, counts->count_of);
	for (size_t i = 0; i < groups.n; i++) {
		add_inside(&pairing, &groups.at[i]);
		for (size_t k = 0; k < i; k++)
			if (is_few(pairing.df, &groups.at[i], &groups.at[k]))
				add_each(&pairing, &groups.at[i], &groups.at[k]);
			else
				add_counted(&pairing, &groups.at[i], &groups.at[k]);
	}
	dragonfly_between_close(pairing.between);
	free(groups.at);
}

/* Of groups of one row with one cable between two of them: routes go from gate to gate. */
bool dragonfly_within(const struct topo *topo, const struct router_counts *counts,
		      const bool *is_open, uint64_t *npairs)
{
	const struct dragonfly *df = topo->shape;
	groups_with groups = {0};

	if (df->rows > 1 || df->links > 1)
		return false;
	*npairs = 0;
	list_groups(df, counts, &groups);
	for (size_t i = 0; i < groups.n; i++) {
		struct members *a = &groups.at[i];
		uint64_t same = 0;

		a->nnodes = 0;
		for (int k = a->first; k < a->end; k++) {
			int router = counts->routers[k];
			uint64_t n = is_open[router] ? (uint64_t)counts->count_of[router] : 0;

			a->nnodes += n;
			same += n * n;
		}
		*npairs += a->nnodes * a->nnodes - same;
		for (size_t k = 0; k < i; k++) {
			const struct members *b = &groups.at[k];
			int from = dragonfly_gate(df, a->group, b->group, 0);
			int to = dragonfly_gate(df, b->group, a->group, 0);

			if (is_open[a->group * df->routers + from] &&
			    is_open[b->group * df->routers + to])
				*npairs += 2 * a->nnodes * b->nnodes;
		}
	}
	free(groups.at);
	return true;
}
