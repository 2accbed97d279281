/* compact_nested.c - least sums of distances where they have one shape: full domains, one inside
 * another, and what is left in one more */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/dragonfly.h"
#include "place/constraint/compact.h"

/*
 * Nodes that share a domain of level l are nearer by one than those that do not, and domains of a
 * level all have size[l] nodes. The sum is then the least exactly where every level has as many
 * full domains as n nodes fill, and one with the rest: Σ x(x − 1)/2 over domains of at most
 * size[l] nodes is the greatest for these counts and for no others. As sizes divide each other that
 * can be had at all levels at once: domains that are full, and in one more the same for what is
 * left.
 *
 * That is so in trees whose domains are equal, and within one group of a dragonfly: there sets of
 * routers that are all next to each other, but of several groups, have the same sums. Of one router
 * in each of two groups: looked for; of more: whether there are such is found out once.
 */
struct compact_nested {
	const struct space *space;
	int ntop; /* domains of the highest level, one of which has the set */
	int nlevels;
	int size[TOPO_LEVELS + 1];
	bool has_others; /* dragonflies: three routers of three groups are next to each other */
	int *count;      /* [nnodes / size[0]] idle nodes of each leaf */
	bool *may; /* [nnodes / size[0] · 2] whether a domain has what is left at its level */
	int first[TOPO_LEVELS + 1]; /* where a level's domains begin in may, cost and all */
	int64_t *cost;              /* the least sum of ranks of what is left at a level */
	int64_t *all;               /* of all its nodes; −1: not all are idle */
};

/* Whether domains of a tier are size nodes each, in label order; the size, or 0. */
static int equal_size(const struct topo *topo, int tier)
{
	int size = 1;

	while (size < topo->nnodes && topo_domain(topo, size, tier) == topo_domain(topo, 0, tier))
		size++;
	if (topo->nnodes % size != 0)
		return 0;
	for (int node = 0; node < topo->nnodes; node++)
		if (topo_domain(topo, node, tier) != node / size)
			return 0;
	return size;
}

static bool are_next(const struct space *space, int a, int b)
{
	for (int k = space->first_peer[a]; k < space->first_peer[a + 1]; k++)
		if (space->peer[k] == b)
			return true;
	return false;
}

static bool has_triangles(const struct space *space, int routers)
{
	for (int a = 0; a < space->topo->nrouters; a++)
		for (int i = space->first_peer[a]; i < space->first_peer[a + 1]; i++)
			for (int k = space->first_peer[a]; k < i; k++) {
				int b = space->peer[i], c = space->peer[k];

				if (b / routers != a / routers && c / routers != a / routers &&
				    b / routers != c / routers && are_next(space, b, c))
					return true;
			}
	return false;
}

struct compact_nested *compact_nested_open(const struct space *space)
{
	const struct topo *topo = space->topo;
	const struct dragonfly *df = topo_as_dragonfly(topo);
	struct compact_nested *nested;
	int ntiers = df != NULL ? 2 : topo->ntiers, ndomains = 0;

	if (space->nserving != topo->nnodes || topo->ntiers < ntiers ||
	    (space->is_direct ? df == NULL || df->rows != 1 || df->links != 1 : !space->is_tree))
		return NULL;
	nested = xcalloc(1, sizeof(*nested));
	nested->space = space;
	for (int tier = 0; tier < ntiers; tier++) {
		int size = equal_size(topo, tier);

		if (size == 0 || (tier > 0 && size % nested->size[tier - 1] != 0)) {
			free(nested);
			return NULL;
		}
		nested->size[nested->nlevels++] = size;
	}
	if (df == NULL && nested->size[nested->nlevels - 1] != topo->nnodes)
		nested->size[nested->nlevels++] = topo->nnodes;
	for (int l = 0; l < nested->nlevels; l++) {
		nested->first[l] = ndomains;
		nested->ntop = topo->nnodes / nested->size[l];
		ndomains += nested->ntop;
	}
	nested->has_others = df != NULL && has_triangles(space, df->routers);
	nested->count = xcalloc((size_t)(topo->nnodes / nested->size[0]), sizeof(int));
	nested->may = xcalloc((size_t)ndomains, sizeof(bool));
	nested->cost = xcalloc((size_t)ndomains, sizeof(int64_t));
	nested->all = xcalloc((size_t)ndomains, sizeof(int64_t));
	return nested;
}

void compact_nested_close(struct compact_nested *nested)
{
	if (nested == NULL)
		return;
	free(nested->count);
	free(nested->may);
	free(nested->cost);
	free(nested->all);
	free(nested);
}

/* ---- whether there is a set ---- */

