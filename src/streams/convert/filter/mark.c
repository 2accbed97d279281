/* mark.c - MPI traces whose buffers are where the user says: what-if of GPU buffers */
#include <stdlib.h>

#include "convert/filter/filter.h"
#include "base/str.h"
#include "model/mpitrace.h"

struct state {
	struct flow *out;
	struct trace_comms comms;
	struct trace_columns in, columns;
	enum buffer_location location;
	bool marks_send, marks_recv, only_unknown;
	int64_t least_bytes;
	bool *has_changed;
	size_t nmeta, nmeta_out;
};

static void *start(const struct filter_input *input, struct err *err)
{
	const struct pick *pick = input->pick;
	struct state *state;

	if (pick_bool(pick, "gpu") == pick_bool(pick, "host")) {
		err_set(err, "mark: expected either gpu or host, as in mark:gpu");
		return NULL;
	}
	state = xcalloc(1, sizeof(*state));
	state->out = input->out;
	state->has_changed = input->has_changed;
	state->location = pick_bool(pick, "gpu") ? LOCATION_GPU : LOCATION_HOST;
	state->marks_send = !pick_is(pick, "side", "recv");
	state->marks_recv = !pick_is(pick, "side", "send");
	state->only_unknown = pick_is(pick, "which", "unknown");
	state->least_bytes = (int64_t)pick_real(pick, "least");
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	trace_columns_find(&state->in, flow);
	flow_like(state->out, flow);
	state->nmeta_out = flow->meta.n;
	state->columns = state->in;
	if (flow->columns.n > 0) { /* a table without columns and rows stays one */
		state->columns.send_location = flow_column(state->out, "send_location");
		state->columns.recv_location = flow_column(state->out, "recv_location");
	}
	return trace_meta_take(&state->comms, flow, &state->nmeta, err);
}

static bool is_marked(const struct state *state, enum buffer_location old, int64_t bytes)
{
	return bytes >= 0 && bytes >= state->least_bytes &&
	       (old == LOCATION_UNKNOWN || !state->only_unknown);
}

/* Writes the location of a buffer where it is to be marked. */
static void mark(struct state *state, int column, enum buffer_location old, int64_t bytes)
{
	if (!is_marked(state, old, bytes))
		return;
	*state->has_changed |= old != state->location;
	flow_text(state->out, column, state->location == LOCATION_GPU ? "gpu" : "host");
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	struct flow *out = state->out;
	struct mpi_call call;

	flow_meta_of(out, flow, &state->nmeta_out);
	if (trace_meta_take(&state->comms, flow, &state->nmeta, err) != 0 ||
	    mpi_call_take(&call, &state->comms, &state->in, flow, err) != 0)
		return -1;
	for (size_t i = 0; i < flow->columns.n; i++)
		out->cells.at[i] = flow->cells.at[i];
	if (state->marks_send)
		mark(state, state->columns.send_location, call.send_location, call.bytes);
	if (state->marks_recv)
		mark(state, state->columns.recv_location, call.recv_location, call.recv_bytes);
	return flow_emit(out, err);
}

static void stop(void *context)
{
	struct state *state = context;

	trace_comms_free(&state->comms);
	free(state);
}

static const struct param params[] = {
	{.key = "gpu", .type = PARAM_BOOL, .def = "no", .meaning = "buffers are on the GPU"},
	{.key = "host",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "buffers are in the host's memory"},
	{.key = "side",
	 .type = PARAM_WORD,
	 .def = "both",
	 .choices = "both|send|recv",
	 .meaning = "which buffers of a call"},
	{.key = "least",
	 .type = PARAM_BYTES,
	 .def = "0",
	 .meaning = "only buffers of at least this size"},
	{.key = "which",
	 .type = PARAM_WORD,
	 .def = "all",
	 .choices = "all|unknown",
	 .meaning = "all buffers, or only those whose location the trace does not specify"},
	{0}};
static const struct table_kind *const takes[] = {&kind_mpitrace, NULL};

const struct filter filter_mark = {
	.entry = {.name = "mark",
		  .example = "mark:gpu",
		  .summary = "mark buffers of MPI calls as being on the GPU or in host "
			     "memory",
		  .paper = "Khetawat 2022, ch. 3 (MPI_SRC_BUF_LOCATION, MPI_DST_BUF_LOCATION)",
		  .params = params},
	.takes = takes,
	.no_effect = "every buffer concerned is there already, or there is none",
	.start = start,
	.taker = {begin, row, NULL},
	.stop = stop,
};
