/* swf.c - jobs as a log in the Standard Workload Format */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/writer/writer.h"
#include "base/foreign.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"

/* The format has numbers where we have names: each kind of name gets its own, which a comment line
 * gives before the first row that has it, "; Queue: 3 batch". A name that is a number keeps it, if
 * it is free. */
enum named { JOB, USER, GROUP, APP, QUEUE, PARTITION, NNAMED };
static const struct {
	const char *column, *label;
} named[NNAMED] = {
	[JOB] = {"job", "Job"},       [USER] = {"user", "User"},
	[GROUP] = {"group", "Group"}, [APP] = {"app", "App"},
	[QUEUE] = {"queue", "Queue"}, [PARTITION] = {"partition", "Partition"},
};

struct numbers {
	struct map of_name; /* name → number */
	struct map taken;   /* number as text → 1 */
	int64_t next;       /* the least that may be free */
};

struct state {
	struct out *out;
	struct numbers numbers[NNAMED];
	int name[NNAMED]; /* columns */
	int submit, start, end, runtime, walltime, nodes, ranks, status, processors, requested,
		cpu_time, memory, requested_memory, after, think;
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
	for (int i = 0; i < NNAMED; i++) {
		state->name[i] = flow_find(flow, named[i].column);
		state->numbers[i].next = 1;
	}
	state->submit = flow_find(flow, "submit_s");
	state->start = flow_find(flow, "start_s");
	state->end = flow_find(flow, "end_s");
	state->runtime = flow_find(flow, "runtime_s");
	state->walltime = flow_find(flow, "walltime_s");
	state->nodes = flow_find(flow, "nodes");
	state->ranks = flow_find(flow, "ranks_per_node");
	state->status = flow_find(flow, "state");
	state->processors = flow_find(flow, "processors");
	state->requested = flow_find(flow, "requested_processors");
	state->cpu_time = flow_find(flow, "cpu_time_s");
	state->memory = flow_find(flow, "memory_bytes");
	state->requested_memory = flow_find(flow, "requested_memory_bytes");
	state->after = flow_find(flow, "depends");
	state->think = flow_find(flow, "depends_delay_s");
	out_str(state->out, "; Version: 2.2\n");
	return 0;
}

/* ---- numbers for names ---- */

static void take(struct numbers *numbers, int64_t number)
{
	char text[NUM_TEXT];

	map_set(&numbers->taken, text, num_print_int(text, number), 1);
}

static bool is_taken(const struct numbers *numbers, int64_t number)
{
	char text[NUM_TEXT];

	return map_get(&numbers->taken, text, num_print_int(text, number)) != -1;
}

/* A number as we would write it again: no sign, no leading zeros. */
static bool is_plain_number(const char *name, int64_t *number)
{
	return num_int(name, 0, INT32_MAX, number) == 0 && (name[0] != '0' || name[1] == '\0') &&
	       name[0] != '-';
}

/* The name's number; a comment line defines a new one that is not a number itself. */
static int64_t number_of(struct state *state, enum named kind, const char *name)
{
	struct numbers *numbers = &state->numbers[kind];
	int64_t number = map_get(&numbers->of_name, name, strlen(name));

	if (number >= 0)
		return number;
	if (!is_plain_number(name, &number) || is_taken(numbers, number)) {
		while (is_taken(numbers, numbers->next))
			numbers->next++;
		number = numbers->next;
		out_printf(state->out, "; %s: %lld ", named[kind].label, (long long)number);
		out_foreign(state->out, foreign_text, name);
		out_char(state->out, '\n');
	}
	take(numbers, number);
	map_set(&numbers->of_name, name, strlen(name), number);
	return number;
}

/* ---- fields ---- */

/* One row as it is collected: numbers as text, "-1" where unknown. */
enum { NFIELDS = 18 };
struct fields {
	char text[NFIELDS][NUM_TEXT];
};

/* 1; 0: missing; -1. field counts from 1, as the format's description does. */
static int put_seconds(struct fields *fields, int field, const struct flow *flow, int column,
		       int64_t *ns, struct err *err)
{
	int has = flow_get_seconds(flow, column, ns, err);

	if (has == 1)
		num_print_seconds(fields->text[field - 1], *ns);
	return has;
}

static int put_times(const struct state *state, struct fields *fields, const struct flow *flow,
		     struct err *err)
{
	int64_t submit_ns, start_ns, end_ns, ns;
	int has_submit = put_seconds(fields, 2, flow, state->submit, &submit_ns, err);
	int has_start = has_submit < 0 ? -1 : flow_get_seconds(flow, state->start, &start_ns, err);
	int has_end = has_start < 0 ? -1 : flow_get_seconds(flow, state->end, &end_ns, err);
	int has_runtime = has_end < 0 ? -1 : put_seconds(fields, 4, flow, state->runtime, &ns, err);

