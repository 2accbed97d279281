/* chrome_trace.c - a timeline of devices as JSON for chrome://tracing and Perfetto */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "base/names.h"
#include "convert/writer/writer.h"

/*
 * The JSON object format of the Trace Event format: complete events (ph X) with times in
 * microseconds. A run and policy (and node) is a process, a device is one of its threads.
 */
struct state {
	struct out *out;
	int run, policy, node, device, job, start, end, what;
	struct map processes, threads;
	int64_t nprocesses, nthreads;
	bool is_begun;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	state->run = flow_find(flow, "run");
	state->policy = flow_find(flow, "policy");
	state->node = flow_find(flow, "node");
	state->device = flow_find(flow, "device");
	state->job = flow_find(flow, "job");
	state->start = flow_find(flow, "start_s");
	state->end = flow_find(flow, "end_s");
	state->what = flow_find(flow, "state");
	out_str(state->out, "{\"traceEvents\":[");
	return 0;
}

static void put_row(struct state *state)
{
	out_str(state->out, state->is_begun ? ",\n" : "\n");
	state->is_begun = true;
}

/* Whole nanoseconds as decimal microseconds. */
static void put_us(struct out *out, const char *key, int64_t ns)
{
	uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	out_printf(out, ",\"%s\":%s%" PRIu64 ".%03" PRIu64, key, ns < 0 ? "-" : "", size / 1000,
		   size % 1000);
}

/* The number of a name, which is declared when it is new. */
static int64_t number_of(struct state *state, struct map *map, int64_t *n, const char *key,
			 const char *kind, int64_t process, const char *name)
{
	int64_t number = map_add(map, key, strlen(key), *n);

	if (number == *n) {
		(*n)++;
		put_row(state);
		out_printf(state->out, "{\"ph\":\"M\",\"name\":\"%s_name\",\"pid\":%" PRId64, kind,
			   process < 0 ? number : process);
		if (process >= 0)
			out_printf(state->out, ",\"tid\":%" PRId64, number);
		out_str(state->out, ",\"args\":{\"name\":");
		out_foreign(state->out, foreign_json, name);
		out_str(state->out, "}}");
	}
	return number;
}

static const char *text_or(const char *text, const char *otherwise)
{
	return text != NULL ? text : otherwise;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	char texts[6][NUM_TEXT], *key;
	const char *run = flow_get_text(flow, state->run, texts[0]);
	const char *policy = flow_get_text(flow, state->policy, texts[1]);
	const char *node = flow_get_text(flow, state->node, texts[2]);
	const char *device = flow_get_text(flow, state->device, texts[3]);
	const char *job = flow_get_text(flow, state->job, texts[4]);
	const char *what = flow_get_text(flow, state->what, texts[5]);
	int64_t start_ns, end_ns, process, thread;

	if (flow_get_seconds(flow, state->start, &start_ns, err) < 0 ||
	    flow_get_seconds(flow, state->end, &end_ns, err) < 0)
		return -1;
	if (device == NULL || job == NULL || what == NULL || end_ns < start_ns)
		return flow_error(
			flow, err,
			"expected job, device, state, and an end_s that is not before start_s");
	key = xasprintf("%s%s%s%s%s", text_or(policy, ""), run != NULL ? " run " : "",
			text_or(run, ""), node != NULL ? " " : "", text_or(node, ""));
	process = number_of(state, &state->processes, &state->nprocesses, key, "process", -1, key);
	free(key);
	key = xasprintf("%" PRId64 "\t%s", process, device);
	thread =
		number_of(state, &state->threads, &state->nthreads, key, "thread", process, device);
	free(key);
	put_row(state);
	out_str(state->out, "{\"ph\":\"X\",\"name\":");
	out_foreign(state->out, foreign_json, job);
	out_str(state->out, ",\"cat\":");
	out_foreign(state->out, foreign_json, what);
	out_printf(state->out, ",\"pid\":%" PRId64 ",\"tid\":%" PRId64, process, thread);
	put_us(state->out, "ts", start_ns);
	put_us(state->out, "dur", end_ns - start_ns);
	out_str(state->out, ",\"args\":{\"state\":");
	out_foreign(state->out, foreign_json, what);
	out_str(state->out, "}}");
	return 0;
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)flow, (void)err;
	if (whole)
		out_str(state->out, "\n],\"displayTimeUnit\":\"ms\"}\n");
	return 0;
}

static void stop(void *context)
{
	struct state *state = context;

	map_free(&state->processes);
	map_free(&state->threads);
	free(state);
}

static const struct table_kind *const takes[] = {&kind_timeline, NULL};

const struct writer writer_chrome_trace = {
	.entry = {.name = "chrome-trace",
		  .example = "chrome-trace",
		  .summary = "a timeline of devices as JSON for chrome://tracing and Perfetto"},
	.takes = takes,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
