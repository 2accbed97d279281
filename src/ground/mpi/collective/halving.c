/* halving.c - long reductions: recursive halving scatters the result, a gather completes it */
#include "mpi/collective/steps.h"

/* The ranks are folded onto p = 2^levels places; steps: fold, halving × levels, then the rest. */
static int nlevels(const struct collective *call)
{
	return collective_log2_up(collective_power_below(call->nranks));
}

static int nfolds(const struct collective *call)
{
	return is_power(call->nranks) ? 0 : 1;
}

/* A call whose ranks are counted from the root, so that the root is place 0. */
static struct collective unrooted(const struct collective *call)
{
	struct collective same = *call;

	same.root = 0;
	return same;
}

/* Bytes of the places first … first + n - 1 of p. */
static int64_t places_bytes(const struct collective *call, int first, int n)
{
	int nranks = call->nranks;

	if (call->op == COLLECTIVE_REDUCE_SCATTER || call->op == COLLECTIVE_REDUCE_SCATTER_BLOCK) {
		int rank = fold_rank(nranks, first), power = collective_power_below(nranks);
		int end = first + n == power ? nranks : fold_rank(nranks, first + n);

		return collective_shares(call->bytes, nranks, rank, end - rank);
	}
	return collective_shares(call->bytes, collective_power_below(nranks), first, n);
}

/* Partners at distance d swap the halves of what they hold together. */
static void halve(const struct collective *call, int place, int d, collective_message_fn *message,
		  void *context)
{
	int base = place & -(2 * d), peer = fold_rank(call->nranks, place ^ d);
	bool is_low = (place & d) == 0;

	message(context, true, peer, places_bytes(call, is_low ? base + d : base, d));
	message(context, false, peer, places_bytes(call, is_low ? base : base + d, d));
}

/* Partners at distance d give each other all they have; the other way round of halve. */
static void regain(const struct collective *call, int place, int d, collective_message_fn *message,
		   void *context)
{
	int peer = fold_rank(call->nranks, place ^ d);

	message(context, true, peer, places_bytes(call, place & -d, d));
	message(context, false, peer, places_bytes(call, (place ^ d) & -d, d));
}

/* One level of the gather to place 0. */
static void collect(const struct collective *call, int place, int d, collective_message_fn *message,
		    void *context)
{
	if (place % (2 * d) == d)
		message(context, true, fold_rank(call->nranks, place - d),
			places_bytes(call, place, d));
	else if (place % (2 * d) == 0)
		message(context, false, fold_rank(call->nranks, place + d),
			places_bytes(call, place + d, d));
}

/* The odd ranks that sat out get the result, or their share of it. */
static void unfold(const struct collective *call, int rank, collective_message_fn *message,
		   void *context)
{
	int64_t bytes = call->bytes;

	if (call->op != COLLECTIVE_ALLREDUCE)
		bytes = collective_share(call->bytes, call->nranks, rank | 1);
	fold_step(call, rank, true, bytes, message, context);
}

static int nsteps(const struct collective *call)
{
	int once = nfolds(call) + nlevels(call);

	switch (call->op) {
	case COLLECTIVE_ALLREDUCE:
		return 2 * once;
	case COLLECTIVE_REDUCE:
		return once + nlevels(call);
	default:
		return once + nfolds(call);
	}
}

/* Step k with ranks counted from the root; peers likewise. */
static void place_step(const struct collective *call, int rank, int k,
		       collective_message_fn *message, void *context)
{
	int levels = nlevels(call), place = fold_place(call->nranks, rank);

	if (k < nfolds(call)) {
		fold_step(call, rank, false, call->bytes, message, context);
		return;
	}
	k -= nfolds(call);
	if (k < levels) {
		if (place >= 0)
			halve(call, place, 1 << (levels - 1 - k), message, context);
		return;
	}
	k -= levels;
	if (call->op == COLLECTIVE_REDUCE && place >= 0)
		collect(call, place, 1 << k, message, context);
	else if (call->op == COLLECTIVE_ALLREDUCE && k < levels && place >= 0)
		regain(call, place, 1 << k, message, context);
	else if (call->op != COLLECTIVE_REDUCE && (call->op != COLLECTIVE_ALLREDUCE || k == levels))
		unfold(call, rank, message, context);
}

struct turned {
	const struct collective *call;
	collective_message_fn *message;
	void *context;
};

static void turn(void *context, bool is_send, int peer, int64_t bytes)
{
	struct turned *turned = context;

	turned->message(turned->context, is_send, to_rank(turned->call, peer), bytes);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	struct collective same = unrooted(call);
	struct turned turned = {call, message, context};

	if (call->op == COLLECTIVE_REDUCE)
		place_step(&same, from_root(call, rank), k, turn, &turned);
	else
		place_step(call, rank, k, message, context);
}

const struct collective_algorithm collective_algorithm_rabenseifner = {
	.entry = {.name = "rabenseifner",
		  .example = "rabenseifner",
		  .summary = "long allreduce and reduce: recursive halving, then "
			     "recursive doubling or a binomial gather",
		  .paper = "Thakur, Rabenseifner, Gropp 2005, §4.4, §4.5"},
	.ops = COLLECTIVE_BIT(ALLREDUCE) | COLLECTIVE_BIT(REDUCE),
	.nsteps = nsteps,
	.step = step,
};

const struct collective_algorithm collective_algorithm_recursive_halving = {
	.entry = {.name = "recursive-halving",
		  .example = "recursive-halving",
		  .summary = "reduce_scatter: partners at distances n/2, n/4, … swap halves",
		  .paper = "Thakur, Rabenseifner, Gropp 2005, §4.3"},
	.ops = COLLECTIVE_BIT(REDUCE_SCATTER) | COLLECTIVE_BIT(REDUCE_SCATTER_BLOCK),
	.nsteps = nsteps,
	.step = step,
};
