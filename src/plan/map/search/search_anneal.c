/* search_anneal.c - exchanges that make it worse become rarer */
#include <string.h>

#include "map/search/search_priv.h"

enum {
	BATCH = 256,   /* trials between two agreements of the members */
	STEPS = 240,   /* temperatures */
	HALVINGS = 5,  /* of the temperature */
	MELTED = 4,    /* halvings from where items lose their places */
	LOOKS = 8,     /* steps between two looks at what is hot */
	LOSSES = 1024, /* random exchanges, to see what one costs */
	POLISH_STEPS = 60,
	FULL_HEAT = 128 /* work for each edge with which what has melted finds its place again */
};

static const double aim = 0.97;         /* at so much of the least maximum so far */
static const double part = 0.9, mu = 8; /* see search_aim */
/* From the cost of a random exchange: a temperature at which items lose their places. With little
 * work for each edge it is lower. */
static const double melting = 0.3;
/* What a byte on the most loaded link costs, beside one on any: at the hottest, and at the end. */
/* Where polishing begins, in what an average edge puts on links. */
static const double polish_heat = 1;
static const double least_pull = 0.25, most_pull = 8;

/* −ln of a random number in (0, 1), by lines between the powers of two: to 4 %, and the same on
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
static void try(struct search_state *s, int64_t trial, struct rng_small *rng)
{
	struct placing *placing = &s->placing;
	int i = (int)rng_small_below(rng, (uint64_t)placing->nitems), there, j;
	enum proposal kind;
	double gain;

	if (s->hot.n > 0 && rng_small_below(rng, 4) == 0) {
		struct hot_edge edge = s->hot.at[rng_small_below(rng, s->hot.n)];

		i = rng_small_below(rng, 2) ? edge.from : edge.to;
	}
	kind = search_propose(s, rng);
	there = search_candidate(s, i, kind, rng);
	s->own_work++;
	j = there != placing->node_of[i] ? search_other(s, i, there, rng) : SEARCH_FULL;
	search_tally(s, kind, j != SEARCH_FULL);
	if (j == SEARCH_FULL)
		return;
	s->ntrials++;
	if (!placing_try(placing, i, j, there, limit(s, trial), &gain, &s->own_work))
		return;
	search_tally_gain(s, kind, gain);
	search_record(s, trial);
	search_record_move(s, i, j, there);
	placing_forget(placing);
}

/* What random exchanges add to the sum of the loads, on average over those that add. */
static double mean_loss(struct search_state *s)
{
	struct placing *placing = &s->placing;
	double sum = 0;
	int nlosses = 0;

	placing_aim(placing, placing->limit, 0, false);
	for (int k = 0; k < LOSSES; k++, s->trial++) {
		struct rng_small rng = {.rng = {s->rng.key, (uint64_t)s->trial << SEARCH_DRAWS}};
		int i = (int)rng_small_below(&rng, (uint64_t)placing->nitems);
		int there = search_candidate(s, i, search_propose(s, &rng), &rng);
		int j = search_other(s, i, there, &rng);
		double gain;

		if (there == placing->node_of[i] || j == SEARCH_FULL)
			continue;
		s->work += placing_book(placing, i, j, there);
		gain = placing_gain(placing);
		placing_forget(placing);
		if (gain > 0) {
			sum += gain;
			nlosses++;
		}
	}
	return nlosses > 0 ? sum / nlosses : 0;
}

static double warmest(struct search_state *s)
{
	double nends = (double)(2 * s->placing.nedges + 1);
	double heat = (double)s->search->anneal / nends / FULL_HEAT;

	if (s->search->melts)
		return melting * (heat < 1 ? heat : 1) * mean_loss(s);
	return s->search->heat * placing_sum(&s->placing) / nends;
}

/* The limit is a little below what is greatest now. */
static void press(struct search_state *s, double pull)
{
	double max = placing_greatest(&s->placing), over = (1 - part) * max;

	placing_aim(&s->placing, part * max, over > 0 ? pull / (2 * over) : 0, false);
}

void search_anneal(struct search_state *s, double bound)
{
	int64_t all = s->search->anneal, first;
	double warm = all > 0 ? warmest(s) : 0;
	int nhalvings = s->search->melts ? MELTED : HALVINGS;

	first = s->best_when = s->work;
	for (int step = 0;
	     step < STEPS && s->best_max > bound && s->work - s->best_when < s->search->patience;
	     step++) {
		int halvings = step * nhalvings / STEPS;
		double rest = (double)(step * nhalvings % STEPS) / STEPS;

		s->temperature = warm / (double)(1 << halvings) * (1 - rest / 2);
		if (s->search->melts)
			press(s, least_pull + (most_pull - least_pull) * step / STEPS);
		else
			search_aim(s, aim * s->best_max, part, mu);
		if (step % LOOKS == 0)
			search_find_hot(s, placing_greatest(&s->placing));
		search_adapt(s);
		while (s->work - first < all / STEPS * (step + 1))
			search_batch(s, BATCH, try, limit);
		search_keep(s);
	}
}

/* Keeps what is better by the steep sum, and loads no link more. */
static void keep_polished(struct search_state *s, double *best)
{
	double sum;

	if (placing_greatest(&s->placing) > s->best_max)
		return;
	sum = placing_steep_sum(&s->placing);
	if (sum >= *best)
		return;
	*best = sum;
	memcpy(s->best_of, s->placing.node_of, (size_t)s->placing.nitems * sizeof(*s->best_of));
}

void search_polish(struct search_state *s)
{
	int64_t all = s->search->polish, first = s->work;
	double nends = (double)(2 * s->placing.nedges + 1);
	double warm = polish_heat * placing_sum(&s->placing) / nends, best;

	placing_aim(&s->placing, s->best_max, 0, true);
	best = placing_steep_sum(&s->placing);
	for (int step = 0; step < POLISH_STEPS; step++) {
		int halvings = step * HALVINGS / POLISH_STEPS;
		double rest = (double)(step * HALVINGS % POLISH_STEPS) / POLISH_STEPS;

		s->temperature = warm / (double)(1 << halvings) * (1 - rest / 2);
		if (step % LOOKS == 0)
			search_find_hot(s, placing_greatest(&s->placing));
		search_adapt(s);
		while (s->work - first < all / POLISH_STEPS * (step + 1))
			search_batch(s, BATCH, try, limit);
		keep_polished(s, &best);
	}
	placing_set(&s->placing, s->best_of);
	s->best_max = placing_greatest(&s->placing);
	s->best_sum = placing_sum(&s->placing);
}
