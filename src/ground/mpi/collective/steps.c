/* steps.c - pieces that several collective algorithms are made of */
#include "mpi/collective/steps.h"

int collective_log2_up(int n)
{
	return n > 1 ? 32 - __builtin_clz((unsigned)n - 1) : 0;
}

int collective_power_below(int n)
{
	return n > 1 ? 1 << (31 - __builtin_clz((unsigned)n)) : 1;
}

void fold_step(const struct collective *call, int rank, bool back, int64_t bytes,
	       collective_message_fn *message, void *context)
{
	int rest = call->nranks - collective_power_below(call->nranks);
	bool is_odd = rank % 2 == 1;

	if (rank < 2 * rest)
		message(context, is_odd != back, is_odd ? rank - 1 : rank + 1, bytes);
}

void ring_step(const struct collective *call, int rank, int step, collective_message_fn *message,
	       void *context)
{
	int share = down(call, rank, step);

	message(context, true, up(call, rank, 1),
		collective_share(call->bytes, call->nranks, share));
	message(context, false, down(call, rank, 1),
		collective_share(call->bytes, call->nranks, down(call, share, 1)));
}

void doubling_step(const struct collective *call, int rank, int step,
		   collective_message_fn *message, void *context)
{
	int n = 1 << step, peer = rank ^ n;

	message(context, true, peer, collective_shares(call->bytes, call->nranks, rank & -n, n));
	message(context, false, peer, collective_shares(call->bytes, call->nranks, peer & -n, n));
}

/* Size of the message between v, which is not the root, and its parent at distance d: whole, or
 * the shares of v's subtree. */
static int64_t subtree_bytes(const struct collective *call, int v, int d, bool shares)
{
	int n = call->nranks, count = n - v < d ? n - v : d;

	return shares ? collective_shares(call->bytes, n, to_rank(call, v), count) : call->bytes;
}

/* One edge of the tree, parent v - d and child v or their roles as v's place says. */
static void tree_edge(const struct collective *call, int rank, int d, bool is_down, bool shares,
		      collective_message_fn *message, void *context)
{
	int v = from_root(call, rank);

	if (v % (2 * d) == d)
		message(context, !is_down, to_rank(call, v - d), subtree_bytes(call, v, d, shares));
	else if (v % (2 * d) == 0 && v < call->nranks - d)
		message(context, is_down, to_rank(call, v + d),
			subtree_bytes(call, v + d, d, shares));
}

void binomial_down(const struct collective *call, int rank, int step, bool shares,
		   collective_message_fn *message, void *context)
{
	int d = 1 << (collective_log2_up(call->nranks) - 1 - step);

	tree_edge(call, rank, d, true, shares, message, context);
}

void binomial_up(const struct collective *call, int rank, int step, bool shares,
		 collective_message_fn *message, void *context)
{
	tree_edge(call, rank, 1 << step, false, shares, message, context);
}

void bruck_gather_step(const struct collective *call, int rank, int step,
		       collective_message_fn *message, void *context)
{
	int n = call->nranks, d = 1 << step, count = n - d < d ? n - d : d,
	    from = up(call, rank, d);

	message(context, true, down(call, rank, d), collective_shares(call->bytes, n, rank, count));
	message(context, false, from, collective_shares(call->bytes, n, from, count));
}
