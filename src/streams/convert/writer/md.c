/* md.c - any of our tables as a table of Markdown */
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "convert/writer/shown.h"

struct state {
	struct shown shown; /* the first */
	bool has_rule;      /* the line below the headings */
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = shown_start(input, sizeof(*state));

	(void)err;
	state->shown.width = pick_int(input->pick, "width");
	state->shown.folds = true;
	return state;
}

static void put(const struct state *state, const char *text)
{
	out_str(state->shown.out, "| ");
	out_foreign(state->shown.out, foreign_markdown, text);
	out_char(state->shown.out, ' ');
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	if (shown_begin(&state->shown, flow, err) != 0)
		return -1;
	for (size_t i = 0; i < state->shown.columns.n; i++)
		put(state, state->shown.columns.at[i].name);
	out_str(state->shown.out, state->shown.columns.n > 0 ? "|\n" : "");
	return 0;
}

/* Numbers are right-aligned; in a column that the kind does not know the first row decides. */
static void put_rule(struct state *state, const struct flow *flow)
{
	for (size_t i = 0; i < state->shown.columns.n; i++) {
		enum shown_type type = state->shown.columns.at[i].type;
		bool is_number =
			type == SHOWN_NUMBER || (type == SHOWN_ANY && flow != NULL &&
						 shown_cell(&state->shown, flow, i).is_number);

		out_str(state->shown.out, is_number ? "|---:" : "|---");
	}
	out_str(state->shown.out, state->shown.columns.n > 0 ? "|\n" : "");
	state->has_rule = true;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	if (!state->has_rule)
		put_rule(state, flow);
	for (size_t i = 0; i < state->shown.columns.n; i++) {
		struct shown_cell cell = shown_cell(&state->shown, flow, i);

		put(state, cell.text != NULL ? cell.text : "");
	}
	out_str(state->shown.out, "|\n");
	return out_check(state->shown.out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)flow;
	(void)whole;
	(void)err;
	if (!state->has_rule)
		put_rule(state, NULL);
	return 0;
}

static const struct param params[] = {SHOWN_PARAMS("4"), SHOWN_WIDTH, {0}};

const struct writer writer_md = {
	.entry = {.name = "md",
		  .example = "md:width=20",
		  .summary = "any of our tables as a table of Markdown, numbers rounded",
		  .params = params},
	.takes = all_kinds,
	.start = start,
	.taker = {begin, row, end},
	.stop = shown_stop,
};
