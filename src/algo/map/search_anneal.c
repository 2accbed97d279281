/* search_anneal.c - exchanges that make it worse become rarer */
#include "algo/map/search_priv.h"

enum {
	BATCH = 256,  /* trials between two agreements of the members */
	STEPS = 240,  /* temperatures */
	HALVINGS = 5, /* of the temperature */
	LOOKS = 8     /* steps between two looks at what is hot */
};

static const double aim = 0.97;         /* at so much of the least maximum so far */
static const double part = 0.9, mu = 8; /* see search_aim */

/* −ln of a number of chance in (0, 1), by lines between the powers of two: to 4 %, and the same on
 * every machine. */
static double chance(const struct search_state *s, int64_t trial)
{
	struct rng rng = {s->rng.key,
			  ((uint64_t)trial << SEARCH_DRAWS) + (1U << (SEARCH_DRAWS - 1))};
	uint64_t u = rng_u64(&rng) | 1;
	int nzeros = __builtin_clzll(u);
	double mantissa = (double)(u << nzeros) * 0x1p-63; /* in [1, 2] */

	return 0.6931471805599453 * (nzeros + 2 - mantissa);
}

static double limit(const struct search_state *s, int64_t trial)
{
	return s->temperature * chance(s, trial);
}

/* One exchange. */
static void try(struct search_state *s, int64_t trial, struct rng *rng)
{
	struct placing *placing = &s->placing;
	int i = (int)rng_below(rng, (uint64_t)placing->nitems), there, j;

	if (s->hot.n > 0 && rng_below(rng, 4) == 0) {
		struct hot_edge edge = s->hot.at[rng_below(rng, s->hot.n)];

		i = rng_below(rng, 2) ? edge.from : edge.to;
	}
	there = search_candidate(s, i, rng);
	s->own_work++;
	if (there == placing->node_of[i])
		return;
	j = search_other(s, there, rng);
	if (j == SEARCH_FULL)
		return;
	s->ntrials++;
	s->own_work += placing_book(placing, i, j, there);
	if (placing_gain(placing) < limit(s, trial)) {
		search_record(s, trial);
		search_record_move(s, i, j, there);
	}
	placing_forget(placing);
}

void search_anneal(struct search_state *s, double bound)
{
	int64_t first = s->work, all = s->search->anneal;
	double warmest = s->search->heat * placing_sum(&s->placing) /
			 (double)(s->placing.first[s->placing.nitems] + 1);

	s->best_when = first;
	for (int step = 0;
	     step < STEPS && s->best_max > bound && s->work - s->best_when < s->search->patience;
	     step++) {
		int halvings = step * HALVINGS / STEPS;
		double rest = (double)(step * HALVINGS % STEPS) / STEPS;

		s->temperature = warmest / (double)(1 << halvings) * (1 - rest / 2);
		search_aim(s, aim * s->best_max, part, mu);
		if (step % LOOKS == 0)
			search_find_hot(s, placing_greatest(&s->placing));
		while (s->work - first < all / STEPS * (step + 1))
			search_batch(s, BATCH, try, limit);
		search_keep(s);
	}
}
