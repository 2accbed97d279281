/* ldms_csv.c - counters as CSV of LDMS's store_csv */
#include <stdlib.h>
#include <string.h>

#include "convert/writer/writer.h"
#include "base/num.h"
#include "base/str.h"

struct state {
	struct out *out;
	int time, component;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	return state;
}

/* What the column was called before its # became _: "##column=NAME ORIGINAL", both as long. */
static const char *original_name(const struct flow *flow, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < flow->meta.n; i++) {
		const char *value = flow->meta.at[i].value;

		if (str_eq(flow->meta.at[i].key, "column") && strlen(value) == 2 * n + 1 &&
		    strncmp(value, name, n) == 0 && value[n] == ' ')
			return value + n + 1;
	}
	return name;
}

static void put_field(struct out *out, const char *text)
{
	out_char(out, ',');
	out_csv(out, text, ",");
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	state->time = flow_find(flow, "time_s");
	state->component = flow_find(flow, "component");
	out_str(state->out, "#Time,Time_usec,ProducerName");
	for (size_t i = 0; i < flow->columns.n; i++)
		if ((int)i != state->time && (int)i != state->component)
			put_field(state->out, original_name(flow, flow->columns.at[i]));
	out_char(state->out, '\n');
	return 0;
}

/* Microseconds, as in LDMS; digits beyond are truncated. */
static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	char number[NUM_TEXT];
	const char *text;
	int64_t ns, usec;

	if (flow_get_seconds(flow, state->time, &ns, err) != 1)
		return -1;
	if (ns < 0)
		return flow_error(flow, err, "time_s: LDMS has no times before 1970");
	usec = ns % 1000000000 / 1000;
	out_printf(state->out, "%lld.%06lld,%lld", (long long)(ns / 1000000000), (long long)usec,
		   (long long)usec);
	put_field(state->out, flow_get_text(flow, state->component, number));
	for (size_t i = 0; i < flow->columns.n; i++) {
		if ((int)i == state->time || (int)i == state->component)
			continue;
		text = flow_get_text(flow, (int)i, number);
		put_field(state->out, text != NULL ? text : "");
	}
	out_char(state->out, '\n');
	return out_check(state->out, err);
}

static const struct table_kind *const takes[] = {&kind_counters, NULL};

const struct writer writer_ldms_csv = {
	.entry = {.name = "ldms-csv",
		  .example = "ldms-csv",
		  .summary = "CSV of LDMS's store_csv, times in microseconds"},
	.takes = takes,
	.start = start,
	.taker = {begin, row, NULL},
	.stop = free,
};
