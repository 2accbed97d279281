/* search_state.c - what the stages of a search aim at and keep */
#include <string.h>

#include "map/search/search_priv.h"

static const double hot = 0.98; /* of the greatest load */

void search_aim(struct search_state *s, double load, double part, double mu)
{
	double over = (1 - part) * load;

	placing_aim(&s->placing, part * load, over > 0 ? mu * load / (over * over) : 0, false);
}

/* Marks the links with at least a load. */
static void mark_hot(struct search_state *s, double load)
{
	const struct placing *placing = &s->placing;

	vec_reserve(&s->is_hot, placing->links.n + 1);
	s->is_hot.n = placing->links.n;
	for (size_t c = 0; c < s->is_hot.n; c++)
		s->is_hot.at[c] = placing_load(placing, (int32_t)c) >= load;
}

/* Whether the path from one node to another, which a message takes, has a marked link. */
static bool crosses(const struct search_state *s, int from, int to)
{
	const bool *is_hot = s->is_hot.at;
	const int32_t *rest;
	int32_t up = from == to ? routes_inside(s->routes, from) : s->routes->up[from];

	if (up >= 0 && is_hot[up])
		return true;
	if (from == to)
		return false;
	rest = routes_rest(s->routes, from, to);
	for (int k = 1; k <= rest[0]; k++)
		if (is_hot[rest[k]])
			return true;
	return false;
}

/* Peers of an item that follow one another are often on one node: their path is looked at once. */
void search_find_hot(struct search_state *s, double max)
{
	const struct placing *placing = &s->placing;

	s->hot.n = 0;
	mark_hot(s, hot * max);
	for (int i = 0; i < placing->nitems; i++) {
		int from = placing->node_of[i], to = -1;
		bool is_hot = false;

		for (int64_t e = placing->first[i]; e < placing->first[i + 1]; e++) {
			const struct placing_end *end = &placing->ends[e];

			if (end->out <= 0)
				continue;
			if (placing->node_of[end->peer] != to) {
				to = placing->node_of[end->peer];
				is_hot = crosses(s, from, to);
			}
			if (is_hot)
				vec_push(&s->hot, ((struct hot_edge){i, end->peer}));
		}
	}
}

bool search_keep(struct search_state *s)
{
	double max = placing_greatest(&s->placing), sum;

	if (max > s->best_max)
		return false;
	sum = placing_sum(&s->placing);
	if (max == s->best_max && sum >= s->best_sum)
		return false;
	if (max < s->best_max || sum < 0.999 * s->best_sum)
		s->best_when = s->work;
	s->best_max = max;
	s->best_sum = sum;
	memcpy(s->best_of, s->placing.node_of, (size_t)s->placing.nitems * sizeof(*s->best_of));
	return true;
}
