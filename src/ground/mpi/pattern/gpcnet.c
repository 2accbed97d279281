/* gpcnet.c - the congestors of GPCNeT, and its canary */
#include <stdlib.h>

#include "mpi/pattern/pattern.h"
#include "base/mem.h"
#include "base/rng.h"

#define PAPER "Chunduri et al., GPCNeT, SC 2019, §III"

static int open_4096(struct pattern_part *part, struct err *err)
{
	(void)err;
	if (part->job->bytes < 0)
		part->bytes = 4096;
	return 0;
}

/* One one-sided call each iteration, with rank 0; done when the data are there. */
static void next_with_root(const struct pattern_part *part, int rank, struct cursor *cursor,
			   struct op *op, enum op_kind kind)
{
	if (rank == 0 || cursor->step++ > 0)
		return;
	op->kind = (uint8_t)kind;
	op->bytes = part->bytes;
	op->is_synchronous = true;
}

static void next_get(const struct pattern_part *part, int rank, struct cursor *cursor,
		     struct op *op)
{
	next_with_root(part, rank, cursor, op, OP_GET);
}

const struct pattern pattern_gpcnet_rma_broadcast = {
	.entry = {.name = "gpcnet-rma-broadcast",
		  .example = "gpcnet-rma-broadcast",
		  .summary = "every rank fetches (MPI_Get, flush) from rank 0 repeatedly:"
			     " the data are responses of one node; 4 KiB unless the job "
			     "specifies a size",
		  .paper = PAPER "; Zhang et al., NeDD, §IV"},
	.open = open_4096,
	.next = next_get,
};

static void next_put(const struct pattern_part *part, int rank, struct cursor *cursor,
		     struct op *op)
{
	next_with_root(part, rank, cursor, op, OP_PUT);
}

const struct pattern pattern_gpcnet_incast = {
	.entry = {.name = "gpcnet-incast",
		  .aliases = "gpcnet-rma-incast",
		  .example = "gpcnet-incast",
		  .summary = "every rank puts (MPI_Put, flush) to rank 0 repeatedly; 4 "
			     "KiB unless the job specifies a size",
		  .paper = PAPER},
	.open = open_4096,
	.next = next_put,
};

/* Two-sided: rank 0 takes one message of everybody in each iteration. */
static void next_p2p(const struct pattern_part *part, int rank, struct cursor *cursor,
		     struct op *op)
{
	int n = part->job->nranks - 1, step = cursor->step++;

	if (n < 1 || step > (rank == 0 ? n : 0))
		return;
	op->kind = OP_SEND;
	op->bytes = part->bytes;
	op->is_synchronous = true;
	if (rank != 0)
		return;
	op->kind = step < n ? OP_IRECV : OP_WAITALL;
	op->peer = step < n ? step + 1 : 0;
}

const struct pattern pattern_gpcnet_p2p = {
	.entry = {.name = "gpcnet-p2p",
		  .aliases = "gpcnet-p2p-incast",
		  .example = "gpcnet-p2p",
		  .summary = "point-to-point incast: rank 0 posts a receive for every rank, "
			     "and they send synchronously; 4 KiB unless the job specifies a "
			     "size",
		  .paper = PAPER},
	.open = open_4096,
	.next = next_p2p,
};

/* ---- canary: a random ring ---- */

struct ring {
	int *before, *after; /* [nranks] */
};

static int open_ring(struct pattern_part *part, struct err *err)
{
	int n = part->job->nranks, *order = xcalloc((size_t)n, sizeof(*order));
	struct ring *ring = xmalloc(sizeof(*ring));
	struct rng rng = rng_make(part->job->seed, "canary", part->job->run, part->job->job);

	(void)err;
	if (part->job->bytes < 0)
		part->bytes = 8;
	ring->before = xcalloc((size_t)n, sizeof(*ring->before));
	ring->after = xcalloc((size_t)n, sizeof(*ring->after));
	for (int i = 0; i < n; i++)
		order[i] = i;
	rng_shuffle(&rng, order, (size_t)n);
	for (int i = 0; i < n; i++) {
		ring->after[order[i]] = order[(i + 1) % n];
		ring->before[order[(i + 1) % n]] = order[i];
	}
	free(order);
	part->state = ring;
	return 0;
}

static void close_ring(struct pattern_part *part)
{
	struct ring *ring = part->state;

	free(ring->before);
	free(ring->after);
	free(ring);
}

static void next_canary(const struct pattern_part *part, int rank, struct cursor *cursor,
			struct op *op)
{
	const struct ring *ring = part->state;
	int step = cursor->step++;

	if (part->job->nranks < 2 || step > 4)
		return;
	op->kind = step < 2 ? OP_IRECV : step < 4 ? OP_ISEND : OP_WAITALL;
	op->peer = step == 0 || step == 2 ? ring->before[rank] : ring->after[rank];
	/* what goes forward has tag 1: on a ring of two both neighbours are one rank */
	op->tag = step == 0 || step == 3;
	op->bytes = part->bytes;
}

const struct pattern pattern_gpcnet_canary = {
	.entry = {.name = "gpcnet-canary",
		  .example = "gpcnet-canary",
		  .summary = "the random ring: every rank exchanges short messages with "
			     "both neighbours in a random cycle; 8 bytes unless the job "
			     "specifies a size",
		  .paper = PAPER},
	.open = open_ring,
	.close = close_ring,
	.next = next_canary,
};
