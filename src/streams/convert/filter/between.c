/* between.c - jobs that had their nodes, or waited, some time between two times */
#include <stdlib.h>

#include "convert/filter/filter.h"
#include "base/str.h"
#include "base/time.h"

struct state {
	struct flow *out;
	int64_t from_ns, to_ns;
	int submit, start, end; /* columns of the input */
	bool *has_changed;
	size_t nmeta;
};

/* A time of the pick; otherwise where it is not given. */
static int read_time(const struct pick *pick, const char *key, int64_t otherwise, int64_t *ns,
		     struct err *err)
{
	const char *text = pick_word(pick, key);

	*ns = otherwise;
	return text == NULL || time_read(text, ns, err) == 0
		       ? 0
		       : err_prefix(err, "between: %s: ", key);
}

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	state->out = input->out;
	state->has_changed = input->has_changed;
	if (read_time(input->pick, "from", INT64_MIN, &state->from_ns, err) == 0 &&
	    read_time(input->pick, "to", INT64_MAX, &state->to_ns, err) == 0) {
		if (state->from_ns < state->to_ns)
			return state;
		err_set(err, "between: to is before from");
	}
	free(state);
	return NULL;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	flow_like(state->out, flow);
	state->submit = flow_find(flow, "submit_s");
	state->start = flow_find(flow, "start_s");
	state->end = flow_find(flow, "end_s");
	return 0;
}

/* From the submission, else the start, until the end; one without an end has not ended. */
static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	int64_t submit_ns, start_ns, end_ns;
	int has_submit = flow_get_seconds(flow, state->submit, &submit_ns, err);
	int has_start = flow_get_seconds(flow, state->start, &start_ns, err);
	int has_end = flow_get_seconds(flow, state->end, &end_ns, err);

	if (has_submit < 0 || has_start < 0 || has_end < 0)
		return -1;
	if (has_submit == 0)
		submit_ns = has_start == 1 ? start_ns : INT64_MIN;
	if ((has_end == 1 && end_ns <= state->from_ns) || submit_ns >= state->to_ns) {
		*state->has_changed = true;
		return 0;
	}
	flow_meta_of(state->out, flow, &state->nmeta);
	for (size_t i = 0; i < flow->columns.n; i++)
		state->out->cells.at[i] = flow->cells.at[i];
	return flow_emit(state->out, err);
}

static void stop(void *context)
{
	free(context);
}

static const struct param params[] = {
	{.key = "from",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "seconds since the epoch, or ISO 8601 with its zone; else the beginning"},
	{.key = "to", .type = PARAM_TEXT, .optional = true, .meaning = "likewise; else the end"},
	{0}};
static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct filter filter_between = {
	.entry = {.name = "between",
		  .example = "between:from=1545400200,to=1545486600",
		  .summary = "jobs that waited or ran some time between two times",
		  .params = params},
	.takes = takes,
	.no_effect = "every job is of that time",
	.start = start,
	.taker = {begin, row, NULL},
	.stop = stop,
};
