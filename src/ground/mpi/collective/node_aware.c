/* node_aware.c - collectives in the nodes, between one rank of each, and in the nodes again */
#include "mpi/collective/collective_rules.h"
#include "mpi/collective/rank_places.h"
#include "mpi/collective/steps.h"

#include <stdlib.h>

/*
 * Phases are calls of their own: of the ranks of each domain, or of one leader of each domain, the
 * first of its ranks there or the root. MPICH takes the first in the root's domain, too, which
 * costs a rooted operation another message inside a node.
 */
enum { PHASES_MOST = 3 };
struct phase {
	bool is_inside;
	struct collective call;
	const struct collective_algorithm *algorithm;
	int nsteps;
};

/* The leader's place in a domain. */
static int leader(const struct collective *call, int domain)
{
	int root = collective_is_rooted(call->op) ? place_index(call, call->root) : 0;

	return root / places_local(call) == domain ? root % places_local(call) : 0;
}

static int add(struct phase *phases, int n, const struct collective *call, bool is_inside,
	       enum collective_op op, int domain)
{
	struct phase *phase = &phases[n];
	int root = collective_is_rooted(call->op) ? place_index(call, call->root) : 0;

	phase->is_inside = is_inside;
	phase->call = (struct collective){
		.op = op,
		.nranks = is_inside ? places_local(call) : places_domains(call),
		.root = is_inside ? leader(call, domain) : root / places_local(call),
		.is_on_gpu = call->is_on_gpu,
		.bytes = call->bytes,
	};
	if (!collective_is_rooted(op))
		phase->call.root = 0;
	phase->algorithm = collective_rule(&phase->call, "mpich");
	phase->nsteps = phase->algorithm->nsteps(&phase->call);
	return n + 1;
}

/* The phases of an operation, as those of a domain see them: steps are as many in each. */
static int phases_of(const struct collective *call, int domain, struct phase phases[PHASES_MOST])
{
	int n = 0;

	switch (call->op) {
	case COLLECTIVE_BCAST:
		n = add(phases, n, call, false, COLLECTIVE_BCAST, domain);
		return add(phases, n, call, true, COLLECTIVE_BCAST, domain);
	case COLLECTIVE_REDUCE:
		n = add(phases, n, call, true, COLLECTIVE_REDUCE, domain);
		return add(phases, n, call, false, COLLECTIVE_REDUCE, domain);
	case COLLECTIVE_ALLREDUCE:
		n = add(phases, n, call, true, COLLECTIVE_REDUCE, domain);
		n = add(phases, n, call, false, COLLECTIVE_ALLREDUCE, domain);
		return add(phases, n, call, true, COLLECTIVE_BCAST, domain);
	case COLLECTIVE_BARRIER:
		n = add(phases, n, call, true, COLLECTIVE_REDUCE, domain);
		n = add(phases, n, call, false, COLLECTIVE_BARRIER, domain);
		return add(phases, n, call, true, COLLECTIVE_BCAST, domain);
	default:
		abort(); /* not of .ops */
	}
}

static int nsteps(const struct collective *call)
{
	struct phase phases[PHASES_MOST];
	int n = phases_of(call, 0, phases), sum = 0;

	for (int i = 0; i < n; i++)
		sum += phases[i].nsteps;
	return sum;
}

/* Hands messages on with ranks of the whole communicator. */
struct naming {
	const struct collective *call;
	bool is_inside;
	int domain;
	collective_message_fn *message;
	void *context;
};

static void name(void *context, bool is_send, int peer, int64_t bytes)
{
	const struct naming *naming = context;
	int m = places_local(naming->call);
	int index = naming->is_inside ? naming->domain * m + peer
				      : peer * m + leader(naming->call, peer);

	naming->message(naming->context, is_send, place_rank(naming->call, index), bytes);
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	struct phase phases[PHASES_MOST];
	int m = places_local(call), index = place_index(call, rank), domain = index / m;
	int n = phases_of(call, domain, phases);
	struct naming naming = {
		.call = call, .domain = domain, .message = message, .context = context};

	for (int i = 0; i < n; k -= phases[i++].nsteps) {
		const struct phase *phase = &phases[i];

		if (k >= phase->nsteps)
			continue;
		naming.is_inside = phase->is_inside;
		if (phase->is_inside || index % m == leader(call, domain))
			phase->algorithm->step(&phase->call, phase->is_inside ? index % m : domain,
					       k, name, &naming);
		return;
	}
}

const struct collective_algorithm collective_algorithm_node_aware = {
	.entry = {.name = "node-aware",
		  .example = "node-aware",
		  .summary = "bcast, reduce, allreduce and barrier inside the nodes, between one "
			     "rank of each, and inside again, each as mpich does it",
		  .paper = "MPICH, MPIR_Bcast_intra_smp, MPIR_Reduce_intra_smp, "
			   "MPIR_Allreduce_intra_smp, MPIR_Barrier_intra_smp"},
	.ops = COLLECTIVE_BIT(BCAST) | COLLECTIVE_BIT(REDUCE) | COLLECTIVE_BIT(ALLREDUCE) |
	       COLLECTIVE_BIT(BARRIER),
	.nsteps = nsteps,
	.step = step,
};
