/* csv.c - any of our tables as comma-separated values (RFC 4180), for spreadsheets and databases */
#include <stdlib.h>
#include <string.h>

#include "convert/writer/shown.h"

struct state {
	struct shown shown; /* the first */
	const char *delimiter;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = shown_start(input, sizeof(*state));

	(void)err;
	state->delimiter = pick_word(input->pick, "delimiter");
	if (str_eq(state->delimiter, "tab"))
		state->delimiter = "\t";
	return state;
}

static void put(const struct state *state, const char *text)
{
	out_csv(state->shown.out, text, state->delimiter);
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	if (shown_begin(&state->shown, flow, err) != 0)
		return -1;
	for (size_t i = 0; i < state->shown.columns.n; i++) {
		out_str(state->shown.out, i > 0 ? state->delimiter : "");
		put(state, state->shown.columns.at[i].name);
	}
	out_str(state->shown.out, state->shown.columns.n > 0 ? "\n" : "");
	return 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	for (size_t i = 0; i < state->shown.columns.n; i++) {
		struct shown_cell cell = shown_cell(&state->shown, flow, i);

		out_str(state->shown.out, i > 0 ? state->delimiter : "");
		put(state, cell.text != NULL ? cell.text : "");
	}
	out_char(state->shown.out, '\n');
	return out_check(state->shown.out, err);
}

static const struct param params[] = {SHOWN_PARAMS(NULL),
				      {.key = "delimiter",
				       .type = PARAM_TEXT,
				       .def = ",",
				       .meaning = "what is between cells; tab is one too"},
				      {0}};

const struct writer writer_csv = {
	.entry = {.name = "csv",
		  .example = "csv:delimiter=;",
		  .summary = "any of our tables as CSV, without its ## lines",
		  .params = params},
	.takes = all_kinds,
	.start = start,
	.taker = {begin, row, NULL},
	.stop = shown_stop,
};