	if (has_runtime < 0 || put_seconds(fields, 6, flow, state->cpu_time, &ns, err) < 0 ||
	    put_seconds(fields, 9, flow, state->walltime, &ns, err) < 0 ||
	    put_seconds(fields, 18, flow, state->think, &ns, err) < 0)
		return -1;
	if (has_submit && has_start && start_ns < submit_ns)
		return flow_error(flow, err, "the job starts before it was submitted");
	if (has_start && has_end && end_ns < start_ns)
		return flow_error(flow, err, "the job ends before it starts");
	if (has_submit && has_start)
		num_print_seconds(fields->text[2], start_ns - submit_ns);
	if (!has_runtime && has_start && has_end)
		num_print_seconds(fields->text[3], end_ns - start_ns);
	return 0;
}

static int put_count(struct fields *fields, int field, const struct flow *flow, int column,
		     struct err *err)
{
	int64_t count;
	int has = flow_get_int(flow, column, 0, INT32_MAX, &count, err);

	if (has == 1)
		num_print_int(fields->text[field - 1], count);
	return has;
}

/* Processors: those of the columns that the reader of this format makes with all=yes, else nodes
 * times ranks of a node; a job that never ran has requested them only. */
static int put_sizes(const struct state *state, struct fields *fields, const struct flow *flow,
		     struct err *err)
{
	int64_t nodes, ranks = 1;
	int has_processors = put_count(fields, 5, flow, state->processors, err);
	int has_requested =
		has_processors < 0 ? -1 : put_count(fields, 8, flow, state->requested, err);

	if (has_requested < 0 || flow_get_int(flow, state->nodes, 1, INT32_MAX, &nodes, err) < 0 ||
	    flow_get_int(flow, state->ranks, 1, INT32_MAX, &ranks, err) < 0)
		return -1;
	if (has_processors || has_requested)
		return 0;
	num_print_int(fields->text[7], nodes * ranks);
	if (!str_eq(fields->text[3], "-1") || !str_eq(fields->text[2], "-1"))
		num_print_int(fields->text[4], nodes * ranks);
	return 0;
}

/* Bytes as kilobytes of 1024. */
static int put_memory(struct fields *fields, int field, const struct flow *flow, int column,
		      struct err *err)
{
	double bytes;
	int has = flow_get_real(flow, column, 0, 1e300, &bytes, err);

	if (has == 1)
		num_print_real(fields->text[field - 1], bytes / 1024);
	return has;
}

static void put_status(const struct state *state, struct fields *fields, const struct flow *flow)
{
	static const char *const states[][2] = {{"failed", "0"},         {"completed", "1"},
						{"partial", "2"},        {"partial-completed", "3"},
						{"partial-failed", "4"}, {"cancelled", "5"},
						{"timeout", "0"},        {"node_fail", "0"},
						{"out_of_memory", "0"}};
	char text[NUM_TEXT];
	const char *name = flow_get_text(flow, state->status, text);

	for (size_t i = 0; name != NULL && i < sizeof(states) / sizeof(states[0]); i++)
		if (str_eq(name, states[i][0]))
			memcpy(fields->text[10], states[i][1], 2);
}

static void put_names(struct state *state, struct fields *fields, const struct flow *flow)
{
	static const int field_of[NNAMED] = {1, 12, 13, 14, 15, 16};
	char text[NUM_TEXT];

	for (int i = 0; i < NNAMED; i++) {
		const char *name = flow_get_text(flow, state->name[i], text);

		if (name != NULL)
			num_print_int(fields->text[field_of[i] - 1],
				      number_of(state, (enum named)i, name));
	}
}

/* The job that this one waits for, which may come later; the format can't hold several. */
static void put_after(struct state *state, struct fields *fields, const struct flow *flow)
{
	char text[NUM_TEXT];
	const char *name = flow_get_text(flow, state->after, text);

	if (name != NULL && strchr(name, ',') == NULL)
		num_print_int(fields->text[16], number_of(state, JOB, name));
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	struct fields fields = {{{0}}};

	for (int i = 0; i < NFIELDS; i++)
		memcpy(fields.text[i], "-1", 3);
	if (put_times(state, &fields, flow, err) != 0 ||
	    put_sizes(state, &fields, flow, err) != 0 ||
	    put_memory(&fields, 7, flow, state->memory, err) < 0 ||
	    put_memory(&fields, 10, flow, state->requested_memory, err) < 0)
		return -1;
	put_status(state, &fields, flow);
	put_names(state, &fields, flow);
	put_after(state, &fields, flow);
	for (int i = 0; i < NFIELDS; i++) {
		out_str(state->out, i ? " " : "");
		out_str(state->out, fields.text[i]);
	}
	out_char(state->out, '\n');
	return out_check(state->out, err);
}

static void stop(void *context)
{
	struct state *state = context;

	for (int i = 0; i < NNAMED; i++) {
		map_free(&state->numbers[i].of_name);
		map_free(&state->numbers[i].taken);
	}
	free(state);
}

static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct writer writer_swf = {
	.entry = {.name = "swf",
		  .example = "swf",
		  .summary = "a job log in the Standard Workload Format; comment lines "
			     "map names to numbers"},
	.takes = takes,
	.start = start,
	.taker = {begin, row, NULL},
	.stop = stop,
};
