/* tiers_compact.c - the least sum of levels: a knapsack over the tiers of a machine */
#include <stdlib.h>
#include <string.h>

#include "place/policy/tiers_near.h"

/*
 * A pair of nodes that meets at the top costs most; for each tier in which it is in one domain it
 * saves one level. saved[x] is the most that x nodes below a domain save: with x_c nodes below its
 * children c, x(x - 1)/2 pairs of its own and what the children save. Over routers alone that is
 * Σ x_c(x_c - 1)/2, which is convex, so the fullest routers first are best; above, the numbers are
 * divided by dynamic programming, in O(m·q) steps for m domains and q nodes.
 */
struct tier_plan {
	int64_t **saved; /* [ndomains]: [size + 1] */
	int *size;       /* [ndomains] the most nodes that it is asked for */
	int **share;     /* [ndomains]: child by child, what it gets of x */
};

struct plan {
	const struct alloc_request *request;
	const struct machine *machine;
	int wanted, most;
	struct tier_plan at[TOPO_LEVELS + 1]; /* of tier t; of the whole machine at ntiers */
	struct arena arena;
	int_vec *nodes;
};

static int ndomains(const struct plan *plan, int tier)
{
	return tier < plan->machine->ntiers ? plan->machine->ndomains[tier] : 1;
}

/* The children of a domain: *n of them. */
static int child(const struct plan *plan, int tier, int domain, int i, int *n)
{
	const struct machine *machine = plan->machine;

	if (tier == machine->ntiers) {
		*n = machine->ndomains[tier - 1];
		return i;
	}
	*n = machine->first[tier][domain + 1] - machine->first[tier][domain];
	return *n > 0 ? machine->member[tier][machine->first[tier][domain] + i] : -1;
}

static int64_t pairs(int64_t n)
{
	return n * (n - 1) / 2;
}

/* Routers of a domain by their idle nodes. count [most + 1] */
static void count_routers(const struct plan *plan, int tier, int domain, int *count)
{
	int n = 0;

	memset(count, 0, ((size_t)plan->most + 1) * sizeof(*count));
	child(plan, tier, domain, 0, &n);
	for (int i = 0; i < n; i++)
		count[plan->machine->nidle_of[0][child(plan, tier, domain, i, &n)]]++;
}

/* What x = 0 … size nodes save on the fullest routers, and by meeting here. */
static void save_on_routers(struct plan *plan, int tier, int domain, int *count)
{
	struct tier_plan *at = &plan->at[tier];
	int64_t *saved = at->saved[domain], before = 0;
	bool is_top = tier == plan->machine->ntiers;
	int x = 0;

	count_routers(plan, tier, domain, count);
	saved[0] = 0;
	for (int full = plan->most; full > 0; full--)
		for (int i = 0; i < count[full] && x < at->size[domain]; i++) {
			for (int y = 1; y <= full && x < at->size[domain]; y++) {
				x++;
				saved[x] = before + pairs(y) + (is_top ? 0 : pairs(x));
			}
			before += pairs(full);
		}
}

/* Child after child: saved[x] is the most over what the next one gets. */
static void save_on_children(struct plan *plan, int tier, int domain, int64_t *merged)
{
	struct tier_plan *at = &plan->at[tier], *below = &plan->at[tier - 1];
	int64_t *saved = at->saved[domain];
	int n, size = 0, wanted = at->size[domain];

	child(plan, tier, domain, 0, &n);
	at->share[domain] = arena_alloc(&plan->arena, ((size_t)n * ((size_t)wanted + 1) + 1) *
							      sizeof(**at->share));
	saved[0] = 0;
	for (int i = 0; i < n; i++) {
		int c = child(plan, tier, domain, i, &n);
		int *share = at->share[domain] + (size_t)i * ((size_t)wanted + 1);
		int with = size + below->size[c] < wanted ? size + below->size[c] : wanted;

		for (int x = 0; x <= with; x++) {
			int least = x > size ? x - size : 0;

			merged[x] = -1;
			for (int y = least; y <= below->size[c] && y <= x; y++)
				if (saved[x - y] + below->saved[c][y] > merged[x]) {
					merged[x] = saved[x - y] + below->saved[c][y];
					share[x] = y;
				}
		}
		memcpy(saved, merged, ((size_t)with + 1) * sizeof(*saved));
		size = with;
	}
	for (int x = 0; x <= wanted && tier < plan->machine->ntiers; x++)
		saved[x] += pairs(x);
}

