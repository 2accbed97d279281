/* pretty.c - any of our tables in aligned columns, for people */
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "convert/writer/shown.h"

struct held_cell {
	const char *text;
	size_t width;
	bool is_number;
};

/* All rows are held: how wide a column is only the last one says. */
struct state {
	struct shown shown;          /* the first */
	VEC(struct held_cell) cells; /* row after row, the headings first */
	struct arena arena;
	struct buf cell;
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = shown_start(input, sizeof(*state));

	(void)err;
	state->shown.width = pick_int(input->pick, "width");
	state->shown.folds = true;
	return state;
}

static void hold(struct state *state, const char *text, bool is_number)
{
	buf_clear(&state->cell);
	foreign_text(&state->cell, text != NULL ? text : "-");
	text = arena_strndup(&state->arena, state->cell.text, state->cell.n);
	vec_push(&state->cells, (struct held_cell){text, shown_width(text), is_number});
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	if (shown_begin(&state->shown, flow, err) != 0)
		return -1;
	for (size_t i = 0; i < state->shown.columns.n; i++)
		hold(state, state->shown.columns.at[i].name, false);
	return 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	for (size_t i = 0; i < state->shown.columns.n; i++) {
		struct shown_cell cell = shown_cell(&state->shown, flow, i);

		hold(state, cell.text, cell.is_number);
	}
	return 0;
}

/* Columns of numbers and missing values only are right-aligned. */
struct layout {
	size_t width;
	bool is_number, is_text;
};

static struct layout *lay_out(const struct state *state)
{
	size_t n = state->shown.columns.n;
	struct layout *layouts = xcalloc(n, sizeof(*layouts));

	for (size_t i = 0; i < state->cells.n; i++) {
		const struct held_cell *cell = &state->cells.at[i];
		struct layout *layout = &layouts[i % n];

		if (cell->width > layout->width)
			layout->width = cell->width;
		if (i >= n && cell->is_number)
			layout->is_number = true;
		else if (i >= n && !str_eq(cell->text, "-"))
			layout->is_text = true;
	}
	return layouts;
}

static void put_blanks(struct out *out, size_t n)
{
	while (n-- > 0)
		out_char(out, ' ');
}

/* Two blanks between columns, none at the end of a line. */
static void put_row(const struct state *state, const struct layout *layouts,
		    const struct held_cell *cells)
{
	size_t n = state->shown.columns.n;

	for (size_t i = 0; i < n; i++) {
		size_t gap = layouts[i].width - cells[i].width;
		bool is_right = layouts[i].is_number && !layouts[i].is_text;

		if (is_right)
			put_blanks(state->shown.out, gap);
		out_str(state->shown.out, cells[i].text);
		if (i + 1 < n)
			put_blanks(state->shown.out, (is_right ? 0 : gap) + 2);
	}
	out_char(state->shown.out, '\n');
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	const struct state *state = context;
	size_t n = state->shown.columns.n;
	struct layout *layouts;

	(void)flow;
	(void)whole;
	if (n == 0)
		return 0;
	layouts = lay_out(state);
	for (size_t i = 0; i < state->cells.n && !out_failed(state->shown.out); i += n)
		put_row(state, layouts, state->cells.at + i);
	free(layouts);
	return out_check(state->shown.out, err);
}

static void stop(void *context)
{
	struct state *state = context;

	vec_free(&state->cells);
	arena_free(&state->arena);
	buf_free(&state->cell);
	shown_stop(state);
}

static const struct param params[] = {SHOWN_PARAMS("4"), SHOWN_WIDTH, {0}};

const struct writer writer_pretty = {
	.entry =
		{.name = "pretty",
		 .example = "pretty:digits=3",
		 .summary =
			 "any of our tables for people: aligned, numbers rounded, node lists folded",
		 .params = params},
	.takes = all_kinds,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
