/* compact_peel.c - which nodes are in no set with a small sum of distances */
#include <stdlib.h>

#include "place/constraint/compact.h"

enum { PEEL_ROUTERS = 1024, PEEL_PAIRS = 1 << 18 };

struct peeling {
	struct pool *pool;
	int wanted;
	int64_t *shell; /* [nrouters] of a node of each */
	int *count;     /* [nrouters + 1] nodes at each distance; zero between calls */
};

/* The sum of distances from a node of a router to the wanted − 1 nearest others; INT64_MAX: they
 * are too few. */
static int64_t shell_of(struct peeling *peeling, int router)
{
	const struct pool *pool = peeling->pool;
	const uint16_t *distance = distances_from(pool->distances, router);
	int left = peeling->wanted - 1, far = 0;
	int64_t sum = 0;

	for (int r = 0; r < pool->space->topo->nrouters; r++) {
		if (pool->weight[r] == 0 || distance[r] == DISTANCE_MOST)
			continue;
		peeling->count[distance[r]] += pool->weight[r];
		far = distance[r] > far ? distance[r] : far;
	}
	peeling->count[0]--; /* itself */
	for (int d = 0; d <= far; d++) {
		int n = peeling->count[d] < left ? peeling->count[d] : left;

		sum += (int64_t)d * n;
		left -= n;
		peeling->count[d] = 0;
	}
	return left == 0 ? sum : INT64_MAX;
}

struct shelled {
	int64_t shell;
	int n;
};

static int by_shell(const void *a, const void *b)
{
	const struct shelled *x = a, *y = b;

	return (x->shell > y->shell) - (x->shell < y->shell);
}

/* The least sum of n shells; INT64_MAX: there are fewer. */
static int64_t least_shells(const struct peeling *peeling, int n, struct shelled *shelled)
{
	const struct pool *pool = peeling->pool;
	int nshelled = 0;
	int64_t sum = 0;

	for (int r = 0; r < pool->space->topo->nrouters; r++)
		if (pool->weight[r] > 0 && peeling->shell[r] != INT64_MAX)
			shelled[nshelled++] = (struct shelled){peeling->shell[r], pool->weight[r]};
	if (nshelled > 1)
		qsort(shelled, (size_t)nshelled, sizeof(*shelled), by_shell);
	for (int i = 0; i < nshelled && n > 0; i++) {
		int taken = shelled[i].n < n ? shelled[i].n : n;

		sum += taken * shelled[i].shell;
		n -= taken;
	}
	return n > 0 ? INT64_MAX : sum;
}

static void take_out(struct pool *pool, int router)
{
	const struct space *space = pool->space;

	for (int k = space->first_node[router]; k < space->first_node[router + 1]; k++)
		pool->has[space->node[k]] = false;
	pool->n -= pool->weight[router];
	pool->weight[router] = 0;
}

/* One round; *has_changed: a router was taken out. false: no set is left. */
static bool peel(struct peeling *peeling, int64_t limit, struct shelled *shelled, bool *has_changed)
{
	struct pool *pool = peeling->pool;
	int nrouters = pool->space->topo->nrouters;
	int64_t others;

	*has_changed = false;
	for (int r = 0; r < nrouters; r++)
		if (pool->weight[r] > 0)
			peeling->shell[r] = shell_of(peeling, r);
	if (least_shells(peeling, peeling->wanted, shelled) > 2 * limit)
		return false;
	others = least_shells(peeling, peeling->wanted - 1, shelled);
	for (int r = 0; r < nrouters; r++)
		if (pool->weight[r] > 0 &&
		    (peeling->shell[r] == INT64_MAX || peeling->shell[r] + others > 2 * limit)) {
			take_out(pool, r);
			*has_changed = true;
		}
	return pool->n >= peeling->wanted;
}

bool compact_peel(struct pool *pool, int wanted, int64_t limit)
{
	size_t nrouters = (size_t)pool->space->topo->nrouters;
	struct peeling peeling = {.pool = pool, .wanted = wanted};
	struct shelled *shelled;
	bool has_changed = true, is_left = true;
	int64_t npairs = 0;

	if (!pool->space->is_direct || nrouters > PEEL_ROUTERS)
		return true;
	peeling.shell = xmalloc(nrouters * sizeof(*peeling.shell));
	peeling.count = xcalloc(nrouters + 1, sizeof(int));
	shelled = xmalloc(nrouters * sizeof(*shelled));
	/* one round at least */
	while (is_left && has_changed && npairs < PEEL_PAIRS) {
		is_left = peel(&peeling, limit, shelled, &has_changed);
		npairs += (int64_t)nrouters * (int64_t)nrouters;
	}
	free(peeling.shell);
	free(peeling.count);
	free(shelled);
	return is_left;
}
