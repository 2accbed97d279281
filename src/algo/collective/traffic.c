/* traffic.c - the messages of point-to-point calls and of expanded collectives, added up */
#include "algo/collective/traffic.h"

#include <stdlib.h>

#include "base/str.h"

/* Equal calls of the rank. */
struct traffic_call {
	int64_t count; /* 0: a free slot */
	enum collective_op op;
	int32_t comm, root;
	int64_t bytes;
};

enum { FIRST_CALLS = 64 };

void traffic_init(struct traffic *traffic, const char *library, const struct trace_comms *comms)
{
	*traffic = (struct traffic){.library = library, .comms = comms, .rank = -1};
	traffic->ncalls = FIRST_CALLS;
	traffic->calls = xcalloc(FIRST_CALLS, sizeof(*traffic->calls));
}

void traffic_free(struct traffic *traffic)
{
	comm_sum_free(&traffic->sum);
	free(traffic->calls);
	*traffic = (struct traffic){0};
}

/* Where the messages of an expanded call go. */
struct expansion {
	struct traffic *traffic;
	const struct traffic_call *call;
};

static void add_message(void *context, bool is_send, int peer, int64_t bytes)
{
	const struct expansion *expansion = context;
	struct traffic *traffic = expansion->traffic;
	double count = (double)expansion->call->count;

	if (is_send)
		comm_sum_add(
			&traffic->sum, traffic->rank,
			trace_comm_rank(traffic->comms, expansion->call->comm, peer, traffic->rank),
			count * (double)bytes, count);
}

static void expand(struct traffic *traffic, const struct traffic_call *call)
{
	struct expansion expansion = {traffic, call};
	struct collective collective = {.op = call->op,
					.nranks = trace_comm_size(traffic->comms, call->comm),
					.bytes = call->bytes};
	int place = trace_comm_place(traffic->comms, call->comm, traffic->rank);

	if (collective_is_rooted(call->op))
		collective.root = trace_comm_place(traffic->comms, call->comm, call->root);
	if (place < 0 || collective.root < 0)
		traffic->nomitted += call->count;
	else
		collective_expand(&collective, traffic->library, place, add_message, &expansion);
}

/* The calls that were counted for the rank so far become messages. */
static void expand_all(struct traffic *traffic)
{
	for (size_t i = 0; traffic->nused > 0 && i < traffic->ncalls; i++)
		if (traffic->calls[i].count > 0) {
			expand(traffic, &traffic->calls[i]);
			traffic->calls[i].count = 0;
			traffic->nused--;
		}
}

static struct traffic_call *find_call(struct traffic *traffic, const struct traffic_call *key)
{
	uint64_t where = u64_mix((uint64_t)key->bytes ^ (uint64_t)key->comm << 40 ^
				 (uint64_t)key->root << 8 ^ (uint64_t)key->op);

	for (;; where++) {
		struct traffic_call *call = &traffic->calls[where & (traffic->ncalls - 1)];

		if (call->count == 0 || (call->bytes == key->bytes && call->op == key->op &&
					 call->comm == key->comm && call->root == key->root))
			return call;
	}
}

static void grow(struct traffic *traffic)
{
	struct traffic_call *old = traffic->calls;
	size_t nold = traffic->ncalls;

	traffic->ncalls *= 2;
	traffic->calls = xcalloc(traffic->ncalls, sizeof(*traffic->calls));
	for (size_t i = 0; i < nold; i++)
		if (old[i].count > 0)
			*find_call(traffic, &old[i]) = old[i];
	free(old);
}

void traffic_collective(struct traffic *traffic, int32_t rank, enum collective_op op, int32_t comm,
			int32_t root, int64_t send, int64_t recv)
{
	int n = trace_comm_size(traffic->comms, comm);
	struct traffic_call key = {1, op, comm, collective_is_rooted(op) ? root : 0, 0}, *call;

	if (traffic->library == NULL || n < 1)
		return;
	if (rank != traffic->rank) {
		expand_all(traffic);
		traffic->rank = rank;
	}
	key.bytes = collective_bytes(op, n, collective_is_rooted(op) && root == rank, send, recv);
	call = find_call(traffic, &key);
	if (call->count > 0) {
		call->count++;
		return;
	}
	if (2 * (traffic->nused + 1) > traffic->ncalls) {
		grow(traffic);
		call = find_call(traffic, &key);
	}
	*call = key;
	traffic->nused++;
}

void traffic_call(struct traffic *traffic, const struct mpi_call *call)
{
	if (call->op == TRACE_SEND || call->op == TRACE_ISEND)
		traffic_message(traffic, call->rank, call->peer, call->bytes);
	else if (call->op == TRACE_COLLECTIVE)
		traffic_collective(traffic, call->rank, call->collective, call->comm, call->root,
				   call->bytes, call->recv_bytes);
}

int traffic_emit(struct traffic *traffic, struct flow *flow, struct err *err)
{
	expand_all(traffic);
	return comm_sum_emit(&traffic->sum, flow, err);
}
