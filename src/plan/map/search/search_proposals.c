/* search_proposals.c - what brings an annealing further is proposed more often */
#include <math.h>

#include "map/search/search_priv.h"

enum {
	LEAST = PROPOSALS / 64, /* of each kind, that none is lost for good */
	SAME = 1,               /* what a proposal costs that leads nowhere, */
	TRIED = 4,              /* and one that is tried */
	BEFORE = 64 * TRIED,    /* of all: too little to tell; of one: what it shares with all */
	GAIN = 1024
};

/* Where nothing is known. */
static const int first[NPROPOSALS] = {12, 12, 12, 16, 12}; /* of 64 */

static void fill(struct search_state *s, const int *parts)
{
	int n = 0;

	for (int k = 0; k < NPROPOSALS; k++)
		for (int i = 0; i < parts[k] && n < PROPOSALS; i++)
			s->proposals[n++] = (uint8_t)k;
	while (n < PROPOSALS)
		s->proposals[n++] = PROPOSE_PEERS;
}

void search_open_proposals(struct search_state *s)
{
	int parts[NPROPOSALS];

	for (int k = 0; k < NPROPOSALS; k++)
		parts[k] = first[k] * PROPOSALS / 64;
	fill(s, parts);
}

enum proposal search_propose(const struct search_state *s, struct rng_small *rng)
{
	return s->proposals[rng_small_below(rng, PROPOSALS)];
}

void search_tally(struct search_state *s, enum proposal kind, bool is_tried)
{
	s->own_tally.cost[kind] += is_tried ? TRIED : SAME;
}

void search_tally_gain(struct search_state *s, enum proposal kind, double gain)
{
	double part = s->temperature > 0 ? fmin(fabs(gain) / s->temperature, 1) : 0;

	s->own_tally.gain[kind] += (int64_t)(GAIN * part);
}

/* What a kind has moved for what it cost; of one that is hardly known as all together have. */
static double rate(const struct search_tally *tally, int kind, double mean)
{
	return ((double)tally->gain[kind] + BEFORE * mean) / ((double)tally->cost[kind] + BEFORE);
}

void search_adapt(struct search_state *s)
{
	struct search_tally *tally = &s->tally;
	double cost = 0, gain = 0, sum = 0;
	int parts[NPROPOSALS];

	for (int k = 0; k < NPROPOSALS; k++) {
		cost += (double)tally->cost[k];
		gain += (double)tally->gain[k];
	}
	if (cost < BEFORE || gain <= 0)
		return;
	for (int k = 0; k < NPROPOSALS; k++)
		sum += rate(tally, k, gain / cost);
	for (int k = 0; k < NPROPOSALS; k++) {
		double part = rate(tally, k, gain / cost) / sum;

		parts[k] = LEAST + (int)(part * (PROPOSALS - NPROPOSALS * LEAST));
	}
	fill(s, parts);
	for (int k = 0; k < NPROPOSALS; k++) {
		tally->cost[k] /= 2;
		tally->gain[k] /= 2;
	}
}
