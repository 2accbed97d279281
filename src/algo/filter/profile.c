/* profile.c - jobs that say how long they were in MPI become profiles */
#include <stdlib.h>

#include "algo/filter/filter.h"
#include "base/die.h"
#include "model/profile.h"

struct state {
	struct flow *out;
	struct profile_columns columns;
	int app, binary, nodes, ranks, mpi, comm_time, runtime; /* of the input */
	int64_t nleft_out;
};

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	size_t ndone = 0;

	(void)err;
	state->app = flow_find(flow, "app");
	state->binary = flow_find(flow, "binary");
	state->nodes = flow_find(flow, "nodes");
	state->ranks = flow_find(flow, "ranks_per_node");
	state->mpi = flow_find(flow, "mpi_s");
	state->comm_time = flow_find(flow, "comm_time_s");
	state->runtime = flow_find(flow, "runtime_s");
	state->out->source = flow;
	profile_columns(&state->columns, state->out);
	flow_meta_of(state->out, flow, &ndone);
	return 0;
}

/* The time that the job ran: the simulator's comm_time_s (from its start to its last rank's
 * finish), else runtime_s. 1; 0: neither is there; -1. */
static int running_time(const struct state *state, const struct flow *flow, double *seconds,
			struct err *err)
{
	int has = flow_get_real(flow, state->comm_time, 0, 1e15, seconds, err);

	return has != 0 ? has : flow_get_real(flow, state->runtime, 0, 1e15, seconds, err);
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	char app[NUM_TEXT], binary[NUM_TEXT];
	struct profile profile;
	int64_t ranks_of_a_node = 1;
	int has_time, has_mpi;

	profile_init(&profile);
	profile.app = flow_get_text(flow, state->app, app);
	profile.binary = flow_get_text(flow, state->binary, binary);
	has_time = running_time(state, flow, &profile.runtime_s, err);
	has_mpi = flow_get_real(flow, state->mpi, 0, 1e15, &profile.mpi_s, err);
	if (has_time < 0 || has_mpi < 0 ||
	    flow_get_int(flow, state->nodes, 1, INT32_MAX, &profile.nodes, err) < 0 ||
	    flow_get_int(flow, state->ranks, 1, INT32_MAX, &ranks_of_a_node, err) < 0)
		return -1;
	if (profile.app == NULL || has_time == 0 || has_mpi == 0 || profile.runtime_s <= 0) {
		state->nleft_out++;
		return 0;
	}
	profile.ranks = profile.nodes * ranks_of_a_node;
	profile.mpi_fraction = profile.mpi_s / profile.runtime_s;
	return profile_emit(&profile, &state->columns, state->out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	const struct state *state = context;

	(void)flow;
	(void)whole;
	(void)err;
	if (state->nleft_out > 0)
		warn("%lld jobs without app, mpi_s and a running time were left out",
		     (long long)state->nleft_out);
	return 0;
}

static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct filter filter_profile = {
	.entry = {.name = "profile",
		  .example = "profile",
		  .summary = "jobs that say how long they were in MPI (netsim's) become profiles"},
	.takes = takes,
	.makes = &kind_profile,
	.is_bridge = true,
	.start = start,
	.taker = {begin, row, end},
	.stop = free,
};
