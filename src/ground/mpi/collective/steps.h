/* steps.h - pieces that several collective algorithms are made of */
#ifndef MPI_COLLECTIVE_STEPS_H
#define MPI_COLLECTIVE_STEPS_H

#include "mpi/collective/collective.h"

#define COLLECTIVE_BIT(op) (1u << COLLECTIVE_##op)

/* A rank counted from the root, and back. */
static inline int from_root(const struct collective *call, int rank)
{
	return rank >= call->root ? rank - call->root : rank - call->root + call->nranks;
}

static inline int to_rank(const struct collective *call, int v)
{
	return v < call->nranks - call->root ? v + call->root : v + call->root - call->nranks;
}

static inline int up(const struct collective *call, int rank, int distance)
{
	return rank < call->nranks - distance ? rank + distance : rank - (call->nranks - distance);
}

static inline int down(const struct collective *call, int rank, int distance)
{
	return rank >= distance ? rank - distance : rank - distance + call->nranks;
}

static inline bool is_power(int n)
{
	return (n & (n - 1)) == 0;
}

/*
 * Folding n ranks onto the greatest power of two p below: of the first 2(n - p) ranks each odd one
 * hands its part to the even one before it and sits out. fold_place: a rank's number among the p,
 * or -1; fold_rank: back.
 */
static inline int fold_place(int n, int rank)
{
	int rest = n - collective_power_below(n);

	if (rank >= 2 * rest)
		return rank - rest;
	return rank % 2 == 0 ? rank / 2 : -1;
}

static inline int fold_rank(int n, int place)
{
	int rest = n - collective_power_below(n);

	return place < rest ? 2 * place : place + rest;
}

/* The step before or after the others in which the odd ranks hand over bytes to the even ones, or
 * get them back. Nothing for ranks that have no partner. */
void fold_step(const struct collective *call, int rank, bool back, int64_t bytes,
	       collective_message_fn *message, void *context);

/* Step of the n - 1 of a ring that brings every share of call->bytes to everybody; v counts from
 * whoever has share v. */
void ring_step(const struct collective *call, int rank, int step, collective_message_fn *message,
	       void *context);
/* Step of log2 n by which shares double; nranks is a power of two. */
void doubling_step(const struct collective *call, int rank, int step,
		   collective_message_fn *message, void *context);
/* Steps of binomial trees, whole vectors or shares (of v's subtree, counted from the root). */
void binomial_down(const struct collective *call, int rank, int step, bool shares,
		   collective_message_fn *message, void *context);
void binomial_up(const struct collective *call, int rank, int step, bool shares,
		 collective_message_fn *message, void *context);

/* Bruck's all-gather, any number of ranks; log2 n steps, rounded up. */
void bruck_gather_step(const struct collective *call, int rank, int step,
		       collective_message_fn *message, void *context);

#endif
