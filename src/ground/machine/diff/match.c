/* match.c - which router of one cabling is which of another: by their cables to what is known */
#include "machine/diff/match_priv.h"

#include <string.h>

/*
 * Nodes are never renamed. But a list of cables takes what has a single one for a node: it may be a
 * switch that lost at least half of its cables.
 */
static bool may_be_same(const struct match *match, int seen, int plan)
{
	if (cabling_is_node(match->plan, plan))
		return false;
	return !cabling_is_node(match->seen, seen) ||
	       (match->seen->degree[seen] == 1 && match->plan->degree[plan] <= 2);
}

/* Two that are the same now: their neighbours are likely so, too. */
static void pass_on(struct match *match, int seen)
{
	const struct cabling *a = match->seen, *b = match->plan;
	int plan = a->mate[seen];

	for (int64_t i = a->first[seen]; i < a->first[seen + 1]; i++)
		for (int64_t k = b->first[plan]; a->mate[a->peer[i]] < 0 && k < b->first[plan + 1];
		     k++)
			if (b->mate[b->peer[k]] < 0 && may_be_same(match, a->peer[i], b->peer[k]))
				match_raise(match, a->peer[i], b->peer[k],
					    a->count[i] < b->count[k] ? a->count[i] : b->count[k]);
}

/* The best of a router's pairs with others that are free, or -1; *is_only: no other is as good. */
static int best_of_seen(const struct match *match, int seen, bool *is_only)
{
	int best = -1, score = 0;

	for (int i = match->of_seen[seen]; i >= 0; i = match->pairs.at[i].next_seen) {
		const struct pair *pair = &match->pairs.at[i];

		if (match->plan->mate[pair->plan] >= 0 || pair->score < score)
			continue;
		*is_only = pair->score > score;
		score = pair->score;
		best = i;
	}
	return best;
}

static int best_of_plan(const struct match *match, int plan, bool *is_only)
{
	int best = -1, score = 0;

	for (int i = match->of_plan[plan]; i >= 0; i = match->pairs.at[i].next_plan) {
		const struct pair *pair = &match->pairs.at[i];

		if (match->seen->mate[pair->seen] >= 0 || pair->score < score)
			continue;
		*is_only = pair->score > score;
		score = pair->score;
		best = i;
	}
	return best;
}

/* Others lose the two as candidates: who was second to them may be first now. */
static void mark_rivals(struct match *match, int seen, int plan)
{
	for (int i = match->of_plan[plan]; i >= 0; i = match->pairs.at[i].next_plan)
		match_mark(match, match->pairs.at[i].seen);
	for (int i = match->of_seen[seen]; i >= 0; i = match->pairs.at[i].next_seen) {
		int other = match->pairs.at[i].plan;

		for (int k = match->plan->mate[other] >= 0 ? -1 : match->of_plan[other]; k >= 0;
		     k = match->pairs.at[k].next_plan)
			match_mark(match, match->pairs.at[k].seen);
	}
}

static void unite(struct match *match, int seen, int plan)
{
	match->seen->mate[seen] = plan;
	match->plan->mate[plan] = seen;
	vec_push(&match->fresh, seen);
}

static void pass_all_on(struct match *match)
{
	for (size_t i = 0; i < match->fresh.n; i++) {
		int seen = match->fresh.at[i];

		mark_rivals(match, seen, match->seen->mate[seen]);
		pass_on(match, seen);
		vec_push(&match->trail, seen);
	}
	match->fresh.n = 0;
}

/*
 * Takes pairs that are the only best ones on both sides. In rounds: a router is judged by all that
 * is known of its neighbours, not by the first of them.
 */
static void take_sure_ones(struct match *match)
{
	vertex_vec round = {0};

	while (match->dirty.n > 0) {
		vertex_vec spare = round;

		round = match->dirty;
		match->dirty = spare;
		match->dirty.n = 0;
		for (size_t i = 0; i < round.n; i++) {
			int seen = round.at[i], best;
			bool is_only = false;

			match->is_dirty[seen] = false;
			best = match->seen->mate[seen] < 0 ? best_of_seen(match, seen, &is_only)
							   : -1;
			if (best >= 0 && is_only &&
			    best_of_plan(match, match->pairs.at[best].plan, &is_only) == best &&
			    is_only)
				unite(match, seen, match->pairs.at[best].plan);
		}
		pass_all_on(match);
	}
	vec_free(&round);
}

/* How unlike two are that have the same score: by the number of cables, then by name. */
static int64_t unlikeness(const struct match *match, const struct pair *pair)
{
	char seen[TOPO_NAME], plan[TOPO_NAME];
	int64_t cables = (int64_t)match->seen->degree[pair->seen] - match->plan->degree[pair->plan];

	return 2 * (cables < 0 ? -cables : cables) +
	       !str_eq(cabling_name(match->seen, pair->seen, seen),
		       cabling_name(match->plan, pair->plan, plan));
}

/* The most alike of the pairs next to a matched router that none beats on either side, or -1. */
static int equal_pair(const struct match *match, int seen)
{
	const struct cabling *a = match->seen;
	int64_t least = INT64_MAX;
	int found = -1;

	for (int64_t i = a->first[seen]; i < a->first[seen + 1]; i++) {
		bool is_only;
		int best = a->mate[a->peer[i]] < 0 ? best_of_seen(match, a->peer[i], &is_only) : -1;

		if (best < 0)
			continue;
		for (int k = match->of_seen[a->peer[i]]; k >= 0; k = match->pairs.at[k].next_seen) {
			const struct pair *pair = &match->pairs.at[k];
			int rival;
			int64_t unlike;

			if (match->plan->mate[pair->plan] >= 0 ||
			    pair->score < match->pairs.at[best].score)
				continue;
			rival = best_of_plan(match, pair->plan, &is_only);
			if (match->pairs.at[rival].score > pair->score)
				continue;
			unlike = unlikeness(match, pair);
			if (unlike < least) {
				least = unlike;
				found = k;
			}
		}
		if (found >= 0 && least <= 1)
			break;
	}
	return found;
}

/*
 * Where several are as good, as the spines of a pod, any of them is right, but the next choice has
 * to agree with this one: next to what was matched last, depth first.
 */
static bool take_equal_one(struct match *match)
{
	while (match->trail.n > 0) {
		int found = equal_pair(match, match->trail.at[match->trail.n - 1]);

		if (found >= 0) {
			unite(match, match->pairs.at[found].seen, match->pairs.at[found].plan);
			pass_all_on(match);
			return true;
		}
		match->trail.n--;
	}
	return false;
}

static void push_matched(struct match *match)
{
	for (int v = 0; v < match->seen->n; v++)
		if (match->seen->mate[v] >= 0)
			vec_push(&match->trail, v);
}

void match_extend(struct match *match)
{
	bool has_moved;

	umap_clear(&match->ids);
	match->pairs.n = match->trail.n = 0;
	memset(match->of_seen, -1, (size_t)match->seen->n * sizeof(*match->of_seen));
	memset(match->of_plan, -1, (size_t)match->plan->n * sizeof(*match->of_plan));
	push_matched(match);
	for (size_t i = 0; i < match->trail.n; i++)
		pass_on(match, match->trail.at[i]);
	if (match->unit_of != NULL)
		match_units(match);
	do {
		has_moved = match->dirty.n > 0;
		take_sure_ones(match);
		while (take_equal_one(match)) {
			take_sure_ones(match);
			has_moved = true;
		}
		push_matched(match);
	} while (has_moved);
}
