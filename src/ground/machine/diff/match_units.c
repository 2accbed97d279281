/* match_units.c - leaves that common nodes join, as rails do: what is known of all of them */
#include "machine/diff/match_priv.h"

static int root_of(int32_t *above, int v)
{
	while (above[v] != v)
		v = above[v] = above[above[v]];
	return v;
}

int32_t *cabling_units(const struct cabling *cabling)
{
	int32_t *above = xmalloc(((size_t)cabling->n + 1) * sizeof(*above));
	bool has_rails = false;

	for (int v = 0; v < cabling->n; v++)
		above[v] = v;
	for (int v = 0; v < cabling->topo->nnodes; v++)
		for (int64_t i = cabling->first[v] + 1; i < cabling->first[v + 1]; i++) {
			above[root_of(above, cabling->peer[i])] =
				root_of(above, cabling->peer[cabling->first[v]]);
			has_rails = true;
		}
	for (int v = 0; v < cabling->n; v++)
		above[v] = root_of(above, v);
	if (has_rails)
		return above;
	free(above);
	return NULL;
}

/* The unit of most of the nodes of a router of seen, or -1. */
static int unit_of_seen(const struct match *match, int seen)
{
	const struct cabling *a = match->seen, *b = match->plan;
	int unit = -1, votes = 0;

	for (int64_t i = a->first[seen]; i < a->first[seen + 1]; i++) {
		int node = cabling_is_node(a, a->peer[i]) ? a->mate[a->peer[i]] : -1;
		int its = node >= 0 && cabling_is_node(b, node) && b->degree[node] > 0
				  ? match->unit_of[b->peer[b->first[node]]]
				  : -1;

		if (its < 0)
			continue;
		if (votes == 0)
			unit = its;
		votes += its == unit ? 1 : -1;
	}
	return unit;
}

struct unit_end {
	int32_t unit, router, count;
};
typedef VEC(struct unit_end) unit_ends;

static int compare_ends(const void *a, const void *b)
{
	const struct unit_end *x = a, *y = b;

	if (x->unit != y->unit)
		return x->unit < y->unit ? -1 : 1;
	return (x->router > y->router) - (x->router < y->router);
}

/* What routers outside are cabled to units: unit [n] of each router, -1: none. */
static void find_ends(const struct cabling *cabling, const int32_t *unit, unit_ends *ends)
{
	size_t n = 0;

	for (int v = cabling->topo->nnodes; v < cabling->n; v++)
		for (int64_t i = cabling->mate[v] >= 0 ? cabling->first[v + 1] : cabling->first[v];
		     i < cabling->first[v + 1]; i++) {
			int its = unit[cabling->peer[i]];

			if (its >= 0 && its != unit[v])
				vec_push(ends, (struct unit_end){its, v, cabling->count[i]});
		}
	if (ends->n > 0)
		qsort(ends->at, ends->n, sizeof(*ends->at), compare_ends);
	for (size_t i = 0; i < ends->n; i++) {
		if (n > 0 && compare_ends(&ends->at[n - 1], &ends->at[i]) == 0)
			ends->at[n - 1].count += ends->at[i].count;
		else
			ends->at[n++] = ends->at[i];
	}
	ends->n = n;
}

/*
 * The leaves of a unit of rails have the same nodes, so that none is known at first. But the unit
 * is, and who is above it is not above another.
 */
void match_units(struct match *match)
{
	int32_t *of_seen = xmalloc(((size_t)match->seen->n + 1) * sizeof(*of_seen));
	int32_t *of_plan = xmalloc(((size_t)match->plan->n + 1) * sizeof(*of_plan));
	unit_ends seen = {0}, plan = {0};

	for (int v = 0; v < match->seen->n; v++)
		of_seen[v] = cabling_is_node(match->seen, v) ? -1 : unit_of_seen(match, v);
	for (int v = 0; v < match->plan->n; v++)
		of_plan[v] = -1;
	for (int v = 0; v < match->plan->topo->nnodes; v++)
		for (int64_t i = match->plan->first[v]; i < match->plan->first[v + 1]; i++)
			of_plan[match->plan->peer[i]] = match->unit_of[match->plan->peer[i]];
	find_ends(match->seen, of_seen, &seen);
	find_ends(match->plan, of_plan, &plan);
	for (size_t i = 0, k = 0; i < seen.n; i++) {
		while (k < plan.n && plan.at[k].unit < seen.at[i].unit)
			k++;
		for (size_t j = k; j < plan.n && plan.at[j].unit == seen.at[i].unit; j++)
			match_raise(match, seen.at[i].router, plan.at[j].router,
				    seen.at[i].count < plan.at[j].count ? seen.at[i].count
									: plan.at[j].count);
	}
	vec_free(&seen);
	vec_free(&plan);
	free(of_seen);
	free(of_plan);
}
