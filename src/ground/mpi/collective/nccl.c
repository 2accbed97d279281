/* nccl.c - which algorithm NCCL takes for a call */
#include "mpi/collective/nccl.h"

#include <stddef.h>

#include "mpi/collective/steps.h"

#define X(name) extern const struct collective_algorithm collective_algorithm_##name;
#include "mpi/collective/algorithms.def"
#undef X
#define A(name) &collective_algorithm_##name

static const struct collective_algorithm *choose_allreduce(const struct collective *call)
{
	if (call->places == NULL)
		return A(channel_rings);
	switch (nccl_allreduce(call)) {
	case NCCL_TREE:
		return A(double_tree);
	case NCCL_NVLS:
		return A(nvls);
	case NCCL_HIERARCHICAL:
		return A(hierarchical);
	default:
		return A(channel_rings);
	}
}

const struct collective_algorithm *nccl_choose(const struct collective *call)
{
	switch (call->op) {
	case COLLECTIVE_ALLREDUCE:
		return choose_allreduce(call);
	case COLLECTIVE_ALLGATHER:
	case COLLECTIVE_ALLGATHERV:
	case COLLECTIVE_REDUCE_SCATTER:
	case COLLECTIVE_REDUCE_SCATTER_BLOCK:
		return A(channel_rings);
	case COLLECTIVE_BCAST:
	case COLLECTIVE_REDUCE:
		return A(channel_chains);
	case COLLECTIVE_ALLTOALL:
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW:
		return A(pxn);
	case COLLECTIVE_GATHER:
	case COLLECTIVE_GATHERV:
	case COLLECTIVE_SCATTER:
	case COLLECTIVE_SCATTERV:
		return A(linear);
	default:
		return NULL;
	}
}
