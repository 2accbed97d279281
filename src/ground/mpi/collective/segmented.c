/* segmented.c - vectors that go along a chain or a tree in segments, one after the other */
#include "mpi/collective/steps.h"

/*
 * v counts from the root. In a chain v hands over to v + 1. In a binary tree a level has the next
 * 2, 4, 8, … ranks, and v of a level of n has the children v + n and v + 2n: odd ones lie left of
 * the root, even ones right. In a binomial tree v's parent lacks v's lowest bit. Segment s crosses
 * the edge below depth d in step s + d, on its way up in the step that brings it to the root in
 * step s + depth - 1.
 */
enum tree { CHAIN, BINARY, SPLIT, BINOMIAL };

/* How many ranks the level of a binary tree has that v is in. */
static int width_of(int v)
{
	int width = 1;

	while (v > 2 * (width - 1))
		width *= 2;
	return width;
}

static int depth_of(enum tree tree, int v)
{
	if (tree == CHAIN)
		return v;
	return tree == BINOMIAL ? __builtin_popcount((unsigned)v)
				: __builtin_ctz((unsigned)width_of(v));
}

static int parent_of(enum tree tree, int v)
{
	int width = width_of(v);

	if (tree == CHAIN)
		return v - 1;
	if (tree == BINOMIAL)
		return v & (v - 1);
	return v - width / 2 < width - 1 ? v - width / 2 : v - width;
}

/* Ascending; n: there is none. */
static int child_of(enum tree tree, int v, int i, int n)
{
	int64_t distance = tree == CHAIN      ? 1
			   : tree == BINOMIAL ? (int64_t)1 << i
					      : (i + 1) * (int64_t)width_of(v);
	bool is_one =
		tree == BINOMIAL ? v == 0 || distance < (v & -v) : i < (tree == CHAIN ? 1 : 2);

	return is_one && distance < n - v ? v + (int)distance : n;
}

/* What v gets: the vector, or its side's half of it. */
static int64_t part_of(const struct collective *call, enum tree tree, int v)
{
	return tree == SPLIT ? collective_share(call->bytes, 2, (v + 1) % 2) : call->bytes;
}

/* Of 2^20 the last has the rest. */
static int nsegments(int64_t bytes, int64_t segment)
{
	int64_t n = segment == 0 || bytes <= segment ? 1 : (bytes - 1) / segment + 1;

	return n < 1 << 20 ? (int)n : 1 << 20;
}

static int depth_in_all(const struct collective *call, enum tree tree)
{
	int last = call->nranks - 1, depth = depth_of(tree, last);
	int bits = 32 - __builtin_clz((unsigned)last);

	/* a lower rank may have more bits */
	return tree == BINOMIAL && depth < bits - 1 ? bits - 1 : depth;
}

static int nsteps_of(const struct collective *call, enum tree tree, int64_t segment)
{
	/* halves are exchanged at last */
	return depth_in_all(call, tree) + nsegments(part_of(call, tree, 1), segment) - 1 +
	       (tree == SPLIT);
}

/* The edge above v, of which rank is an end. */
static void edge(const struct collective *call, enum tree tree, int64_t segment, int k, int v,
		 bool is_child, collective_message_fn *message, void *context)
{
	bool is_up = call->op == COLLECTIVE_REDUCE;
	int64_t bytes = part_of(call, tree, v);
	int n = nsegments(bytes, segment), below = depth_of(tree, v);
	int s = k - (is_up ? depth_in_all(call, tree) - below : below - 1);

	if (s < 0 || s >= n)
		return;
	message(context, is_child == is_up, to_rank(call, is_child ? parent_of(tree, v) : v),
		n == 1      ? bytes
		: s < n - 1 ? segment
			    : bytes - segment * (n - 1));
}

