/* pxn.c - all-to-all by rails: first to the own domain's GPU on the destination's rail */
#include "mpi/collective/nccl.h"
#include "mpi/collective/steps.h"

/* Part s goes to the own domain's GPUs in step s, from them to the other domains one step later:
 * from each GPU one message to its rail in each domain. */
static bool has_two(const struct collective *call)
{
	return places_domains(call) > 1 && places_local(call) > 1;
}

static int nsegments(const struct collective *call)
{
	return has_two(call) ? places_segments(call, 1, 1, true) : 1;
}

static int nsteps(const struct collective *call)
{
	return nsegments(call) + has_two(call);
}

/* What a rank has for the GPU at a place of a domain, and for the same of all others. */
static int64_t for_rail(const struct collective *call, int l)
{
	int64_t bytes = 0;

	for (int d = 0; d < places_domains(call); d++)
		bytes += collective_share(call->bytes, call->nranks,
					  place_rank(call, d * places_local(call) + l));
	return bytes;
}

static void in_domain(const struct collective *call, int index, int s, bool is_send,
		      collective_message_fn *message, void *context)
{
	int m = places_local(call), l = index % m, nparts = nsegments(call);

	for (int i = 1; i < m; i++) {
		int peer = (l + (is_send ? i : m - i)) % m;

		message(context, is_send, place_rank(call, index - l + peer),
			collective_share(for_rail(call, is_send ? peer : l), nparts, s));
	}
}

/* All GPUs of the domain have blocks for the same one. */
static void on_rail(const struct collective *call, int index, int s, bool is_send,
		    collective_message_fn *message, void *context)
{
	int m = places_local(call), n = places_domains(call), nparts = nsegments(call);

	for (int i = 1; i < n; i++) {
		int peer = (index + (is_send ? i : n - i) * m) % (n * m);
		int to = place_rank(call, is_send ? peer : index);

		message(context, is_send, place_rank(call, peer),
			collective_share(m * collective_share(call->bytes, call->nranks, to),
					 nparts, s));
	}
}

static void step(const struct collective *call, int rank, int k, collective_message_fn *message,
		 void *context)
{
	int index = place_index(call, rank), nparts = nsegments(call), late = k - has_two(call);

	for (int is_send = 1; is_send >= 0; is_send--) {
		if (k < nparts)
			in_domain(call, index, k, is_send, message, context);
		if (late >= 0)
			on_rail(call, index, late, is_send, message, context);
	}
}

const struct collective_algorithm collective_algorithm_pxn = {
	.entry = {.name = "pxn",
		  .example = "pxn",
		  .summary = "alltoall by way of the own domain's GPU on the destination's rail: "
			     "no message changes its rail",
		  .paper = "NVIDIA, NCCL 2.12"},
	.ops = COLLECTIVE_BIT(ALLTOALL) | COLLECTIVE_BIT(ALLTOALLV) | COLLECTIVE_BIT(ALLTOALLW),
	.nsteps = nsteps,
	.step = step,
	.delay_ps = nccl_pxn_delay_ps,
};
