/* aim_search.c - ranks change places until an aim is as small as can be found */
#include "map/refine/aim_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/explog.h"
#include "base/mem.h"
#include "base/rng.h"
#include "map/problem/hybrid_metric.h"
#include "map/refine/congestion.h"

enum {
	LOSSES = 200, /* exchanges by which the first temperature is set */
	HALVINGS = 8, /* of the temperature; the last tenth of the work is without any */
};

/* Of what an exchange costs on the average: the first temperature. */
static const double heat = 0.1;

struct aim_state {
	const struct map_input *in;
	struct comm *reversed;
	struct hybrid hybrid;
	int *node_of; /* [nranks] the caller's */
	int *first;   /* [nnodes + 1] into at: the room of each node */
	int *at;      /* ranks of the nodes, nheld[v] of them from first[v] on */
	int *nheld, *place_of;
	struct rng rng;
	int64_t work;
	struct hybrid_terms now;
};

static void book_all(struct aim_state *s)
{
	struct comm *between = comm_quotient(s->in->comm, s->node_of, s->in->nnodes);

	for (int v = 0; v < s->in->nnodes; v++)
		for (int64_t e = between->first[v]; e < between->first[v + 1]; e++)
			hybrid_book(&s->hybrid, v, between->peer[e], between->bytes[e]);
	s->now = hybrid_look(&s->hybrid);
	hybrid_settle(&s->hybrid, true);
	comm_free(between);
}

static void put(struct aim_state *s, int rank, int place, int node)
{
	s->at[place] = rank;
	s->place_of[rank] = place;
	s->node_of[rank] = node;
}

static void open_state(struct aim_state *s, const struct map_input *in, int *node_of)
{
	size_t nnodes = (size_t)in->nnodes;

	*s = (struct aim_state){.in = in,
				.node_of = node_of,
				.reversed = comm_reversed(in->comm),
				.first = xcalloc(nnodes + 1, sizeof(int)),
				.nheld = xcalloc(nnodes, sizeof(int)),
				.place_of = xcalloc((size_t)in->comm->nranks, sizeof(int)),
				.rng = rng_make(in->seed, "mapping-aim", NULL, NULL)};
	for (int v = 0; v < in->nnodes; v++)
		s->first[v + 1] = s->first[v] + in->room[v];
	s->at = xcalloc((size_t)s->first[in->nnodes], sizeof(int));
	for (int r = 0; r < in->comm->nranks; r++)
		put(s, r, s->first[node_of[r]] + s->nheld[node_of[r]]++, node_of[r]);
	hybrid_init(&s->hybrid, in->routes, comm_unit(in->comm));
	book_all(s);
}

static void close_state(struct aim_state *s)
{
	hybrid_free(&s->hybrid);
	comm_free(s->reversed);
	free(s->first);
	free(s->nheld);
	free(s->place_of);
	free(s->at);
}

/* A partner of a rank, or the rank itself. */
static int partner(struct aim_state *s, int rank)
{
	const struct comm *comm = rng_below(&s->rng, 2) ? s->in->comm : s->reversed;
	int64_t n = comm->first[rank + 1] - comm->first[rank];

	return n > 0 ? comm->peer[comm->first[rank] + (int64_t)rng_below(&s->rng, (uint64_t)n)]
		     : rank;
}

/* The node of a partner, or of a partner's partner, or any. */
static int candidate(struct aim_state *s, int rank)
{
	switch (rng_below(&s->rng, 4)) {
	case 0:
		return s->node_of[partner(s, rank)];
	case 1:
	case 2:
		return s->node_of[partner(s, partner(s, rank))];
	default:
		return (int)rng_below(&s->rng, (uint64_t)s->in->nnodes);
	}
}

/* Where a rank is when i is at there, and j, if any, where i was. */
static int after(const struct aim_state *s, int rank, int i, int j, int there)
{
	return rank == i ? there : rank == j ? s->node_of[i] : s->node_of[rank];
}

