/* messages.c - MPI traces become communication graphs */
#include <stdlib.h>

#include "mpi/collective/collective_messages.h"
#include "convert/filter/filter.h"
#include "base/die.h"
#include "base/str.h"

struct state {
	struct flow *out;
	struct trace_comms comms;
	struct trace_columns columns;
	struct messages messages;
	size_t nmeta, nmeta_out;
};

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));
	const char *library = pick_word(input->pick, "collectives");

	(void)err;
	state->out = input->out;
	messages_init(&state->messages, str_eq(library, "none") ? NULL : library, &state->comms);
	return state;
}

/* The graph's own ##lines: communicators are resolved, and so are left behind. */
static int take_meta(struct state *state, const struct flow *flow, struct err *err)
{
	if (trace_meta_take(&state->comms, flow, &state->nmeta, err) != 0)
		return -1;
	for (; state->nmeta_out < flow->meta.n; state->nmeta_out++)
		if (!str_eq(flow->meta.at[state->nmeta_out].key, "comm"))
			flow_meta(state->out, flow->meta.at[state->nmeta_out].key,
				  flow->meta.at[state->nmeta_out].value);
	return 0;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	trace_columns_find(&state->columns, flow);
	return take_meta(state, flow, err);
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	struct mpi_call call;

	if (state->nmeta < flow->meta.n && take_meta(state, flow, err) != 0)
		return -1;
	if (mpi_call_take(&call, &state->comms, &state->columns, flow, err) != 0)
		return -1;
	if (call.op == TRACE_COLLECTIVE && state->messages.library != NULL && call.comm < 0 &&
	    state->comms.nranks == 0)
		return flow_error(flow, err,
				  "a collective of all ranks, and no line ##ranks=N "
				  "before it says how many those are");
	messages_call(&state->messages, &call);
	return 0;
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)whole;
	if (take_meta(state, flow, err) != 0 || messages_emit(&state->messages, state->out, err))
		return -1;
	if (state->messages.nomitted > 0)
		warn("%lld calls of collectives were left out: those of inter-communicators, and "
		     "without a root that they need",
		     (long long)state->messages.nomitted);
	return 0;
}

static void stop(void *context)
{
	struct state *state = context;

	messages_free(&state->messages);
	trace_comms_free(&state->comms);
	free(state);
}

static const struct param params[] = {
	{.key = "collectives",
	 .type = PARAM_WORD,
	 .def = "mpich",
	 .choices = COLLECTIVE_LIBRARIES "|none",
	 .meaning = "whose algorithms turn collectives into messages, or leave them out"},
	{0}};
static const struct table_kind *const takes[] = {&kind_mpitrace, NULL};

const struct filter filter_messages = {
	.entry = {.name = "messages",
		  .example = "messages:collectives=tracer",
		  .summary = "MPI traces become communication graphs: bytes "
			     "and messages of each pair of ranks",
		  .params = params},
	.takes = takes,
	.makes = &kind_comm,
	.is_bridge = true,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
