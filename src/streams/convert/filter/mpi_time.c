/* mpi_time.c - MPI traces become profiles */
#include "model/mpi_time.h"

#include <stdlib.h>
#include <string.h>

#include "convert/filter/filter.h"
#include "base/str.h"
#include "model/mpitrace.h"

struct state {
	struct flow *out;
	struct trace_comms comms;
	struct trace_columns columns;
	struct mpi_time time;
	int32_t rank; /* whose rows come; -1: none yet */
	int64_t nranks;
	char *app; /* NULL: not known */
	size_t nmeta;
};

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	state->rank = -1;
	state->time.counts_gaps = pick_bool(input->pick, "gaps");
	if (pick_has(input->pick, "app"))
		state->app = xstrdup(pick_word(input->pick, "app"));
	return state;
}

static int take_meta(struct state *state, const struct flow *flow, struct err *err)
{
	for (size_t i = state->nmeta; i < flow->meta.n && state->app == NULL; i++)
		if (str_eq(flow->meta.at[i].key, "app"))
			state->app = xstrdup(flow->meta.at[i].value);
	return trace_meta_take(&state->comms, flow, &state->nmeta, err);
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	trace_columns_find(&state->columns, flow);
	return take_meta(state, flow, err);
}

static void count(struct mpi_time *time, const struct mpi_call *call)
{
	const char *function = call->region != NULL ? call->region : trace_function(call);
	int64_t end = call->end_ns >= call->start_ns ? call->end_ns : call->start_ns;

	switch (call->op) {
	case TRACE_INIT:
		mpi_time_init(time, call->start_ns, end);
		break;
	case TRACE_FINALIZE:
		mpi_time_finalize(time, call->start_ns);
		break;
	case TRACE_ENTER:
	case TRACE_LEAVE:
		mpi_time_see(time, call->start_ns);
		break;
	case TRACE_OFF:
		mpi_time_off(time, call->start_ns, end);
		break;
	default:
		mpi_time_call(time, mpi_group(function), call->start_ns, end);
		break;
	}
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	struct mpi_call call;

	if (state->nmeta < flow->meta.n && take_meta(state, flow, err) != 0)
		return -1;
	if (mpi_call_take(&call, &state->comms, &state->columns, flow, err) != 0)
		return -1;
	if (call.rank != state->rank) {
		if (call.rank < state->rank)
			return flow_error(flow, err,
					  "rank %d after rank %d: expected rows rank by rank",
					  call.rank, state->rank);
		mpi_time_next_rank(&state->time);
		state->rank = call.rank;
		state->nranks++;
	}
	count(&state->time, &call);
	return 0;
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;
	struct profile_columns columns;
	struct profile profile;

	(void)whole;
	profile_columns(&columns, state->out);
	if (take_meta(state, flow, err) != 0)
		return -1;
	mpi_time_next_rank(&state->time);
	profile_init(&profile);
	profile.app = profile.binary = state->app != NULL ? state->app : "unknown";
	if (mpi_time_profile(&state->time, 1e9,
			     state->comms.nranks > 0 ? state->comms.nranks : state->nranks,
			     &profile, err) != 0)
		return -1;
	return profile_emit(&profile, &columns, state->out, err);
}

static void stop(void *context)
{
	struct state *state = context;

	trace_comms_free(&state->comms);
	free(state->app);
	free(state);
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "name of the application; default: that of the trace, or unknown"},
	{.key = "gaps",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "time in which measurement was off counts as execution time"},
	{0}};
static const struct table_kind *const takes[] = {&kind_mpitrace, NULL};

const struct filter filter_mpi_time = {
	.entry = {.name = "mpi-time",
		  .example = "mpi-time:app=lammps",
		  .summary = "MPI traces become profiles: time in MPI from the end of MPI_Init to "
			     "the start of MPI_Finalize",
		  .paper = "Zhang et al., NeDD, Table I",
		  .params = params},
	.takes = takes,
	.makes = &kind_profile,
	.is_bridge = true,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
