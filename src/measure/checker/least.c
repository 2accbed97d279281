/* least.c - the least diameter, or sum of distances, that so many nodes of a machine can have */
#include "measure/checker/least.h"

#include <stdlib.h>
#include <string.h>

#include "measure/checker/least_priv.h"

void least_open(struct least *least, struct geometry *geometry, enum least_of of)
{
	*least = (struct least){.geometry = geometry, .of = of};
	for (int node = 0; node < geometry->topo->nnodes; node++)
		if ((geometry->flags[node] & NODE_SERVES) != 0)
			vec_push(&least->serving, node);
}

void least_close(struct least *least)
{
	free(least->serving.at);
	free(least->known.at);
	*least = (struct least){0};
}

int64_t least_measure(const struct geometry *geometry, enum least_of of, const int *nodes, int n,
		      int *a, int *b)
{
	int64_t most = 0, sum = 0;

	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++) {
			int distance = geometry_distance(geometry, nodes[k], nodes[i]);

			sum += distance;
			if (distance <= most)
				continue;
			most = distance;
			*a = nodes[k];
			*b = nodes[i];
		}
	return of == LEAST_MAX ? most : sum;
}

struct bounds least_bounds(struct least *least, int n)
{
	struct bounds bounds = {n, 0, 0};

	for (size_t i = 0; i < least->known.n; i++)
		if (least->known.at[i].n == n)
			return least->known.at[i];
	if (!least->geometry->is_direct)
		bounds.lower = bounds.upper =
			least->of == LEAST_MAX ? least_level(least, n) : least_tree_sum(least, n);
	else if (!least_by_coordinates(least, n, &bounds))
		least_search(least, n, &bounds);
	vec_push(&least->known, bounds);
	return bounds;
}