/* Books what rank i sends and gets; what goes between i and j is booked once, with i. */
static void book_rank(struct aim_state *s, int rank, int i, int j, int there)
{
	for (int turn = 0; turn < 2; turn++) {
		const struct comm *comm = turn ? s->reversed : s->in->comm;

		s->work += comm->first[rank + 1] - comm->first[rank];
		for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++) {
			int peer = comm->peer[e];
			int from[2] = {s->node_of[rank], after(s, rank, i, j, there)};
			int to[2] = {s->node_of[peer], after(s, peer, i, j, there)};

			if (peer == rank || (rank == j && peer == i))
				continue;
			for (int k = 0; k < 2; k++) {
				int a = turn ? to[k] : from[k], b = turn ? from[k] : to[k];

				if (a != b)
					hybrid_book(&s->hybrid, a, b,
						    k ? comm->bytes[e] : -comm->bytes[e]);
			}
		}
	}
}

static void exchange(struct aim_state *s, int i, int j, int there)
{
	int here = s->node_of[i], place = s->place_of[i];

	hybrid_settle(&s->hybrid, true);
	if (j >= 0) {
		put(s, i, s->place_of[j], there);
		put(s, j, place, here);
	} else {
		put(s, s->at[s->first[here] + --s->nheld[here]], place, here);
		put(s, i, s->first[there] + s->nheld[there]++, there);
	}
}

/* What one aim is over another, as a part of it; hop-bytes count a thousandth in turn. */
static double gain(const struct map_aim *aim, const struct hybrid_terms *a,
		   const struct hybrid_terms *b)
{
	double x = map_aim_value(aim, a), y = map_aim_value(aim, b);
	double part = y > 0 ? (x - y) / y : x > 0 ? 1 : 0;

	if (aim->is_in_turn && b->hb > 0)
		part += 1e-3 * (a->hb - b->hb) / b->hb;
	return part;
}

/* Tries an exchange, and makes it where it adds less than a limit. Returns what it would add. */
static double try(struct aim_state *s, double limit, bool *is_made)
{
	int i = (int)rng_below(&s->rng, (uint64_t)s->in->comm->nranks), there = candidate(s, i);
	int j = -1, k;
	struct hybrid_terms terms;
	double added;

	*is_made = false;
	s->work++;
	if (there == s->node_of[i] || s->in->room[there] == 0)
		return 0;
	k = (int)rng_below(&s->rng, (uint64_t)s->in->room[there]);
	if (k < s->nheld[there])
		j = s->at[s->first[there] + k];
	book_rank(s, i, i, j, there);
	if (j >= 0)
		book_rank(s, j, i, j, there);
	terms = hybrid_look(&s->hybrid);
	added = gain(s->in->aim, &terms, &s->now);
	if (added < limit) {
		exchange(s, i, j, there);
		s->now = terms;
		*is_made = true;
	} else {
		hybrid_settle(&s->hybrid, false);
	}
	return added;
}

static double first_temperature(struct aim_state *s)
{
	double sum = 0;
	int n = 0;

	for (int k = 0; k < LOSSES; k++) {
		bool is_made;
		double added = try(s, -HUGE_VAL, &is_made);

		if (added > 0) {
			sum += added;
			n++;
		}
	}
	return n > 0 ? heat * sum / n : 0;
}

void aim_search(const struct map_input *in, int *node_of, struct map_refine_result *result)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	int *best = xmalloc(size);
	struct hybrid_terms best_terms;
	struct aim_state s;
	int64_t all = congestion_work(in);
	double warm;

	memcpy(best, node_of, size);
	open_state(&s, in, node_of);
	best_terms = s.now;
	warm = first_temperature(&s);
	for (s.work = 0; s.work < all && in->nnodes > 1;) {
		double done = (double)s.work / (double)all;
		double temperature =
			done < 0.9 ? warm * same_exp(-M_LN2 * HALVINGS * done / 0.9) : 0;
		double u = rng_unit(&s.rng);
		bool is_made;

		try(&s, temperature > 0 ? -temperature * same_log(u > 0 ? u : 1) : 0, &is_made);
		result->nrounds++;
		result->nmoves += is_made;
		if (is_made && map_aim_is_better(in->aim, &s.now, &best_terms)) {
			best_terms = s.now;
			memcpy(best, node_of, size);
		}
	}
	memcpy(node_of, best, size);
	close_state(&s);
	free(best);
}
