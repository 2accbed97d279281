/* digits.c - a grid of ranks is embedded into a grid of places, digit by digit */
#include "map/grid/digits.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "map/grid/digits_priv.h"
#include "map/problem/loads.h"

enum {
	WORK = 10000000, /* messages that are counted, in all */
	EVALUATIONS_MOST = 3000,
	EVALUATIONS_LEAST = 60,
	AGAIN = 5,  /* climbs that end at the best */
	SEVERAL = 3 /* that are kept, at least */
};

/* Random graphs are above, halos and all-to-alls along sides far below. */
static const double loose = 0.8;

static int evaluations_of(const struct map_input *in, const struct rank_grid *grid)
{
	int64_t n = WORK / (in->comm->nedges + in->comm->nranks + 1);

	if (grid->looseness > loose)
		return EVALUATIONS_LEAST;
	if (n > EVALUATIONS_MOST)
		return EVALUATIONS_MOST;
	return n < EVALUATIONS_LEAST ? EVALUATIONS_LEAST : (int)n;
}

struct climb {
	const struct map_input *in;
	struct routes *routes;
	const struct places *places;
	const int *number_of; /* [nranks] of the ranks in their grid; NULL: themselves */
	struct loads loads;
	int *node_of;   /* [nranks] */
	int *by_number; /* [nranks] */
	int most, nbest;
	int *best_of; /* [most · nranks] the best, each [nranks] */
	double *best; /* [most] ascending; nbest of them */
	int left;     /* evaluations */
};

/* Keeps what is among the best, and is not there. */
static void keep(struct climb *climb, double value)
{
	size_t nranks = (size_t)climb->in->comm->nranks, size = nranks * sizeof(*climb->best_of);
	int at = climb->nbest;

	while (at > 0 && value < climb->best[at - 1])
		at--;
	if (at == climb->most)
		return;
	for (int i = at; i-- > 0 && climb->best[i] == value;)
		if (memcmp(climb->best_of + (size_t)i * nranks, climb->node_of, size) == 0)
			return;
	if (climb->nbest < climb->most)
		climb->nbest++;
	for (int i = climb->nbest - 1; i > at; i--) {
		climb->best[i] = climb->best[i - 1];
		memcpy(climb->best_of + (size_t)i * nranks,
		       climb->best_of + (size_t)(i - 1) * nranks, size);
	}
	climb->best[at] = value;
	memcpy(climb->best_of + (size_t)at * nranks, climb->node_of, size);
}

static void decode(struct climb *climb, const struct digits_plan *plan)
{
	int nranks = climb->in->comm->nranks;

	if (climb->number_of == NULL) {
		digits_decode(plan, climb->places, nranks, climb->node_of);
		return;
	}
	digits_decode(plan, climb->places, nranks, climb->by_number);
	for (int r = 0; r < nranks; r++)
		climb->node_of[r] = climb->by_number[climb->number_of[r]];
}

/* The best is kept by the greatest load plus the mean of all links of the machine. What is climbed
 * has the 8-norm of the loads in place of the greatest one, which seldom changes. */
static double evaluate(struct climb *climb, const struct digits_plan *plan)
{
	int64_t nchannels = 2 * topo_graph(climb->in->topo)->nlinks;
	double value;

	decode(climb, plan);
	loads_count(&climb->loads, climb->routes, climb->in->comm, climb->node_of);
	value = climb->loads.greatest + climb->loads.hop_bytes / (double)(nchannels + 1);
	climb->left--;
	keep(climb, value);
	return climb->loads.norm8 + climb->loads.hop_bytes / (double)(nchannels + 1);
}

