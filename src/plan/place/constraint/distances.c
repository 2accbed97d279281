/* distances.c - how far nodes are apart (Def. 1), by hops or by routes */
#include "place/constraint/distances.h"

#include <stdlib.h>

enum { TABLE_ROUTERS = 4096 };

/* The most that two nodes of the machine are apart, or more. */
static int find_most(const struct space *space)
{
	const struct topo *topo = space->topo;
	struct distance_counts counts = {0};
	int most = 0;

	if (!space->is_direct)
		return topo->ntiers + 1;
	for (int d = 0; d < space->ndims && space->is_grid; d++)
		most += space->is_ring ? space->sizes[d] / 2 : space->sizes[d] - 1;
	if (space->is_grid)
		return most;
	if (topo->type->distances == NULL)
		return topo->nrouters - 1;
	topo->type->distances(topo, &counts);
	most = counts.unreachable == 0 ? counts.longest : topo->nrouters - 1;
	free(counts.pairs);
	return most;
}

int distances_open(struct distances *distances, const struct space *space, bool by_routes,
		   struct err *err)
{
	size_t n = (size_t)space->topo->nrouters;

	*distances = (struct distances){.space = space, .by_routes = by_routes, .last_of = -1};
	distances->most = find_most(space);
	if (space->is_grid && distances->most >= DISTANCE_MOST)
		return err_set(err, "nodes of %s are up to %d links apart; expected less than %d",
			       space->topo->name, distances->most, DISTANCE_MOST);
	if (n <= TABLE_ROUTERS)
		distances->row = xcalloc(n, sizeof(*distances->row));
	else
		distances->last = xmalloc(n * sizeof(*distances->last));
	return 0;
}

void distances_close(struct distances *distances)
{
	if (distances->space == NULL)
		return;
	for (int r = 0; distances->row != NULL && r < distances->space->topo->nrouters; r++)
		free(distances->row[r]);
	free(distances->row);
	free(distances->last);
	free(distances->queue.at);
	*distances = (struct distances){0};
}

static bool is_in_closed_form(const struct distances *distances)
{
	const struct topo_type *type = distances->space->topo->type;

	return type->distance != NULL && (distances->by_routes || !type->is_distance_routed);
}

static void search(struct distances *distances, int router, uint16_t *row)
{
	const struct space *space = distances->space;
	int_vec *queue = &distances->queue;

	for (int r = 0; r < space->topo->nrouters; r++)
		row[r] = DISTANCE_MOST;
	row[router] = 0;
	queue->n = 0;
	vec_push(queue, router);
	for (size_t i = 0; i < queue->n; i++) {
		int r = queue->at[i];

		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++)
			if (row[space->peer[k]] == DISTANCE_MOST) {
				row[space->peer[k]] = (uint16_t)(row[r] + 1);
				vec_push(queue, space->peer[k]);
			}
	}
}

/* Dimension by dimension: the rows of those before, repeated. */
static void fill_grid(const struct space *space, int router, uint16_t *row)
{
	int stride = 1;

	row[0] = 0;
	for (int d = 0; d < space->ndims; d++) {
		int size = space->sizes[d], at = router / stride % size;

		for (int to = size - 1; to >= 0; to--) {
			int steps = to > at ? to - at : at - to;

			if (space->is_ring && 2 * steps > size)
				steps = size - steps;
			for (int i = 0; i < stride; i++)
				row[to * stride + i] = (uint16_t)(row[i] + steps);
		}
		stride *= size;
	}
}

static void fill(struct distances *distances, int router, uint16_t *row)
{
	const struct topo *topo = distances->space->topo;

	if (!is_in_closed_form(distances)) {
		search(distances, router, row);
		return;
	}
	if (distances->space->is_grid) {
		fill_grid(distances->space, router, row);
		return;
	}
	for (int r = 0; r < topo->nrouters; r++) {
		int hops = topo->type->distance(topo, router, r);

		row[r] = hops < 0 ? DISTANCE_MOST : (uint16_t)hops;
	}
}

const uint16_t *distances_from(struct distances *distances, int router)
{
	size_t n = (size_t)distances->space->topo->nrouters;

	if (distances->row == NULL) {
		if (distances->last_of != router)
			fill(distances, router, distances->last);
		distances->last_of = router;
		return distances->last;
	}
	if (distances->row[router] == NULL) {
		distances->row[router] = xmalloc(n * sizeof(uint16_t));
		fill(distances, router, distances->row[router]);
	}
	return distances->row[router];
}

static int level_between(const struct topo *topo, int node_a, int node_b)
{
	int a = node_a, b = node_b;

	for (int tier = 0; tier < topo->ntiers; tier++) {
		a = topo->tiers[tier].of[a];
		b = topo->tiers[tier].of[b];
		if (a == b)
			return tier + 1;
	}
	return topo->ntiers + 1;
}

int distances_between(struct distances *distances, int node_a, int node_b)
{
	const struct topo *topo = distances->space->topo;
	int a = topo->router_of[node_a], b = topo->router_of[node_b], hops;

	if (node_a == node_b)
		return 0;
	if (!distances->space->is_direct)
		return level_between(topo, node_a, node_b);
	if (distances->row != NULL || !is_in_closed_form(distances))
		return distances_from(distances, a)[b];
	hops = topo->type->distance(topo, a, b);
	return hops < 0 ? DISTANCE_MOST : hops;
}
