/* tables.c - our own kinds as output of a conversion */
#include <stdlib.h>
#include <string.h>

#include "algo/writer/writer.h"

struct state {
	struct out *out;
	struct table_out *table; /* NULL: before begin, and after end */
	size_t nmeta;            /* ##lines of the flow that were handed on */
	VEC(char) line;          /* the row being made */
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

/* What a cell can't hold becomes _, as in table_out_text; so does a dot alone, which would be a
 * missing value. */
static size_t print_text(char *at, const char *text, size_t n)
{
	if (n == 1 && *text == '.') {
		*at = '_';
		return 1;
	}
	for (size_t i = 0; i < n; i++) {
		char c = text[i];

		at[i] = c == '\t' || c == '\n' || c == '\r' || c == '#' ? '_' : c;
	}
	return n;
}

/* Writes the cell and a tab at the line's end. */
static void add_cell(struct state *state, const struct cell *cell)
{
	size_t n = cell->type == CELL_TEXT ? strlen(cell->text) : NUM_TEXT;
	char *at;

	vec_reserve(&state->line, state->line.n + n + 1);
	at = state->line.at + state->line.n;
	switch (cell->type) {
	case CELL_MISSING:
		*at = '.';
		n = 1;
		break;
	case CELL_TEXT:
		n = print_text(at, cell->text, n);
		break;
	case CELL_INT:
		n = num_print_int(at, cell->number);
		break;
	case CELL_REAL:
		n = num_print_real(at, cell->real);
		break;
	case CELL_SECONDS:
		n = num_print_seconds(at, cell->number);
		break;
	}
	at[n] = '\t';
	state->line.n += n + 1;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	pass_meta(state, flow);
	state->line.n = 0;
	for (size_t i = 0; i < flow->cells.n; i++)
		add_cell(state, &flow->cells.at[i]);
	table_out_line(state->table, state->line.at, state->line.n - 1);
	return out_failed(state->out) ? err_set(err, "the output can't be written") : 0;
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
OWN_KIND(iotrace, "our I/O traces; placetools-iotrace(5)")
OWN_KIND(jobs, "our job streams; placetools-jobs(5)")
OWN_KIND(links, "our tables of links; placetools-links(5)")
OWN_KIND(loadcurve, "our load curves; placetools-loadcurve(5)")
OWN_KIND(mapping, "our rank mappings; placetools-mapping(5)")
OWN_KIND(metrics, "our measurements; placetools-metrics(5)")
OWN_KIND(mpitrace, "our MPI traces; placetools-mpitrace(5)")
OWN_KIND(nodes, "our node states; placetools-nodes(5)")
OWN_KIND(profile, "our MPI profiles; placetools-profile(5)")
OWN_KIND(ranks, "our tables of ranks; placetools-ranks(5)")
OWN_KIND(traffic, "our traffic tables; placetools-traffic(5)")
