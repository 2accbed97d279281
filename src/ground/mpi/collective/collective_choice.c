/* collective_choice.c - which algorithm a library takes for a call */
#include "mpi/collective/collective_rules.h"

#include <stddef.h>

#include "mpi/collective/nccl.h"
#include "mpi/collective/openmpi.h"
#include "mpi/collective/steps.h"
#include "base/str.h"

const char *const collective_libraries[] = {"mpich",       "tracer", "linear",    "ring", "openmpi",
					    "openmpi-4.0", "nccl",   "mpich-smp", NULL};

extern const struct collective_algorithm collective_algorithm_node_aware;

bool collective_asks_places(const char *library)
{
	return str_eq(library, "nccl") || str_eq(library, "mpich-smp");
}

/* mpich-smp: what MPICH does with MPIR_CVAR_ENABLE_SMP_COLLECTIVES, its default, where nodes have
 * several ranks, all as many: a large broadcast alone goes flat (MPIR_Bcast_intra_smp). */
static bool is_node_aware(const struct collective *call)
{
	if (places_domains(call) < 2 || places_local(call) < 2)
		return false;
	if (call->op == COLLECTIVE_BCAST)
		return call->nranks < 8 || call->bytes < 12288 ||
		       (is_power(call->nranks) && call->bytes < 524288);
	return (collective_algorithm_node_aware.ops >> call->op & 1) != 0;
}

const struct collective_algorithm *collective_choose(const struct collective *call,
						     const char *library)
{
	const struct collective_algorithm *algorithm;

	if (call->nranks < 2 || call->op == COLLECTIVE_CREATE || call->op == COLLECTIVE_DESTROY)
		return NULL;
	if (str_eq(library, "openmpi"))
		return openmpi_choose(call);
	if (str_eq(library, "openmpi-4.0"))
		return openmpi_4_0_choose(call);
	if (str_eq(library, "nccl"))
		algorithm = nccl_choose(call);
	else if (str_eq(library, "mpich-smp") && is_node_aware(call))
		algorithm = &collective_algorithm_node_aware;
	else
		algorithm = collective_rule(call, library);
	return algorithm != NULL ? algorithm : collective_rule(call, "mpich");
}

void collective_expand(const struct collective *call, const char *library, int rank,
		       collective_message_fn *message, void *context)
{
	const struct collective_algorithm *algorithm = collective_choose(call, library);
	int n = algorithm != NULL ? algorithm->nsteps(call) : 0;

	for (int step = 0; step < n; step++)
		algorithm->step(call, rank, step, message, context);
}