/* Left and right ranks, which are neighbours, exchange halves; the root has both. */
static void swap_halves(const struct collective *call, int v, collective_message_fn *message,
			void *context)
{
	int n = call->nranks, peer = v % 2 == 1 ? v + 1 : v - 1;

	if (v == 0 && n % 2 == 0)
		message(context, true, to_rank(call, n - 1), part_of(call, SPLIT, 2));
	if (v == 0)
		return;
	if (peer < n)
		message(context, true, to_rank(call, peer), part_of(call, SPLIT, v));
	message(context, false, to_rank(call, peer < n ? peer : 0), part_of(call, SPLIT, v + 1));
}

static void step_of(const struct collective *call, enum tree tree, int64_t segment, int rank, int k,
		    collective_message_fn *message, void *context)
{
	int n = call->nranks, v = from_root(call, rank);

	if (tree == SPLIT && k == nsteps_of(call, tree, segment) - 1) {
		swap_halves(call, v, message, context);
		return;
	}
	if (v > 0)
		edge(call, tree, segment, k, v, true, message, context);
	for (int i = 0, child; (child = child_of(tree, v, i, n)) < n; i++)
		edge(call, tree, segment, k, child, false, message, context);
}

#define PAPER "Pjesivac-Grbovic et al. 2007, §3 (Open MPI's)"
#define BOTH (COLLECTIVE_BIT(BCAST) | COLLECTIVE_BIT(REDUCE))

/* ident: of the algorithm; label, text: of its entry; segment in bytes, 0: none */
#define SEGMENTED(ident, label, tree, segment, operations, text)                                   \
	static int nsteps_##ident(const struct collective *call)                                   \
	{                                                                                          \
		return nsteps_of(call, tree, segment);                                             \
	}                                                                                          \
	static void step_##ident(const struct collective *call, int rank, int k,                   \
				 collective_message_fn *message, void *context)                    \
	{                                                                                          \
		step_of(call, tree, segment, rank, k, message, context);                           \
	}                                                                                          \
	const struct collective_algorithm collective_algorithm_##ident = {                         \
		.entry = {.name = label, .example = label, .summary = text, .paper = PAPER},       \
		.ops = operations,                                                                 \
		.nsteps = nsteps_##ident,                                                          \
		.step = step_##ident,                                                              \
	};

SEGMENTED(chain, "chain", CHAIN, 0, BOTH, "bcast and reduce from rank to rank")
SEGMENTED(pipeline_1k, "pipeline-1k", CHAIN, 1 << 10, BOTH, "a chain, in segments of 1 KiB")
SEGMENTED(pipeline_8k, "pipeline-8k", CHAIN, 1 << 13, BOTH, "a chain, in segments of 8 KiB")
SEGMENTED(pipeline_16k, "pipeline-16k", CHAIN, 1 << 14, BOTH, "a chain, in segments of 16 KiB")
SEGMENTED(pipeline_32k, "pipeline-32k", CHAIN, 1 << 15, BOTH, "a chain, in segments of 32 KiB")
SEGMENTED(pipeline_64k, "pipeline-64k", CHAIN, 1 << 16, BOTH, "a chain, in segments of 64 KiB")
SEGMENTED(pipeline_128k, "pipeline-128k", CHAIN, 1 << 17, BOTH, "a chain, in segments of 128 KiB")
SEGMENTED(binary_tree, "binary-tree", BINARY, 0, BOTH,
	  "bcast and reduce along Open MPI's binary tree")
SEGMENTED(binary_tree_32k, "binary-tree-32k", BINARY, 1 << 15, BOTH,
	  "a binary tree, in segments of 32 KiB")
SEGMENTED(binomial_1k, "binomial-1k", BINOMIAL, 1 << 10, BOTH,
	  "a binomial tree, in segments of 1 KiB")
SEGMENTED(split_binary, "split-binary", SPLIT, 0, COLLECTIVE_BIT(BCAST),
	  "bcast: halves along the sides of a binary tree, then exchanged")
SEGMENTED(split_binary_1k, "split-binary-1k", SPLIT, 1 << 10, COLLECTIVE_BIT(BCAST),
	  "the same, in segments of 1 KiB")
SEGMENTED(split_binary_8k, "split-binary-8k", SPLIT, 1 << 13, COLLECTIVE_BIT(BCAST),
	  "the same, in segments of 8 KiB")
