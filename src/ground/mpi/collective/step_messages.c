/* step_messages.c - the messages of a step, added up by peer */
#include "mpi/collective/nccl.h"

void step_add(struct step_messages *messages, bool is_send, int index, int64_t bytes)
{
	int peer = place_rank(messages->call, index);
	int i = 0;

	while (i < messages->n &&
	       (messages->at[i].peer != peer || messages->at[i].is_send != is_send))
		i++;
	if (i == messages->n) {
		messages->n++;
		messages->at[i].peer = peer;
		messages->at[i].is_send = is_send;
		messages->at[i].bytes = 0;
	}
	messages->at[i].bytes += bytes;
}

void step_emit(const struct step_messages *messages, bool is_send, collective_message_fn *message,
	       void *context)
{
	for (int i = 0; i < messages->n; i++)
		if (messages->at[i].is_send == is_send)
			message(context, is_send, messages->at[i].peer,
				nccl_wire_bytes(messages->call, messages->at[i].bytes));
}
