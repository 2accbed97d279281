/* json.c - any of our tables as an array of JSON objects, or an object a line */
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "convert/writer/shown.h"

struct state {
	struct shown shown; /* the first */
	bool in_lines;
	int64_t nrows;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = shown_start(input, sizeof(*state));

	(void)err;
	state->in_lines = pick_bool(input->pick, "lines");
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	if (shown_begin(&state->shown, flow, err) != 0)
		return -1;
	out_str(state->shown.out, state->in_lines ? "" : "[");
	return 0;
}

static void put_cell(const struct state *state, const struct shown_column *column,
		     const struct shown_cell *cell)
{
	if (cell->text == NULL)
		out_str(state->shown.out, "null");
	else if (cell->is_number)
		out_str(state->shown.out, cell->text);
	else if (column->type == SHOWN_BOOL)
		out_str(state->shown.out, str_eq(cell->text, "yes") ? "true" : "false");
	else
		out_foreign(state->shown.out, foreign_json, cell->text);
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	if (!state->in_lines)
		out_str(state->shown.out, state->nrows++ > 0 ? ",\n" : "\n");
	for (size_t i = 0; i < state->shown.columns.n; i++) {
		struct shown_cell cell = shown_cell(&state->shown, flow, i);

		out_str(state->shown.out, i > 0 ? ", " : "{");
		out_foreign(state->shown.out, foreign_json, state->shown.columns.at[i].name);
		out_str(state->shown.out, ": ");
		put_cell(state, &state->shown.columns.at[i], &cell);
	}
	out_str(state->shown.out, state->in_lines ? "}\n" : "}");
	return out_check(state->shown.out, err);
}

/* The array of an input that was truncated stays open: a reader must notice. */
static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	const struct state *state = context;

	(void)flow;
	(void)err;
	if (!state->in_lines)
		out_str(state->shown.out, whole ? "\n]\n" : "\n");
	return 0;
}

static const struct param params[] = {SHOWN_PARAMS(NULL),
				      {.key = "lines",
				       .type = PARAM_BOOL,
				       .def = "no",
				       .meaning = "an object a line, without an array around them"},
				      {0}};

const struct writer writer_json = {
	.entry = {.name = "json",
		  .example = "json:lines",
		  .summary = "any of our tables as JSON: an array of objects, without the ## lines",
		  .params = params},
	.takes = all_kinds,
	.start = start,
	.taker = {begin, row, end},
	.stop = shown_stop,
};