/* Up from a plan: changes in turn, each kept that helps, until none has for a whole turn. */
static double climb_from(struct climb *climb, struct digits_plan *plan, struct rng *rng)
{
	double value = evaluate(climb, plan);
	int n, last = 0;
	struct digits_change *changes = digits_changes(plan, climb->places, &n);
	int *order = xmalloc((size_t)(n + 1) * sizeof(*order));

	for (int i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(rng, order, (size_t)n);
	for (int i = 0; i - last < n && n > 0 && climb->left > 0; i++) {
		struct digits_plan before = *plan;
		double changed;

		if (!digits_change(plan, &changes[order[i % n]]))
			continue;
		changed = evaluate(climb, plan);
		if (changed < value) {
			value = changed;
			last = i;
		} else {
			*plan = before;
		}
	}
	free(order);
	free(changes);
	return value;
}

/* Plans in turn, the first with its digits in order, until several climbs have ended at what is
 * best so far. */
static void climb_up(struct climb *climb, const struct rank_grid *grid, struct rng *rng)
{
	double least = -1;

	for (int k = 0, nbest = 0; climb->left > 0 && nbest < AGAIN; k++) {
		struct digits_plan plan;
		double value;

		digits_plan_make(&plan, grid, climb->places, k > 0 ? rng : NULL);
		value = climb_from(climb, &plan, rng);
		nbest += value == least;
		if (least < 0 || value < least) {
			least = value;
			nbest = 1;
		}
	}
}

int digits_embed(const struct map_input *in, struct routes *routes, const struct rank_grid *grid,
		 const struct places *places, int most, int *node_of)
{
	struct climb climb = {.in = in,
			      .routes = routes,
			      .places = places,
			      .number_of = grid->number_of,
			      .most = most,
			      .best_of = node_of,
			      .left = evaluations_of(in, grid)};
	struct rng rng = rng_make(1, "mapping-digits", NULL, NULL);

	climb.node_of = xmalloc((size_t)in->comm->nranks * sizeof(*climb.node_of));
	climb.by_number = xmalloc((size_t)in->comm->nranks * sizeof(*climb.by_number));
	climb.best = xmalloc((size_t)most * sizeof(*climb.best));
	climb_up(&climb, grid, &rng);
	loads_free(&climb.loads);
	free(climb.best);
	free(climb.node_of);
	free(climb.by_number);
	return climb.nbest;
}

void digits_memo_open(struct digits_memo *memo, const struct map_input *in)
{
	*memo = (struct digits_memo){.comm = in->comm, .room = in->room};
	pthread_mutex_init(&memo->lock, NULL);
}

void digits_memo_close(struct digits_memo *memo)
{
	free(memo->node_of);
	rank_grid_free(&memo->grid);
	pthread_mutex_destroy(&memo->lock);
}

void digits_grid_once(const struct map_input *in, struct rank_grid *grid)
{
	struct digits_memo *memo = in->digits;

	if (memo == NULL || memo->comm != in->comm) {
		rank_grid_find(grid, in->comm);
		return;
	}
	pthread_mutex_lock(&memo->lock);
	if (!memo->has_grid)
		rank_grid_find(&memo->grid, in->comm);
	memo->has_grid = true;
	rank_grid_copy(grid, &memo->grid, in->comm->nranks);
	pthread_mutex_unlock(&memo->lock);
}

/* So many at once, whoever asks for the first. */
static void learn(struct digits_memo *memo, const struct map_input *in, struct routes *routes,
		  const struct rank_grid *grid, const struct places *places, int most)
{
	memo->most = most > SEVERAL ? most : SEVERAL;
	free(memo->node_of);
	memo->node_of = xmalloc((size_t)memo->most * (size_t)in->comm->nranks * sizeof(int));
	memo->n = digits_embed(in, routes, grid, places, memo->most, memo->node_of);
}

int digits_embed_once(const struct map_input *in, struct routes *routes,
		      const struct rank_grid *grid, const struct places *places, int most,
		      int *node_of)
{
	struct digits_memo *memo = in->digits;
	int n;

	if (memo == NULL || memo->room != in->room || memo->comm != in->comm)
		return digits_embed(in, routes, grid, places, most, node_of);
	pthread_mutex_lock(&memo->lock);
	if (memo->most < most)
		learn(memo, in, routes, grid, places, most);
	n = memo->n < most ? memo->n : most;
	memcpy(node_of, memo->node_of, (size_t)n * (size_t)in->comm->nranks * sizeof(*node_of));
	pthread_mutex_unlock(&memo->lock);
	return n;
}
