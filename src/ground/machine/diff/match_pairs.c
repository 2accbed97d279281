/* match_pairs.c - routers of two cablings that may be the same, and how likely */
#include "machine/diff/match_priv.h"

void match_mark(struct match *match, int seen)
{
	if (match->is_dirty[seen] || match->seen->mate[seen] >= 0)
		return;
	match->is_dirty[seen] = true;
	vec_push(&match->dirty, seen);
}

void match_raise(struct match *match, int seen, int plan, int by)
{
	uint64_t key = (uint64_t)seen * (uint64_t)match->plan->n + (uint64_t)plan;
	int64_t index;

	if (!umap_get(&match->ids, key, &index)) {
		index = (int64_t)match->pairs.n;
		umap_set(&match->ids, key, index);
		vec_push(&match->pairs,
			 (struct pair){seen, plan, 0, match->of_seen[seen], match->of_plan[plan]});
		match->of_seen[seen] = match->of_plan[plan] = (int32_t)index;
	}
	match->pairs.at[index].score += by;
	match_mark(match, seen);
}
