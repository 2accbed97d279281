/* channel_rings.c - NCCL's rings: one for each GPU of a domain, so that all its NICs are used */
#include "mpi/collective/nccl.h"
#include "mpi/collective/steps.h"

/*
 * Ring c goes through a domain from GPU c on, upwards in every other domain and downwards in the
 * ones between: it leaves a domain on the rail on which it enters the next. (Where the number of
 * domains is odd the last hop changes its rail.) A rank's block is cut into a part for each ring.
 */
struct ring {
	const struct collective *call;
	int channel, nchannels, local;
};

static int first_of(const struct ring *ring)
{
	return (int)((int64_t)ring->channel * ring->local / ring->nchannels);
}

/* Index of the rank at a position, and back: one function does both. */
static int turn(const struct ring *ring, int index)
{
	int m = ring->local, domain = index / m, i = index % m, first = first_of(ring);

	return domain * m + (domain % 2 == 0 ? first + i : first - 1 - i + 2 * m) % m;
}

static int position_of(const struct ring *ring, int index)
{
	int m = ring->local, domain = index / m, l = index % m, first = first_of(ring);

	return domain * m + (domain % 2 == 0 ? l - first + m : first - 1 - l + 2 * m) % m;
}

static int wrap(int n, int position)
{
	return (position % n + n) % n;
}

/* The part of a position's block that goes through the ring. */
static int64_t part_of(const struct ring *ring, int position)
{
	int n = ring->call->nranks, rank = place_rank(ring->call, turn(ring, wrap(n, position)));

	return collective_share(collective_share(ring->call->bytes, n, rank), ring->nchannels,
				ring->channel);
}

static int nsteps(const struct collective *call)
{
	return call->op == COLLECTIVE_ALLREDUCE ? 2 * (call->nranks - 1) : call->nranks - 1;
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	struct step_messages messages = {.call = call};
	struct ring ring = {call, 0, nccl_channels(call), places_local(call)};
	int n = call->nranks, index = place_index(call, rank);
	/* as in ring.c */
	bool is_scattered = call->op == COLLECTIVE_REDUCE_SCATTER ||
			    call->op == COLLECTIVE_REDUCE_SCATTER_BLOCK;

	for (; ring.channel < ring.nchannels; ring.channel++) {
		int position = position_of(&ring, index), from = position - (k + is_scattered) % n;

		step_add(&messages, true, turn(&ring, wrap(n, position + 1)), part_of(&ring, from));
		step_add(&messages, false, turn(&ring, wrap(n, position - 1)),
			 part_of(&ring, from - 1));
	}
	step_emit(&messages, true, message, context);
	step_emit(&messages, false, message, context);
}

const struct collective_algorithm collective_algorithm_channel_rings = {
	.entry = {.name = "channel-rings",
		  .example = "channel-rings",
		  .summary = "allgather, allreduce and reduce_scatter in as many rings as a domain "
			     "has GPUs, which leave it at different ones",
		  .paper = "NCCL"},
	.ops = COLLECTIVE_BIT(ALLGATHER) | COLLECTIVE_BIT(ALLGATHERV) | COLLECTIVE_BIT(ALLREDUCE) |
	       COLLECTIVE_BIT(REDUCE_SCATTER) | COLLECTIVE_BIT(REDUCE_SCATTER_BLOCK),
	.nsteps = nsteps,
	.step = step,
	.delay_ps = nccl_ring_delay_ps,
};

/* ---- from the root along each ring, or to it ---- */

static int nsegments(const struct collective *call)
{
	int domains = places_domains(call);

	return places_segments(call, call->nranks - 2, domains > 1 ? 1. / nccl_channels(call) : 1,
			       domains > 1);
}

static int chain_nsteps(const struct collective *call)
{
	return call->nranks - 2 + nsegments(call);
}

static void chain_step(const struct collective *call, int rank, int k,
		       collective_message_fn *message, void *context)
{
	struct step_messages messages = {.call = call};
	struct ring ring = {call, 0, nccl_channels(call), places_local(call)};
	int n = call->nranks, nparts = nsegments(call), index = place_index(call, rank);
	int root = place_index(call, call->root);

	for (; ring.channel < ring.nchannels; ring.channel++) {
		int64_t bytes = collective_share(call->bytes, ring.nchannels, ring.channel);
		int position = position_of(&ring, index);
		int first = position_of(&ring, root) + (call->op == COLLECTIVE_REDUCE);
		int v = wrap(n, position - first), s = k - v;

		if (v < n - 1 && s >= 0 && s < nparts)
			step_add(&messages, true, turn(&ring, wrap(n, position + 1)),
				 collective_share(bytes, nparts, s));
		s++;
		if (v > 0 && s >= 0 && s < nparts)
			step_add(&messages, false, turn(&ring, wrap(n, position - 1)),
				 collective_share(bytes, nparts, s));
	}
	step_emit(&messages, true, message, context);
	step_emit(&messages, false, message, context);
}

const struct collective_algorithm collective_algorithm_channel_chains = {
	.entry = {.name = "channel-chains",
		  .example = "channel-chains",
		  .summary = "bcast and reduce along the same rings, in parts one after the other",
		  .paper = "NCCL"},
	.ops = COLLECTIVE_BIT(BCAST) | COLLECTIVE_BIT(REDUCE),
	.nsteps = chain_nsteps,
	.step = chain_step,
	.delay_ps = nccl_ring_delay_ps,
};
