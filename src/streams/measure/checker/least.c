/* least.c - the least diameter, or sum of distances, that a number of nodes of a machine
 * can have */
#include "measure/checker/least.h"

#include "measure/checker/least_priv.h"
#include "model/topo_type.h"

struct bounds least_bounds(struct least *least, int n)
{
	struct bounds bounds = {n, 0, 0};

	for (size_t i = 0; i < least->known.n; i++)
		if (least->known.at[i].n == n)
			return least->known.at[i];
	if (!least->geometry->is_direct)
		bounds.lower = bounds.upper = least->measure == LEAST_MAX
						      ? least_level(least, n)
						      : least_tree_sum(least, n);
	else if (!least_by_coordinates(least, n, &bounds))
		least_search(least, n, &bounds);
	vec_push(&least->known, bounds);
	return bounds;
}
