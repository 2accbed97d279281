/* collective_messages.c - the messages of point-to-point calls and of expanded collectives, added
 * up */
#include "mpi/collective/collective_messages.h"

#include <stdlib.h>

#include "base/str.h"

/* Equal calls of the rank. */
struct counted_call {
	int64_t count; /* 0: a free slot */
	enum collective_op op;
	int32_t comm, root;
	int64_t bytes;
};

enum { FIRST_CALLS = 64 };

void messages_init(struct messages *messages, const char *library, const struct trace_comms *comms)
{
	*messages = (struct messages){.library = library, .comms = comms, .rank = -1};
	messages->ncalls = FIRST_CALLS;
	messages->calls = xcalloc(FIRST_CALLS, sizeof(*messages->calls));
}

void messages_free(struct messages *messages)
{
	comm_sum_free(&messages->sum);
	free(messages->calls);
	*messages = (struct messages){0};
}

/* Where the messages of an expanded call go. */
struct expansion {
	struct messages *messages;
	const struct counted_call *call;
};

static void add_message(void *context, bool is_send, int peer, int64_t bytes)
{
	const struct expansion *expansion = context;
	struct messages *messages = expansion->messages;
	double count = (double)expansion->call->count;

	if (is_send)
		comm_sum_add(&messages->sum, messages->rank,
			     trace_comm_rank(messages->comms, expansion->call->comm, peer,
					     messages->rank),
			     count * (double)bytes, count);
}

static void expand(struct messages *messages, const struct counted_call *call)
{
	struct expansion expansion = {messages, call};
	struct collective collective = {.op = call->op,
					.nranks = trace_comm_size(messages->comms, call->comm),
					.bytes = call->bytes};
	int place = trace_comm_place(messages->comms, call->comm, messages->rank);

	if (collective_is_rooted(call->op))
		collective.root = trace_comm_place(messages->comms, call->comm, call->root);
	if (place < 0 || collective.root < 0)
		messages->nomitted += call->count;
	else
		collective_expand(&collective, messages->library, place, add_message, &expansion);
}

/* The calls that were counted for the rank so far become messages. */
static void expand_all(struct messages *messages)
{
	for (size_t i = 0; messages->nused > 0 && i < messages->ncalls; i++)
		if (messages->calls[i].count > 0) {
			expand(messages, &messages->calls[i]);
			messages->calls[i].count = 0;
			messages->nused--;
		}
}

static struct counted_call *find_call(struct messages *messages, const struct counted_call *key)
{
	uint64_t where = u64_mix((uint64_t)key->bytes ^ (uint64_t)key->comm << 40 ^
				 (uint64_t)key->root << 8 ^ (uint64_t)key->op);

	for (;; where++) {
		struct counted_call *call = &messages->calls[where & (messages->ncalls - 1)];

		if (call->count == 0 || (call->bytes == key->bytes && call->op == key->op &&
					 call->comm == key->comm && call->root == key->root))
			return call;
	}
}

static void grow(struct messages *messages)
{
	struct counted_call *old = messages->calls;
	size_t nold = messages->ncalls;

	messages->ncalls *= 2;
	messages->calls = xcalloc(messages->ncalls, sizeof(*messages->calls));
	for (size_t i = 0; i < nold; i++)
		if (old[i].count > 0)
			*find_call(messages, &old[i]) = old[i];
	free(old);
}

void messages_collective(struct messages *messages, int32_t rank, enum collective_op op,
			 int32_t comm, int32_t root, int64_t send, int64_t recv)
{
	int n = trace_comm_size(messages->comms, comm);
	struct counted_call key = {1, op, comm, collective_is_rooted(op) ? root : 0, 0}, *call;

	if (messages->library == NULL || n < 1)
		return;
	if (rank != messages->rank) {
		expand_all(messages);
		messages->rank = rank;
	}
	key.bytes = collective_bytes(op, n, collective_is_rooted(op) && root == rank, send, recv);
	call = find_call(messages, &key);
	if (call->count > 0) {
		call->count++;
		return;
	}
	if (2 * (messages->nused + 1) > messages->ncalls) {
		grow(messages);
		call = find_call(messages, &key);
	}
	*call = key;
	messages->nused++;
}

void messages_call(struct messages *messages, const struct mpi_call *call)
{
	switch (call->op) {
	case TRACE_SEND:
	case TRACE_ISEND:
	case TRACE_PUT:
		messages_add(messages, call->rank, call->peer, call->bytes);
		break;
	case TRACE_GET:
		messages_add(messages, call->peer, call->rank, call->recv_bytes);
		break;
	case TRACE_COLLECTIVE:
		messages_collective(messages, call->rank, call->collective, call->comm, call->root,
				    call->bytes, call->recv_bytes);
		break;
	default:
		break;
	}
}

int messages_emit(struct messages *messages, struct flow *flow, struct err *err)
{
	expand_all(messages);
	return comm_sum_emit(&messages->sum, flow, err);
}
