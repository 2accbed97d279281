/* match_improve.c - second thoughts on which router is which, where cables differ */
#include "machine/diff/match_priv.h"

#include <string.h>

/* Forgets which router is which where a cable differs. */
static void forget_ends(struct match *match, const cable_vec *cables)
{
	for (size_t i = 0; i < cables->n; i++)
		for (int end = 0; end < 2; end++) {
			int v = cables->at[i].ends[end], seen;

			if (v >= match->plan->n || cabling_is_node(match->plan, v))
				continue;
			seen = match->plan->mate[v];
			if (seen >= 0)
				match->seen->mate[seen] = match->plan->mate[v] = -1;
		}
}

/* Cables of a router of plan that seen does not have, and the other way. */
static int64_t misfits(const struct match *match, int plan)
{
	const struct cabling *a = match->plan, *b = match->seen;
	int seen = a->mate[plan];
	int64_t n = a->degree[plan] + (seen >= 0 ? b->degree[seen] : 0);

	for (int64_t i = a->first[plan]; seen >= 0 && i < a->first[plan + 1]; i++) {
		int peer = a->mate[a->peer[i]];
		int64_t low = b->first[seen], high = b->first[seen + 1];

		while (low < high) {
			int64_t middle = (low + high) / 2;

			if (b->peer[middle] < peer)
				low = middle + 1;
			else
				high = middle;
		}
		if (peer >= 0 && low < b->first[seen + 1] && b->peer[low] == peer)
			n -= 2 * (a->count[i] < b->count[low] ? a->count[i] : b->count[low]);
	}
	return n;
}

static void set_mate(struct match *match, int plan, int seen)
{
	match->plan->mate[plan] = seen;
	if (seen >= 0)
		match->seen->mate[seen] = plan;
}

/* Lets two routers of plan change places where that leaves fewer differences. */
static bool exchange(struct match *match, int a, int b)
{
	int of_a = match->plan->mate[a], of_b = match->plan->mate[b];
	int64_t before = misfits(match, a) + misfits(match, b);

	set_mate(match, a, of_b);
	set_mate(match, b, of_a);
	if (misfits(match, a) + misfits(match, b) < before)
		return true;
	set_mate(match, a, of_a);
	set_mate(match, b, of_b);
	return false;
}

static int by_end(const void *a, const void *b)
{
	const struct cable *x = a, *y = b;

	if (x->ends[0] != y->ends[0])
		return x->ends[0] < y->ends[0] ? -1 : 1;
	return (x->ends[1] > y->ends[1]) - (x->ends[1] < y->ends[1]);
}

/* Both ways round, sorted by the first end. */
static void list_both_ways(cable_vec *cables)
{
	for (size_t i = 0, n = cables->n; i < n; i++) {
		struct cable back = {{cables->at[i].ends[1], cables->at[i].ends[0]}, false};

		vec_push(cables, back);
	}
	if (cables->n > 0)
		qsort(cables->at, cables->n, sizeof(*cables->at), by_end);
}

/* What lacks a cable to a router where another has one too many may be that other one. */
static bool exchange_ends(struct match *match)
{
	cable_vec missing = {0}, extra = {0};
	bool has_moved = false;

	cabling_compare(match->plan, match->seen, &missing, &extra);
	list_both_ways(&missing);
	list_both_ways(&extra);
	for (size_t i = 0, first = 0; i < missing.n; i++) {
		int at = missing.at[i].ends[0], a = missing.at[i].ends[1];

		while (first < extra.n && extra.at[first].ends[0] < at)
			first++;
		for (size_t k = first; k < extra.n && extra.at[k].ends[0] == at; k++) {
			int b = extra.at[k].ends[1];

			if (b < match->plan->n && a != b && !cabling_is_node(match->plan, a) &&
			    !cabling_is_node(match->plan, b) && exchange(match, a, b))
				has_moved = true;
		}
	}
	vec_free(&missing);
	vec_free(&extra);
	return has_moved;
}

/*
 * An early choice between equals may have been misled by a wrong cable. What has a difference is
 * matched again from all the others, as long as that leaves fewer differences.
 */
static void improve(struct match *match)
{
	size_t nplan = (size_t)match->plan->n * sizeof(*match->plan->mate);
	size_t nseen = (size_t)match->seen->n * sizeof(*match->seen->mate);
	int32_t *of_plan = xmalloc(nplan + 1), *of_seen = xmalloc(nseen + 1);
	cable_vec cables = {0};
	int64_t least, now;

	while (exchange_ends(match))
		continue;
	now = cabling_compare(match->plan, match->seen, NULL, NULL);

	do {
		least = now;
		memcpy(of_plan, match->plan->mate, nplan);
		memcpy(of_seen, match->seen->mate, nseen);
		if (least == 0)
			break;
		cables.n = 0;
		cabling_compare(match->plan, match->seen, &cables, &cables);
		forget_ends(match, &cables);
		match_extend(match);
		while (exchange_ends(match))
			continue;
		now = cabling_compare(match->plan, match->seen, NULL, NULL);
	} while (now < least);
	memcpy(match->plan->mate, of_plan, nplan);
	memcpy(match->seen->mate, of_seen, nseen);
	vec_free(&cables);
	free(of_plan);
	free(of_seen);
}

/* A name that is a node's on either side is the same thing on both. */
static int match_nodes(struct cabling *plan, struct cabling *seen)
{
	int n = 0;

	for (int v = 0; v < plan->n; v++) {
		char text[TOPO_NAME];
		const char *name = cabling_name(plan, v, text);
		int other = topo_node_find(seen->topo, name, strlen(name));

		if (other < 0 && cabling_is_node(plan, v)) {
			other = topo_router_find(seen->topo, name, strlen(name));
			other = other < 0 ? -1 : other + seen->topo->nnodes;
		}
		if (other < 0)
			continue;
		plan->mate[v] = other;
		seen->mate[other] = v;
		n++;
	}
	return n;
}

int cabling_match(struct cabling *plan, struct cabling *seen)
{
	struct match match = {.plan = plan, .seen = seen};
	int nsame = match_nodes(plan, seen);

	match.of_seen = xmalloc(((size_t)seen->n + 1) * sizeof(*match.of_seen));
	match.of_plan = xmalloc(((size_t)plan->n + 1) * sizeof(*match.of_plan));
	match.is_dirty = xcalloc((size_t)seen->n + 1, sizeof(*match.is_dirty));
	match.unit_of = cabling_units(plan);
	match_extend(&match);
	improve(&match);
	vec_free(&match.pairs);
	umap_free(&match.ids);
	free(match.of_seen);
	free(match.of_plan);
	free(match.unit_of);
	vec_free(&match.dirty);
	free(match.is_dirty);
	vec_free(&match.fresh);
	vec_free(&match.trail);
	return nsame;
}
