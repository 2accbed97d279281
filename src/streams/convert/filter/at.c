/* at.c - jobs become the states of nodes as they stood at a time */
#include <stdlib.h>
#include <string.h>

#include "convert/filter/filter.h"
#include "base/names.h"
#include "base/str.h"
#include "base/time.h"
#include "model/topo_hosts.h"

/* A node, and the jobs that have it at the time, joined by commas ("": it is idle). */
struct node_state {
	const char *name, *run, *jobs;
};

struct state {
	struct flow *out;
	int64_t at_ns;
	const char *known; /* host list or file of nodes that are there in any case; NULL: none */
	int job, run, start, end, nodelist;        /* columns of the input */
	int out_node, out_run, out_state, out_job; /* of the output */
	VEC(struct node_state) nodes;              /* in order of appearance */
	struct map index, runs; /* "run\tnode" → number in nodes; the runs seen */
	struct buf key;
	struct arena arena;
	const char *now_run, *now_job; /* of the row whose nodelist is walked; now_job NULL: it
					  does not run */
};

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state;
	int64_t ns;

	if (time_read(pick_word(input->pick, "time"), &ns, err) != 0)
		return NULL;
	state = xcalloc(1, sizeof(*state));
	state->out = input->out;
	state->at_ns = ns;
	state->known = pick_word(input->pick, "nodes");
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	size_t ndone = 0;

	(void)err;
	state->job = flow_find(flow, "job");
	state->run = flow_find(flow, "run");
	state->start = flow_find(flow, "start_s");
	state->end = flow_find(flow, "end_s");
	state->nodelist = flow_find(flow, "nodelist");
	state->out_node = flow_column(state->out, "node");
	if (state->run >= 0)
		state->out_run = flow_column(state->out, "run");
	state->out_state = flow_column(state->out, "state");
	state->out_job = flow_column(state->out, "job");
	flow_meta_of(state->out, flow, &ndone);
	return 0;
}

static int add_node(void *context, const char *name, size_t n, struct err *err)
{
	struct state *state = context;
	struct node_state *node;
	int64_t at;

	(void)err;
	buf_clear(&state->key);
	buf_printf(&state->key, "%s\t%s", state->now_run, name);
	at = map_add(&state->index, state->key.text, state->key.n, (int64_t)state->nodes.n);
	if (at == (int64_t)state->nodes.n)
		vec_push(&state->nodes,
			 (struct node_state){arena_strndup(&state->arena, name, n),
					     arena_strndup(&state->arena, state->now_run,
							   strlen(state->now_run)),
					     ""});
	if (state->now_job == NULL)
		return 0;
	node = &state->nodes.at[at];
	buf_clear(&state->key);
	buf_printf(&state->key, "%s%s%s", node->jobs, *node->jobs != '\0' ? "," : "",
		   state->now_job);
	node->jobs = arena_strndup(&state->arena, state->key.text, state->key.n);
	return 0;
}

/* A job runs from its start until just before its end; one without an end has not ended. */
static int runs_at(const struct state *state, const struct flow *flow, bool *runs, struct err *err)
{
	int64_t start_ns, end_ns;
	int has_start = flow_get_seconds(flow, state->start, &start_ns, err);
	int has_end = has_start >= 0 ? flow_get_seconds(flow, state->end, &end_ns, err) : -1;

	if (has_end < 0)
		return -1;
	*runs = has_start == 1 && start_ns <= state->at_ns &&
		(has_end == 0 || state->at_ns < end_ns);
	return 0;
}

/* Every run begins with the nodes that are there in any case. */
static int begin_run(struct state *state, struct err *err)
{
	size_t n = strlen(state->now_run);

	if (map_get(&state->runs, state->now_run, n) != -1)
		return 0;
	map_add(&state->runs, state->now_run, n, 1);
	state->now_job = NULL;
	if (state->known != NULL && hosts_walk(state->known, add_node, state, err) != 0)
		return err_prefix(err, "at: nodes: ");
	return 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	char job[NUM_TEXT], run[NUM_TEXT], list[NUM_TEXT];
	const char *nodelist = flow_get_text(flow, state->nodelist, list);
	struct err why;
	bool runs;

	if (nodelist == NULL)
		return 0;
	if (runs_at(state, flow, &runs, err) != 0)
		return -1;
	state->now_run = flow_get_text(flow, state->run, run);
	if (state->now_run == NULL)
		state->now_run = "";
	if (begin_run(state, err) != 0)
		return -1;
	state->now_job = runs ? flow_get_text(flow, state->job, job) : NULL;
	if (hostlist_walk(nodelist, add_node, state, &why) != 0)
		return flow_error(flow, err, "nodelist: %s", why.msg);
	return 0;
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)flow;
	(void)whole;
	state->now_run = "";
	if (state->nodes.n == 0 && begin_run(state, err) != 0)
		return -1;
	for (size_t i = 0; i < state->nodes.n; i++) {
		const struct node_state *node = &state->nodes.at[i];

		flow_text(state->out, state->out_node, node->name);
		if (state->run >= 0)
			flow_text(state->out, state->out_run, node->run);
		flow_text(state->out, state->out_state, *node->jobs ? "allocated" : "idle");
		flow_text(state->out, state->out_job, node->jobs);
		if (flow_emit(state->out, err) != 0)
			return -1;
	}
	return 0;
}

static void stop(void *context)
{
	struct state *state = context;

	free(state->nodes.at);
	map_free(&state->index);
	map_free(&state->runs);
	buf_free(&state->key);
	arena_free(&state->arena);
	free(state);
}

static const struct param params[] = {
	{.key = "time",
	 .type = PARAM_TEXT,
	 .meaning = "seconds since the epoch, or ISO 8601 with its zone"},
	{.key = "nodes",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "host list or host file of the machine's nodes; nodes without a job are idle"},
	{0}};
static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct filter filter_at = {
	.entry = {.name = "at",
		  .example = "at:time=1545400200",
		  .summary = "jobs become the states of their nodes at a given time",
		  .params = params},
	.takes = takes,
	.makes = &kind_nodes,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
