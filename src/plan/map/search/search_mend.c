/* search_mend.c - what talks across the most loaded links is disturbed, and mended */
#include <math.h>
#include <stdlib.h>

#include "map/search/search_priv.h"

enum {
	BATCH = 8,     /* trials between two agreements of the members */
	EXCHANGES = 4, /* that disturb, at most */
	TRIES = 8,     /* nodes that an item tries to mend */
	TURNS = 400,   /* of items that do so, a trial */
	BATCHES = 4,   /* times the work, a batch may take if all have all their turns */
	LOOKS = 4      /* work for each edge between two looks at what is hot, at least */
};

static const double part = 0.88, mu = 40; /* see search_aim */

/* One exchange, and where item i was. */
struct done {
	int i, j, there, from, place;
};

/* A trial: the items that wait for their turn, what was done so far, and what that added. */
struct mending {
	struct search_state *s;
	size_t nturns;
	struct rng_small *rng;
	int_vec waiting;
	VEC(struct done) done;
	double gain;
};

static void wait(struct mending *m, int i)
{
	if (m->s->is_waiting[i])
		return;
	m->s->is_waiting[i] = true;
	vec_push(&m->waiting, i);
}

/* An item and those it talks to may have something to mend now. */
static void wait_around(struct mending *m, int i)
{
	const struct placing *placing = &m->s->placing;

	wait(m, i);
	for (int64_t e = placing->first[i]; e < placing->first[i + 1]; e++)
		wait(m, placing->ends[e].peer);
}

/* Exchanges item i with one of another node if that adds less than the limit. */
static bool exchange(struct mending *m, int i, double limit)
{
	struct placing *placing = &m->s->placing;
	enum proposal kind = search_propose(m->s, m->rng);
	struct done done = {i, 0, search_candidate(m->s, i, kind, m->rng), placing->node_of[i],
			    placing->place_of[i]};
	double gain;

	m->s->own_work++;
	if (done.there == done.from)
		return false;
	done.j = search_other(m->s, i, done.there, m->rng);
	if (done.j == SEARCH_FULL)
		return false;
	m->s->ntrials++;
	if (!placing_try(placing, i, done.j, done.there, limit, &gain, &m->s->own_work))
		return false;
	placing_exchange(placing, i, done.j, done.there);
	m->gain += gain;
	vec_push(&m->done, done);
	wait_around(m, i);
	if (done.j >= 0)
		wait_around(m, done.j);
	return true;
}

/* A few items at and around one end of a hot edge change places, whatever that does. */
static void disturb(struct mending *m)
{
	struct hot_edge edge = m->s->hot.at[rng_small_below(m->rng, m->s->hot.n)];
	int centre = rng_small_below(m->rng, 2) ? edge.from : edge.to, i = centre;
	int n = 1 + (int)rng_small_below(m->rng, EXCHANGES);

	while (n-- > 0) {
		exchange(m, i, HUGE_VAL);
		i = search_peer(m->s, centre, m->rng);
		if (rng_small_below(m->rng, 2))
			i = search_peer(m->s, i, m->rng);
	}
}

/* Turns of a trial: few where there is so little work that a batch of them would take all of it. */
static size_t turns_of(const struct search_state *s)
{
	const struct placing *placing = &s->placing;
	int64_t degree = 2 * placing->nedges / (placing->nitems + 1) + 1;
	int64_t nturns = BATCHES * s->search->mend / (BATCH * TRIES * degree) + 1;

	return nturns < TURNS ? (size_t)nturns : TURNS;
}

static void mend(struct mending *m)
{
	double least = -1e-9 * m->s->placing.limit;

	for (size_t k = 0; k < m->waiting.n; k++) {
		int i = m->waiting.at[k];

		m->s->is_waiting[i] = false;
		for (int t = 0; k < m->nturns && t < TRIES && !exchange(m, i, least);)
			t++;
	}
}

static double limit(const struct search_state *s, int64_t trial)
{
	(void)trial;
	return 1e-9 * s->placing.limit;
}

static void try(struct search_state *s, int64_t trial, struct rng_small *rng)
{
	struct mending m = {.s = s, .nturns = turns_of(s), .rng = rng};

	disturb(&m);
	mend(&m);
	if (m.done.n > 0 && m.gain < limit(s, trial)) {
		search_record(s, trial);
		for (size_t k = 0; k < m.done.n; k++)
			search_record_move(s, m.done.at[k].i, m.done.at[k].j, m.done.at[k].there);
	}
	while (m.done.n > 0) {
		struct done *done = &m.done.at[--m.done.n];

		s->own_work += placing_undo(&s->placing, done->i, done->j, done->from, done->place);
	}
	vec_free(&m.done);
	vec_free(&m.waiting);
}

/* Mends until there is no work left, or no hope. */
void search_mend(struct search_state *s, double bound)
{
	int64_t first = s->work, looked = 0; /* work, when the hot edges were listed */
	bool is_new = true;

	s->best_when = first;
	while (s->work - first < s->search->mend && s->best_max > bound &&
	       s->work - s->best_when < s->search->patience) {
		if (is_new) {
			search_aim(s, s->best_max, part, mu);
			search_find_hot(s, s->best_max);
			looked = s->work;
			is_new = false;
		}
		if (s->hot.n == 0)
			break;
		if (search_batch(s, BATCH, try, limit) == 0)
			continue;
		is_new = search_keep(s) || s->work - looked > 2 * LOOKS * s->placing.nedges;
	}
}