static void make(struct plan *plan, int tier, int *count, int64_t *merged)
{
	struct tier_plan *at = &plan->at[tier];
	size_t n = (size_t)ndomains(plan, tier);

	at->saved = arena_alloc(&plan->arena, n * sizeof(*at->saved));
	at->size = arena_alloc(&plan->arena, n * sizeof(*at->size));
	at->share = arena_alloc(&plan->arena, n * sizeof(*at->share));
	for (int d = 0; d < (int)n; d++) {
		int nidle = tier < plan->machine->ntiers ? plan->machine->nidle_of[tier][d]
							 : plan->machine->nidle;

		at->size[d] = nidle < plan->wanted ? nidle : plan->wanted;
		at->saved[d] =
			arena_alloc(&plan->arena, ((size_t)at->size[d] + 1) * sizeof(**at->saved));
		if (tier == 1)
			save_on_routers(plan, tier, d, count);
		else
			save_on_children(plan, tier, d, merged);
	}
}

/* Up to n idle nodes of a router. */
static void take_router(struct plan *plan, int router, int n)
{
	size_t first = plan->nodes->n;

	machine_idle_of_router(plan->machine, router, n, plan->nodes);
	for (size_t i = first; i < plan->nodes->n; i++)
		machine_take(plan->request->machine, plan->nodes->at[i]);
}

/* The router of a domain with idle nodes nearest to n: fewest of those that have as many, or most
 * of the others; the lowest among equals. */
static int router_for(const struct plan *plan, int tier, int domain, int wanted)
{
	int n, best = -1, best_idle = 0;

	child(plan, tier, domain, 0, &n);
	for (int i = 0; i < n; i++) {
		int router = child(plan, tier, domain, i, &n);
		int nidle = plan->machine->nidle_of[0][router];

		if (best_idle >= wanted ? nidle >= wanted && nidle < best_idle
					: nidle > best_idle) {
			best = router;
			best_idle = nidle;
		}
	}
	return best;
}

static void take(struct plan *plan, int tier, int domain, int wanted)
{
	int n, *mine;

	while (tier == 1 && wanted > 0) {
		int router = router_for(plan, tier, domain, wanted);
		int nidle = plan->machine->nidle_of[0][router];

		take_router(plan, router, wanted);
		wanted -= nidle < wanted ? nidle : wanted;
	}
	if (wanted == 0)
		return;
	child(plan, tier, domain, 0, &n);
	mine = arena_alloc(&plan->arena, ((size_t)n + 1) * sizeof(*mine));
	for (int i = n - 1; i >= 0; i--) {
		mine[i] =
			plan->at[tier].share[domain]
					    [(size_t)i * ((size_t)plan->at[tier].size[domain] + 1) +
					     (size_t)wanted];
		wanted -= mine[i];
	}
	for (int i = 0; i < n; i++)
		if (mine[i] > 0)
			take(plan, tier - 1, child(plan, tier, domain, i, &n), mine[i]);
}

void tiers_compact(const struct alloc_request *request, int_vec *nodes, struct buf *reason)
{
	const struct machine *machine = request->machine;
	struct plan plan = {.request = request,
			    .machine = machine,
			    .wanted = request->job->nnodes,
			    .most = machine->most,
			    .nodes = nodes};
	int *count = xmalloc(((size_t)machine->most + 1) * sizeof(*count));
	int64_t *merged = xmalloc(((size_t)plan.wanted + 1) * sizeof(*merged)), cost;

	for (int tier = 1; tier <= machine->ntiers; tier++)
		make(&plan, tier, count, merged);
	cost = (machine->ntiers + 1) * pairs(plan.wanted) -
	       plan.at[machine->ntiers].saved[0][plan.wanted];
	take(&plan, machine->ntiers, 0, plan.wanted);
	buf_printf(reason, "sum of levels %lld", (long long)cost);
	free(count);
	free(merged);
	arena_free(&plan.arena);
}
