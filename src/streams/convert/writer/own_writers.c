/* own_writers.c - our own kinds as output of a conversion */
#include <stdlib.h>
#include <string.h>

#include "base/foreign.h"
#include "convert/writer/writer.h"

struct state {
	struct out *out;
	struct table_out *table; /* NULL: before begin, and after end */
	size_t nmeta;            /* ##lines of the flow that were handed on */
	VEC(char) line;          /* the row being made */
	struct buf cell;         /* what became of a foreign text */
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	return state;
}

static void pass_meta(struct state *state, const struct flow *flow)
{
	for (; state->nmeta < flow->meta.n; state->nmeta++)
		table_out_meta(state->table, flow->meta.at[state->nmeta].key,
			       flow->meta.at[state->nmeta].value);
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	state->table = table_out_new(state->out, flow->kind);
	for (size_t i = 0; i < flow->columns.n; i++)
		table_out_column(state->table, flow->columns.at[i]);
	pass_meta(state, flow);
	return 0;
}

/* A text, of which NUM_TEXT letters fit; returns where it ends. */
static char *print_text(struct state *state, char *at, const char *text)
{
	size_t n = foreign_cell_plain(text), done = (size_t)(at - state->line.at);

	if (text[n] != '\0' || (n == 1 && *text == '.')) {
		buf_clear(&state->cell);
		foreign_cell(&state->cell, text);
		text = state->cell.text;
		n = state->cell.n;
	}
	if (n > NUM_TEXT)
		vec_reserve(&state->line, done + n + 1);
	memcpy(state->line.at + done, text, n);
	return state->line.at + done + n;
}

/* Writes the cell, for which NUM_TEXT letters fit; returns where it ends. */
static char *print_cell(struct state *state, char *at, const struct cell *cell)
{
	switch (cell->type) {
	case CELL_TEXT:
		return print_text(state, at, cell->text);
	case CELL_INT:
		return at + num_print_int(at, cell->number);
	case CELL_REAL:
		return at + num_print_real(at, cell->real);
	case CELL_SECONDS:
		return at + num_print_seconds(at, cell->number);
	default:
		*at = '.';
		return at + 1;
	}
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	size_t room = NUM_TEXT + 1, used = 0;

	pass_meta(state, flow);
	for (size_t i = 0; i < flow->cells.n; i++) {
		char *at;

		vec_reserve(&state->line, used + room);
		at = print_cell(state, state->line.at + used, &flow->cells.at[i]);
		*at++ = '\t';
		used = (size_t)(at - state->line.at);
	}
	table_out_line(state->table, state->line.at, used - 1);
	return out_check(state->out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)err;
	pass_meta(state, flow);
	table_out_end(state->table, whole);
	state->table = NULL;
	return 0;
}

static void stop(void *context)
{
	struct state *state = context;

	if (state->table != NULL)
		table_out_end(state->table, false);
	vec_free(&state->line);
	buf_free(&state->cell);
	free(state);
}

#define OWN_KIND(kind, what)                                                                       \
	static const struct table_kind *const takes_##kind[] = {&kind_##kind, NULL};               \
	const struct writer writer_##kind = {                                                      \
		.entry = {.name = #kind, .example = #kind, .summary = what},                       \
		.takes = takes_##kind,                                                             \
		.start = start,                                                                    \
		.taker = {begin, row, end},                                                        \
		.stop = stop,                                                                      \
	};

OWN_KIND(comm, "our communication graphs; placetools-comm(5)")
OWN_KIND(counters, "our counter samples; placetools-counters(5)")
OWN_KIND(events, "our tables of when nodes were out of service; placetools-events(5)")
OWN_KIND(graph, "our graphs of computation and messages; placetools-graph(5)")
OWN_KIND(iotrace, "our I/O traces; placetools-iotrace(5)")
OWN_KIND(jobs, "our job streams; placetools-jobs(5)")
OWN_KIND(kernels, "our tables of kernels; placetools-kernels(5)")
OWN_KIND(links, "our tables of links; placetools-links(5)")
OWN_KIND(loadcurve, "our load curves; placetools-loadcurve(5)")
OWN_KIND(mapping, "our rank mappings; placetools-mapping(5)")
OWN_KIND(metrics, "our measurements; placetools-metrics(5)")
OWN_KIND(mpitrace, "our MPI traces; placetools-mpitrace(5)")
OWN_KIND(nights, "our tables of earlier nights; placetools-nights(5)")
OWN_KIND(nodes, "our node states; placetools-nodes(5)")
OWN_KIND(partitions, "our tables of partitions; placetools-partitions(5)")
OWN_KIND(profile, "our MPI profiles; placetools-profile(5)")
OWN_KIND(ranks, "our tables of ranks; placetools-ranks(5)")
OWN_KIND(reservations, "our tables of reservations; placetools-reservations(5)")
OWN_KIND(sharing, "our tables of work sharing; placetools-sharing(5)")
OWN_KIND(slices, "our tables of slices; placetools-slices(5)")
OWN_KIND(timeline, "our timelines of devices; placetools-timeline(5)")
OWN_KIND(traffic, "our traffic tables; placetools-traffic(5)")
