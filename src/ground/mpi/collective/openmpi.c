/* openmpi.c - the rules of Open MPI's component "tuned" */
#include "mpi/collective/openmpi.h"

#include <stdlib.h>

#include "mpi/collective/steps.h"

/*
 * Source: ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, functions …_intra_dec_fixed. Algorithms
 * that send the same messages are one here: linear and linear with limits or without blocking;
 * ring and segmented ring; recursive halving and butterfly (and reduce_scatter_block's recursive
 * doubling, which is for some bytes); binary and in-order binary trees.
 */
#define X(name) extern const struct collective_algorithm collective_algorithm_##name;
#include "mpi/collective/algorithms.def"
#undef X
#define A(name) &collective_algorithm_##name
#define B(name) COLLECTIVE_BIT(name)
#define REST 0

/* Up to most_ranks (0: any number) the first that takes fewer bytes than below, or all. */
struct row {
	unsigned ops;
	int most_ranks;
	struct {
		int64_t below;
		const struct collective_algorithm *algorithm;
	} sizes[10];
};

/* clang-format off */
static const struct row rows[] = {
	{B(ALLREDUCE), 3, {{8, A(ring)}, {4096, A(recursive_doubling)}, {8192, A(ring)},
		{16384, A(recursive_doubling)}, {262144, A(ring)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 7, {{16, A(ring)}, {8192, A(recursive_doubling)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 15, {{8192, A(recursive_doubling)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 31, {{64, A(ring)}, {4096, A(recursive_doubling)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 63, {{128, A(ring)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 127, {{262144, A(recursive_doubling)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 255, {{131072, A(nonoverlapping)}, {262144, A(recursive_doubling)},
		{REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 511, {{4096, A(nonoverlapping)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 2047, {{2048, A(nonoverlapping)}, {16384, A(recursive_doubling)},
		{REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 4095, {{2048, A(nonoverlapping)}, {4096, A(ring)},
		{16384, A(recursive_doubling)}, {REST, A(rabenseifner)}}},
	{B(ALLREDUCE), 0, {{2048, A(nonoverlapping)}, {16384, A(ring)},
		{32768, A(recursive_doubling)}, {REST, A(rabenseifner)}}},

	{B(ALLTOALL), 2, {{REST, A(pairwise_shift)}}},
	{B(ALLTOALL), 7, {{524288, A(linear)}, {1048576, A(pairwise_shift)}, {REST, A(linear)}}},
	{B(ALLTOALL), 15, {{REST, A(linear)}}},
	{B(ALLTOALL), 31, {{4, A(linear)}, {512, A(bruck)}, {REST, A(linear)}}},
	{B(ALLTOALL), 63, {{512, A(bruck)}, {REST, A(linear)}}},
	{B(ALLTOALL), 255, {{1024, A(bruck)}, {262144, A(linear)}, {REST, A(pairwise_shift)}}},
	{B(ALLTOALL), 511, {{1024, A(bruck)}, {32768, A(linear)}, {REST, A(pairwise_shift)}}},
	{B(ALLTOALL), 1023, {{512, A(bruck)}, {262144, A(linear)}, {REST, A(pairwise_shift)}}},
	{B(ALLTOALL), 2047, {{512, A(bruck)}, {REST, A(linear)}}},
	{B(ALLTOALL), 4095, {{1024, A(bruck)}, {REST, A(linear)}}},
	{B(ALLTOALL), 0, {{2048, A(bruck)}, {REST, A(linear)}}},

	{B(ALLTOALLV) | B(ALLTOALLW), 3, {{REST, A(pairwise_shift)}}},
	{B(ALLTOALLV) | B(ALLTOALLW), 63, {{REST, A(linear)}}},
	{B(ALLTOALLV) | B(ALLTOALLW), 127, {{REST, A(pairwise_shift)}}},
	{B(ALLTOALLV) | B(ALLTOALLW), 255, {{REST, A(linear)}}},
	{B(ALLTOALLV) | B(ALLTOALLW), 1023, {{REST, A(pairwise_shift)}}},
	{B(ALLTOALLV) | B(ALLTOALLW), 0, {{REST, A(linear)}}},

	{B(BARRIER), 3, {{REST, A(recursive_doubling)}}},
	{B(BARRIER), 7, {{REST, A(linear)}}},
	{B(BARRIER), 63, {{REST, A(recursive_doubling)}}},
	{B(BARRIER), 255, {{REST, A(dissemination)}}},
	{B(BARRIER), 511, {{REST, A(binomial)}}},
	{B(BARRIER), 1023, {{REST, A(dissemination)}}},
	{B(BARRIER), 4095, {{REST, A(binomial)}}},
	{B(BARRIER), 0, {{REST, A(dissemination)}}},

	{B(BCAST), 3, {{32, A(chain)}, {256, A(binary_tree)}, {512, A(chain)}, {1024, A(knomial)},
		{32768, A(linear)}, {131072, A(binary_tree)}, {262144, A(chain)},
		{524288, A(linear)}, {1048576, A(binomial)}, {REST, A(binary_tree)}}},
	{B(BCAST), 7, {{64, A(binary_tree)}, {128, A(binomial)}, {2048, A(binary_tree)},
		{8192, A(binomial)}, {1048576, A(linear)}, {REST, A(chain)}}},
	{B(BCAST), 15, {{8, A(knomial)}, {64, A(binary_tree)}, {4096, A(knomial)},
		{16384, A(binary_tree)}, {32768, A(binomial)}, {REST, A(linear)}}},
	{B(BCAST), 31, {{4096, A(knomial)}, {1048576, A(binomial)}, {REST, A(scatter_doubling)}}},
	{B(BCAST), 63, {{2048, A(binomial)}, {REST, A(knomial)}}},
	{B(BCAST), 127, {{REST, A(knomial)}}},
	{B(BCAST), 255, {{2, A(binomial)}, {16384, A(binary_tree)}, {32768, A(linear)},
		{65536, A(binary_tree)}, {REST, A(knomial)}}},
	{B(BCAST), 1023, {{16384, A(knomial)}, {32768, A(split_binary)}, {REST, A(knomial)}}},
	{B(BCAST), 2047, {{524288, A(knomial)}, {REST, A(scatter_doubling)}}},
	{B(BCAST), 4095, {{262144, A(knomial)}, {REST, A(scatter_doubling)}}},
	{B(BCAST), 0, {{8192, A(knomial)}, {16384, A(binary_tree)}, {262144, A(knomial)},
		{REST, A(scatter_doubling)}}},

	{B(REDUCE), 3, {{8, A(rabenseifner)}, {16, A(binary_tree)}, {32, A(chain)},
		{262144, A(linear)}, {REST, A(chain)}}},
	{B(REDUCE), 7, {{4096, A(binary_tree)}, {65536, A(chain)}, {262144, A(binomial)},
		{524288, A(linear)}, {1048576, A(binomial)}, {REST, A(linear)}}},
	{B(REDUCE), 15, {{8192, A(binary_tree)}, {REST, A(binomial)}}},
	{B(REDUCE), 31, {{4096, A(binary_tree)}, {REST, A(binomial)}}},
	{B(REDUCE), 255, {{REST, A(binomial)}}},
	{B(REDUCE), 511, {{8192, A(binomial)}, {16384, A(binary_tree)}, {REST, A(binomial)}}},
	{B(REDUCE), 2047, {{REST, A(binomial)}}},
	{B(REDUCE), 4095, {{512, A(binomial)}, {1024, A(binary_tree)}, {8192, A(binomial)},
		{16384, A(binary_tree)}, {REST, A(binomial)}}},
	{B(REDUCE), 0, {{16, A(binomial)}, {32, A(binary_tree)}, {1024, A(binomial)},
		{2048, A(binary_tree)}, {8192, A(binomial)}, {16384, A(binary_tree)},
		{REST, A(binomial)}}},

	{B(REDUCE_SCATTER), 3, {{65536, A(ring)}, {131072, A(recursive_halving)}, {REST, A(ring)}}},
	{B(REDUCE_SCATTER), 7, {{8, A(nonoverlapping)}, {262144, A(recursive_halving)},
		{REST, A(ring)}}},
	{B(REDUCE_SCATTER), 31, {{262144, A(recursive_halving)}, {REST, A(ring)}}},
	{B(REDUCE_SCATTER), 63, {{64, A(nonoverlapping)}, {524288, A(recursive_halving)},
		{REST, A(ring)}}},
	{B(REDUCE_SCATTER), 511, {{256, A(nonoverlapping)}, {REST, A(recursive_halving)}}},
	{B(REDUCE_SCATTER), 4095, {{512, A(nonoverlapping)}, {REST, A(recursive_halving)}}},
	{B(REDUCE_SCATTER), 0, {{1024, A(nonoverlapping)}, {REST, A(recursive_halving)}}},

	{B(REDUCE_SCATTER_BLOCK), 3, {{131072, A(recursive_halving)}, {REST, A(nonoverlapping)}}},
	{B(REDUCE_SCATTER_BLOCK), 7, {{1048576, A(recursive_halving)}, {REST, A(nonoverlapping)}}},
	{B(REDUCE_SCATTER_BLOCK), 15, {{4, A(nonoverlapping)}, {524288, A(recursive_halving)},
		{4194304, A(nonoverlapping)}, {REST, A(recursive_halving)}}},
	{B(REDUCE_SCATTER_BLOCK), 31, {{32, A(nonoverlapping)}, {524288, A(recursive_halving)},
		{2097152, A(nonoverlapping)}, {REST, A(recursive_halving)}}},
	{B(REDUCE_SCATTER_BLOCK), 0, {{4, A(recursive_halving)}, {16, A(nonoverlapping)},
		{65536, A(recursive_halving)}, {262144, A(nonoverlapping)},
		{REST, A(recursive_halving)}}},

	{B(ALLGATHER), 31, {{REST, A(recursive_doubling)}}},
	{B(ALLGATHER), 63, {{1024, A(recursive_doubling)}, {65536, A(neighbour_exchange)},
		{REST, A(ring)}}},
	{B(ALLGATHER), 127, {{512, A(recursive_doubling)}, {65536, A(neighbour_exchange)},
		{REST, A(ring)}}},
	{B(ALLGATHER), 255, {{512, A(recursive_doubling)}, {131072, A(neighbour_exchange)},
		{524288, A(ring)}, {1048576, A(neighbour_exchange)}, {REST, A(ring)}}},
	{B(ALLGATHER), 511, {{32, A(recursive_doubling)}, {128, A(bruck)},
		{1024, A(recursive_doubling)}, {131072, A(neighbour_exchange)}, {524288, A(ring)},
		{1048576, A(neighbour_exchange)}, {REST, A(ring)}}},
	{B(ALLGATHER), 1023, {{64, A(recursive_doubling)}, {256, A(bruck)},
		{2048, A(recursive_doubling)}, {REST, A(neighbour_exchange)}}},
	{B(ALLGATHER), 2047, {{4, A(recursive_doubling)}, {8, A(bruck)},
		{16, A(recursive_doubling)}, {32, A(bruck)}, {256, A(recursive_doubling)},
		{512, A(bruck)}, {4096, A(recursive_doubling)}, {REST, A(neighbour_exchange)}}},
	{B(ALLGATHER), 4095, {{32, A(bruck)}, {128, A(recursive_doubling)}, {512, A(bruck)},
		{4096, A(recursive_doubling)}, {REST, A(neighbour_exchange)}}},
	{B(ALLGATHER), 0, {{2, A(recursive_doubling)}, {8, A(bruck)}, {16, A(recursive_doubling)},
		{512, A(bruck)}, {4096, A(recursive_doubling)}, {REST, A(neighbour_exchange)}}},

	{B(ALLGATHERV), 2, {{REST, A(ring)}}},
	{B(ALLGATHERV), 7, {{256, A(nonoverlapping)}, {4096, A(neighbour_exchange)},
		{8192, A(ring)}, {16384, A(neighbour_exchange)}, {262144, A(bruck)},
		{REST, A(neighbour_exchange)}}},
	{B(ALLGATHERV), 15, {{1024, A(nonoverlapping)}, {REST, A(bruck)}}},
	{B(ALLGATHERV), 31, {{128, A(nonoverlapping)}, {262144, A(bruck)}, {REST, A(ring)}}},
	{B(ALLGATHERV), 63, {{256, A(nonoverlapping)}, {8192, A(bruck)}, {REST, A(ring)}}},
	{B(ALLGATHERV), 127, {{256, A(nonoverlapping)}, {4096, A(bruck)}, {REST, A(ring)}}},
	{B(ALLGATHERV), 255, {{1024, A(bruck)}, {65536, A(neighbour_exchange)}, {REST, A(ring)}}},
	{B(ALLGATHERV), 511, {{1024, A(bruck)}, {REST, A(ring)}}},
	{B(ALLGATHERV), 1023, {{512, A(bruck)}, {1024, A(nonoverlapping)}, {4096, A(bruck)},
		{1048576, A(neighbour_exchange)}, {REST, A(ring)}}},
	{B(ALLGATHERV), 0, {{4096, A(bruck)}, {REST, A(neighbour_exchange)}}},

	{B(GATHER), 3, {{4, A(linear)}, {32768, A(binomial)}, {65536, A(linear)},
		{131072, A(binomial)}, {REST, A(linear)}}},
	{B(GATHER), 7, {{1024, A(binomial)}, {8192, A(linear)}, {32768, A(binomial)},
		{REST, A(linear)}}},
	{B(GATHER), 255, {{REST, A(binomial)}}},
	{B(GATHER), 511, {{2048, A(binomial)}, {8192, A(linear)}, {REST, A(binomial)}}},
	{B(GATHER), 0, {{REST, A(binomial)}}},
	{B(SCATTER), 3, {{REST, A(linear)}}},
	{B(SCATTER), 7, {{2048, A(binomial)}, {4096, A(linear)}, {8192, A(binomial)},
		{REST, A(linear)}}},
	{B(SCATTER), 31, {{16384, A(binomial)}, {REST, A(linear)}}},
	{B(SCATTER), 63, {{512, A(binomial)}, {8192, A(linear)}, {16384, A(binomial)},
		{REST, A(linear)}}},
	{B(SCATTER), 0, {{512, A(binomial)}, {REST, A(linear)}}},
	{B(GATHERV) | B(SCATTERV) | B(SCAN) | B(EXSCAN), 0, {{REST, A(linear)}}},
};
/* clang-format on */

/* What the rules go by: one block, where there are blocks. */
static int64_t bytes_of(const struct collective *call)
{
	const unsigned blocks = B(ALLTOALL) | B(ALLGATHER) | B(ALLGATHERV) | B(GATHER) |
				B(SCATTER) | B(REDUCE_SCATTER_BLOCK);

	return (blocks >> call->op & 1) != 0 ? call->bytes / call->nranks : call->bytes;
}

/* What an algorithm leaves to another: vectors with fewer elements than it has parts. */
static const struct collective_algorithm *unless_short(const struct collective_algorithm *algorithm,
						       const struct collective *call)
{
	int64_t nelements = (call->bytes + 7) / 8;
	bool is_ring = algorithm == A(ring) && call->op == COLLECTIVE_ALLREDUCE;

	if (is_ring && nelements < call->nranks)
		return A(recursive_doubling);
	if (algorithm == A(rabenseifner) && nelements < collective_power_below(call->nranks))
		return A(linear);
	return algorithm;
}

const struct collective_algorithm *openmpi_choose(const struct collective *call)
{
	int64_t bytes = bytes_of(call);
	const struct row *row = rows;
	int size = 0;

	while ((row->ops >> call->op & 1) == 0 ||
	       (row->most_ranks != 0 && row->most_ranks < call->nranks))
		row++;
	while (row->sizes[size].below != REST && bytes >= row->sizes[size].below)
		size++;
	return unless_short(row->sizes[size].algorithm, call);
}

/* ---- one operation after the other: at rank 0, then from there ---- */

/* allreduce: reduce, then bcast; reduce_scatter: reduce, then scatter; allgather: gather, then
 * bcast; each as Open MPI does it. */
static struct collective half_of(const struct collective *call, int half)
{
	struct collective part = *call;
	bool is_gather = call->op == COLLECTIVE_ALLGATHER || call->op == COLLECTIVE_ALLGATHERV;

	part.root = 0;
	if (half == 0)
		part.op = is_gather ? COLLECTIVE_GATHERV : COLLECTIVE_REDUCE;
	else
		part.op = is_gather || call->op == COLLECTIVE_ALLREDUCE ? COLLECTIVE_BCAST
									: COLLECTIVE_SCATTERV;
	return part;
}

static int nsteps(const struct collective *call)
{
	int n = 0;

	for (int half = 0; half < 2; half++) {
		struct collective part = half_of(call, half);

		n += openmpi_choose(&part)->nsteps(&part);
	}
	return n;
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	struct collective part = half_of(call, 0);
	int n = openmpi_choose(&part)->nsteps(&part);

	if (k >= n) {
		part = half_of(call, 1);
		k -= n;
	}
	openmpi_choose(&part)->step(&part, rank, k, message, context);
}

const struct collective_algorithm collective_algorithm_nonoverlapping = {
	.entry = {.name = "nonoverlapping",
		  .example = "nonoverlapping",
		  .summary = "allreduce as reduce, then bcast; reduce_scatter as reduce, then "
			     "scatter; allgather as gather, then bcast",
		  .paper = "Open MPI (ompi_coll_base_allreduce_intra_nonoverlapping)"},
	.ops = COLLECTIVE_BIT(ALLREDUCE) | COLLECTIVE_BIT(REDUCE_SCATTER) |
	       COLLECTIVE_BIT(REDUCE_SCATTER_BLOCK) | COLLECTIVE_BIT(ALLGATHER) |
	       COLLECTIVE_BIT(ALLGATHERV),
	.nsteps = nsteps,
	.step = step,
};

/* ---- 1.7 to 4.0 ---- */

static const struct collective_algorithm *bcast_4_0(int n, double bytes)
{
	if (bytes < 2048)
		return A(binomial);
	if (bytes < 370728)
		return A(split_binary_1k);
	if (n < 1.6134e-6 * bytes + 2.1102)
		return A(pipeline_128k);
	if (n < 13)
		return A(split_binary_8k);
	if (n < 2.3679e-6 * bytes + 1.1787)
		return A(pipeline_64k);
	return n < 3.2118e-6 * bytes + 8.7936 ? A(pipeline_16k) : A(pipeline_8k);
}

static const struct collective_algorithm *reduce_4_0(int n, double bytes)
{
	if (n < 8 && bytes < 512)
		return A(linear);
	if (bytes < (n < 8 ? 20480 : 2048))
		return A(binomial);
	if (n > .6016 / 1024 * bytes + 1.3496)
		return A(binomial_1k);
	if (n > .0410 / 1024 * bytes + 9.7128)
		return A(pipeline_1k);
	if (n > .0422 / 1024 * bytes + 1.1614)
		return A(binary_tree_32k);
	return n > .0033 / 1024 * bytes + 1.6761 ? A(pipeline_32k) : A(pipeline_64k);
}

static const struct collective_algorithm *allgather_4_0(int n, int64_t bytes, bool has_blocks)
{
	if (n == 2 || (bytes < 50000 && is_power(n) && has_blocks))
		return A(recursive_doubling);
	if (bytes < 50000)
		return A(bruck);
	return n % 2 == 1 ? A(ring) : A(neighbour_exchange);
}

static const struct collective_algorithm *alltoall_4_0(int n, int64_t block)
{
	if (n == 2)
		return A(pairwise_shift);
	if (n > 12 && block < 200)
		return A(bruck);
	return block < 3000 ? A(linear) : A(pairwise_shift);
}

static const struct collective_algorithm *reduce_scatter_4_0(int n, int64_t bytes)
{
	bool is_halved = bytes <= 12 * 1024 || (bytes <= 256 * 1024 && is_power(n)) ||
			 n >= .0012 * (double)bytes + 8;

	return is_halved ? A(recursive_halving) : A(ring);
}

const struct collective_algorithm *openmpi_4_0_choose(const struct collective *call)
{
	int n = call->nranks;
	int64_t block = bytes_of(call);

	switch (call->op) {
	case COLLECTIVE_BARRIER:
		return is_power(n) ? A(recursive_doubling) : A(dissemination);
	case COLLECTIVE_BCAST:
		return bcast_4_0(n, (double)call->bytes);
	case COLLECTIVE_REDUCE:
		return reduce_4_0(n, (double)call->bytes);
	case COLLECTIVE_ALLREDUCE:
		if (call->bytes < 10000)
			return A(recursive_doubling);
		return call->bytes / 8 > n ? A(ring) : A(nonoverlapping);
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
		return allgather_4_0(n, call->bytes, call->op == COLLECTIVE_ALLGATHER);
	case COLLECTIVE_ALLTOALL:
		return alltoall_4_0(n, block);
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW:
		return A(pairwise_shift);
	case COLLECTIVE_REDUCE_SCATTER:
		return reduce_scatter_4_0(n, call->bytes);
	case COLLECTIVE_REDUCE_SCATTER_BLOCK:
		return A(nonoverlapping);
	case COLLECTIVE_GATHER:
		return block <= 6000 && (n > 60 || (n > 10 && block < 1024)) ? A(binomial)
									     : A(linear);
	case COLLECTIVE_SCATTER:
		return n > 10 && block < 300 ? A(binomial) : A(linear);
	default:
		return A(linear);
	}
}
