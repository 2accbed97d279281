/* joining.c - the largest piece of nodes that join one after the other: union and find
 * over routers */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/connected_pieces.h"

void joining_open(struct constraint *constraint)
{
	struct joining *joining = xcalloc(1, sizeof(*joining));
	size_t n = (size_t)constraint->space->topo->nrouters;

	joining->space = constraint->space;
	joining->parent = xmalloc(n * sizeof(int));
	joining->weight = xmalloc(n * sizeof(int));
	constraint->state = joining;
}

void joining_close(struct constraint *constraint)
{
	struct joining *joining = constraint->state;

	if (joining == NULL)
		return;
	free(joining->parent);
	free(joining->weight);
	free(joining);
}

static int find(struct joining *joining, int router)
{
	int *parent = joining->parent;

	while (parent[router] != router)
		router = parent[router] = parent[parent[router]];
	return router;
}

/* A router joins, and with it all that are next to it and have. */
static void join(struct joining *joining, int router)
{
	const struct space *space = joining->space;
	int root = router;

	joining->parent[router] = router;
	for (int k = space->first_peer[router]; k < space->first_peer[router + 1]; k++) {
		int other;

		if (joining->parent[space->peer[k]] < 0)
			continue;
		other = find(joining, space->peer[k]);
		if (other == root)
			continue;
		/* the heavier one is the root; those without nodes are light */
		if (joining->weight[other] > joining->weight[root]) {
			int lighter = root;

			root = other;
			other = lighter;
		}
		joining->parent[other] = root;
		joining->weight[root] += joining->weight[other];
	}
	if (joining->weight[root] > joining->most)
		joining->most = joining->weight[root];
}

void joining_start(struct joining *joining)
{
	const struct space *space = joining->space;

	memset(joining->parent, 0xff, (size_t)space->topo->nrouters * sizeof(int));
	memset(joining->weight, 0, (size_t)space->topo->nrouters * sizeof(int));
	joining->most = 0;
	for (int r = 0; space->has_separate && r < space->topo->nrouters; r++)
		if (space->connects[r])
			join(joining, r);
}

void joining_add(struct joining *joining, int node)
{
	int router = joining->space->topo->router_of[node], root;

	if (joining->parent[router] < 0)
		join(joining, router);
	root = find(joining, router);
	if (++joining->weight[root] > joining->most)
		joining->most = joining->weight[root];
}

bool connected_fits(struct joining *joining, const uint64_t *idle, int n)
{
	int nwords = (joining->space->topo->nnodes + 63) / 64;

	joining_start(joining);
	for (int w = 0; w < nwords; w++) {
		for (uint64_t word = idle[w]; word != 0; word &= word - 1)
			joining_add(joining, w * 64 + __builtin_ctzll(word));
		if (joining->most >= n)
			return true;
	}
	return false;
}

int64_t connected_earliest(struct joining *joining, const struct free_times *times, int n)
{
	joining_start(joining);
	for (int i = 0; i < times->n; i++) {
		joining_add(joining, times->order[i]);
		if (joining->most >= n)
			return times->at[times->order[i]];
	}
	return INT64_MAX;
}