static void count_leaves(struct compact_nested *nested, const uint64_t *idle)
{
	int nnodes = nested->space->topo->nnodes, size = nested->size[0];

	for (int leaf = 0, node = 0; node < nnodes; leaf++) {
		int n = 0;

		for (int end = node + size; node < end; node++)
			n += (int)(idle[node >> 6] >> (node & 63) & 1);
		nested->count[leaf] = n;
	}
}

/* What is left of n at a level: at the highest it is n. */
static int left_at(const struct compact_nested *nested, int n, int level)
{
	for (int l = nested->nlevels - 2; l >= level; l--)
		n %= nested->size[l];
	return n;
}

/* all [domains of a level]: whether a domain is idle as a whole, as −1 or another. */
static void look_at(struct compact_nested *nested, int n, int level, int domain)
{
	int at = nested->first[level] + domain, left = left_at(nested, n, level);
	int nchildren, child, nfull = 0, nneeded;
	bool has_other = false;

	if (level == 0) {
		nested->all[at] = nested->count[domain] == nested->size[0] ? 0 : -1;
		nested->may[at] = nested->count[domain] >= left;
		return;
	}
	nchildren = nested->size[level] / nested->size[level - 1];
	child = nested->first[level - 1] + domain * nchildren;
	for (int i = child; i < child + nchildren; i++) {
		nfull += nested->all[i] >= 0;
		has_other |= nested->all[i] < 0 && nested->may[i];
	}
	nneeded = left / nested->size[level - 1];
	nested->all[at] = nfull == nchildren ? 0 : -1;
	nested->may[at] = nfull > nneeded ||
			  (nfull == nneeded && (has_other || left % nested->size[level - 1] == 0));
}

/* Two routers of a dragonfly that are next to each other: one whole, and some of the other. */
static bool has_pair(const struct compact_nested *nested, int n, int *whole, int *part)
{
	const struct space *space = nested->space;
	int size = nested->size[0], left = n - size;

	for (int a = 0; a < space->topo->nrouters; a++)
		for (int k = space->first_peer[a];
		     nested->count[a] == size && k < space->first_peer[a + 1]; k++)
			if (nested->count[space->peer[k]] >= left) {
				*whole = a;
				*part = space->peer[k];
				return true;
			}
	return false;
}

int compact_nested_fits(struct compact_nested *nested, const uint64_t *idle, int n)
{
	int top = nested->nlevels - 1, whole, part;
	bool is_tree = !nested->space->is_direct;

	if (n > nested->size[top])
		return -1;
	count_leaves(nested, idle);
	for (int l = 0; l <= top; l++)
		for (int d = 0; d < nested->space->topo->nnodes / nested->size[l]; d++)
			look_at(nested, n, l, d);
	for (int d = 0; d < nested->ntop; d++)
		if (nested->may[nested->first[top] + d])
			return 1;
	if (is_tree || n <= nested->size[0])
		return 0;
	if (n <= 2 * nested->size[0])
		return has_pair(nested, n, &whole, &part);
	return nested->has_others ? -1 : 0;
}

bool compact_nested_has_full(struct compact_nested *nested, const uint64_t *idle, int n)
{
	const struct space *space = nested->space;
	int size = nested->size[nested->nlevels - 1], nleaves = size / nested->size[0];
	int nfull = 0, most = 0, nneeded = n / size;

	if (!near_is_guessed(space) || n <= size)
		return true;
	count_leaves(nested, idle);
	for (int d = 0; d < nested->ntop; d++) {
		int nidle = 0;

		for (int leaf = d * nleaves; leaf < (d + 1) * nleaves; leaf++)
			nidle += nested->count[leaf];
		nfull += nidle == size;
		most = nidle < size && nidle > most ? nidle : most;
	}
	return nfull > nneeded || (nfull == nneeded && most >= n % size);
}

/* ---- the set whose ranks are least ---- */

struct ranked {
	int64_t rank;
	int at;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

/* The idle nodes of a leaf by rank; returns how many. */
static int sort_leaf(const struct compact_nested *nested, const struct search *search, int leaf,
		     struct ranked *ranked)
{
	int n = 0, size = nested->size[0];

	for (int node = leaf * size; node < (leaf + 1) * size; node++)
		if (machine_is_idle(search->machine, node))
			ranked[n++] = (struct ranked){search->rank[node], node};
	if (n > 1)
		qsort(ranked, (size_t)n, sizeof(*ranked), by_rank);
	return n;
}

/* The full children of a domain by the sum of their ranks; returns how many. */
static int sort_full(const struct compact_nested *nested, int level, int domain,
		     struct ranked *ranked)
{
	int nchildren = nested->size[level] / nested->size[level - 1], n = 0;

