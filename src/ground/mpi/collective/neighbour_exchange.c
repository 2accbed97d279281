/* neighbour_exchange.c - long allgathers: pairs of neighbours exchange what the last exchange
 * brought */
#include "mpi/collective/steps.h"

/* Of an odd number of ranks: a ring. */
static int nsteps(const struct collective *call)
{
	return call->nranks % 2 == 0 ? call->nranks / 2 : call->nranks - 1;
}

/* The first of the two shares that rank receives in step k; the first step brings its pair's. */
static int pair_of(const struct collective *call, int rank, int k)
{
	int pair = rank & ~1, distance = (k + 1) & ~1;
	bool is_below = (k % 2 == 1) == (rank % 2 == 0);

	return is_below ? down(call, pair, distance) : up(call, pair, distance);
}

static int64_t two_shares(const struct collective *call, int first)
{
	return collective_shares(call->bytes, call->nranks, first, 2);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int n = call->nranks, peer;

	if (n % 2 != 0) {
		ring_step(call, rank, k, message, context);
		return;
	}
	peer = (k + rank) % 2 == 0 ? up(call, rank, 1) : down(call, rank, 1);
	message(context, true, peer,
		k == 0 ? collective_share(call->bytes, n, rank)
		       : two_shares(call, k == 1 ? rank & ~1 : pair_of(call, rank, k - 1)));
	message(context, false, peer,
		k == 0 ? collective_share(call->bytes, n, peer)
		       : two_shares(call, pair_of(call, rank, k)));
}

const struct collective_algorithm collective_algorithm_neighbour_exchange = {
	.entry = {.name = "neighbour-exchange",
		  .example = "neighbour-exchange",
		  .summary = "long allgather: ranks exchange with both neighbours in turn what the "
			     "last exchange brought, n / 2 steps (a ring where n is odd)",
		  .paper = "Chen, Zhang, Yuan 2005"},
	.ops = COLLECTIVE_BIT(ALLGATHER) | COLLECTIVE_BIT(ALLGATHERV),
	.nsteps = nsteps,
	.step = step,
};
