/* tables.c - our own kinds as output of a conversion */
#include <stdlib.h>

#include "algo/writer/writer.h"

struct state {
	struct out *out;
	struct table_out *table; /* NULL: before begin, and after end */
	size_t nmeta;            /* ##lines of the flow that were handed on */
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

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	pass_meta(state, flow);
	for (size_t i = 0; i < flow->cells.n; i++) {
		const struct cell *cell = &flow->cells.at[i];

		switch (cell->type) {
		case CELL_MISSING:
			break;
		case CELL_TEXT:
			table_out_text(state->table, (int)i, cell->text);
			break;
		case CELL_INT:
			table_out_int(state->table, (int)i, cell->number);
			break;
		case CELL_REAL:
			table_out_real(state->table, (int)i, cell->real);
			break;
		case CELL_SECONDS:
			table_out_seconds(state->table, (int)i, cell->number);
			break;
		}
	}
	table_out_emit(state->table);
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