	for (int i = domain * nchildren; i < (domain + 1) * nchildren; i++)
		if (nested->all[nested->first[level - 1] + i] >= 0)
			ranked[n++] = (struct ranked){nested->all[nested->first[level - 1] + i], i};
	if (n > 1)
		qsort(ranked, (size_t)n, sizeof(*ranked), by_rank);
	return n;
}

/*
 * Of a domain: nneeded full children and one more with what is left, chosen so that the ranks are
 * least. Returns the sum, *more becomes the one more; −1: nothing is left.
 */
static int64_t choose_children(const struct compact_nested *nested, int level, int domain, int left,
			       const struct ranked *full, int nfull, int *more)
{
	int nchildren = nested->size[level] / nested->size[level - 1];
	int nneeded = left / nested->size[level - 1], below = nested->first[level - 1];
	int64_t sum = 0, least = INT64_MAX;

	*more = -1;
	for (int i = 0; i < nneeded; i++)
		sum += full[i].rank;
	if (left % nested->size[level - 1] == 0)
		return sum;
	for (int i = domain * nchildren; i < (domain + 1) * nchildren; i++) {
		int64_t value = sum + nested->cost[below + i];
		bool is_first = false;

		if (!nested->may[below + i])
			continue;
		for (int k = 0; k < nneeded && !is_first; k++)
			is_first = full[k].at == i;
		if (is_first && nfull == nneeded)
			continue;
		if (is_first) /* the next full one comes in for it */
			value += full[nneeded].rank - nested->all[below + i];
		if (value < least) {
			least = value;
			*more = i;
		}
	}
	return least;
}

static void cost_of(struct compact_nested *nested, const struct search *search, int level,
		    int domain, struct ranked *ranked)
{
	int at = nested->first[level] + domain, left = left_at(nested, search->wanted, level), n;
	int more;

	nested->cost[at] = 0;
	if (level == 0) {
		n = sort_leaf(nested, search, domain, ranked);
		for (int i = 0; i < left && i < n; i++)
			nested->cost[at] += ranked[i].rank;
		for (int i = 0; i < n && nested->all[at] >= 0; i++)
			nested->all[at] += ranked[i].rank;
		return;
	}
	n = sort_full(nested, level, domain, ranked);
	for (int i = 0; i < n && nested->all[at] >= 0; i++)
		nested->all[at] += ranked[i].rank;
	if (nested->may[at])
		nested->cost[at] = choose_children(nested, level, domain, left, ranked, n, &more);
}

/* n nodes of a domain: all of them, or those that were found to be the least. */
static void give(const struct compact_nested *nested, const struct search *search, int level,
		 int domain, int n, int_vec *nodes)
{
	int size = nested->size[level], nfull, more;
	struct ranked *ranked;

	if (n == size) {
		for (int node = domain * size; node < (domain + 1) * size; node++)
			vec_push(nodes, node);
		return;
	}
	ranked = xmalloc((size_t)size * sizeof(*ranked));
	if (level == 0) {
		sort_leaf(nested, search, domain, ranked);
		for (int i = 0; i < n; i++)
			vec_push(nodes, ranked[i].at);
		free(ranked);
		return;
	}
	nfull = sort_full(nested, level, domain, ranked);
	choose_children(nested, level, domain, n, ranked, nfull, &more);
	for (int i = 0, nleft = n / nested->size[level - 1]; nleft > 0; i++) {
		if (ranked[i].at == more)
			continue;
		give(nested, search, level - 1, ranked[i].at, nested->size[level - 1], nodes);
		nleft--;
	}
	if (more >= 0)
		give(nested, search, level - 1, more, n % nested->size[level - 1], nodes);
	free(ranked);
}

/* compact_nested_fits said yes. */
void compact_nested_choose(struct compact_nested *nested, const struct search *search,
			   int_vec *nodes)
{
	int top = nested->nlevels - 1, best = -1, whole, part;
	struct ranked *ranked = xmalloc((size_t)nested->size[top] * sizeof(*ranked));

	nodes->n = 0;
	for (int l = 0; l <= top; l++)
		for (int d = 0; d < nested->space->topo->nnodes / nested->size[l]; d++)
			cost_of(nested, search, l, d, ranked);
	for (int d = nested->first[top]; d < nested->first[top] + nested->ntop; d++)
		if (nested->may[d] && (best < 0 || nested->cost[d] < nested->cost[best]))
			best = d;
	free(ranked);
	if (best >= 0) {
		give(nested, search, top, best - nested->first[top], search->wanted, nodes);
	} else if (has_pair(nested, search->wanted, &whole, &part)) {
		give(nested, search, 0, whole, nested->size[0], nodes);
		give(nested, search, 0, part, search->wanted - nested->size[0], nodes);
	}
}
