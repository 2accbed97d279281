/* set.c - columns with the same value in every row: what a run was made with */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "convert/filter/filter.h"

struct state {
	const struct pick *pick;
	struct flow *out;
	int *columns; /* [pick->nrest] of out */
	bool *has_changed;
	size_t nmeta;
};

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state;

	if (input->pick->nrest == 0) {
		err_set(err, "set: expected columns and their values, as in set:seed=3");
		return NULL;
	}
	for (int i = 0; i < input->pick->nrest; i++)
		if (input->pick->rest[i].key[0] == '\0' ||
		    strpbrk(input->pick->rest[i].key, "\t\n\r#") != NULL) {
			err_set(err, "set: '%s' is not a column's name", input->pick->rest[i].key);
			return NULL;
		}
	state = xcalloc(1, sizeof(*state));
	state->pick = input->pick;
	state->out = input->out;
	state->has_changed = input->has_changed;
	state->columns = xcalloc((size_t)input->pick->nrest, sizeof(*state->columns));
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	(void)err;
	flow_like(state->out, flow);
	state->nmeta = flow->meta.n;
	for (int i = 0; i < state->pick->nrest && flow->columns.n > 0; i++)
		state->columns[i] = flow_column(state->out, state->pick->rest[i].key);
	return 0;
}

static void set(struct state *state, const struct flow *flow, int column, const char *text)
{
	char old[NUM_TEXT];
	const char *cell = NULL;

	if ((size_t)column < flow->columns.n)
		cell = flow_get_text(flow, column, old);
	*state->has_changed |= !str_eq(cell != NULL ? cell : ".", text);
	flow_text(state->out, column, text);
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	flow_meta_of(state->out, flow, &state->nmeta);
	for (size_t i = 0; i < flow->columns.n; i++)
		state->out->cells.at[i] = flow->cells.at[i];
	for (int i = 0; i < state->pick->nrest; i++)
		set(state, flow, state->columns[i], state->pick->rest[i].text);
	return flow_emit(state->out, err);
}

static void stop(void *context)
{
	struct state *state = context;

	free(state->columns);
	free(state);
}

static const struct param params[] = {
	{.key = "COLUMN",
	 .type = PARAM_REST,
	 .optional = true,
	 .meaning = "the column's value in every row; it is added where it is not there"},
	{0}};

const struct filter filter_set = {
	.entry = {.name = "set",
		  .example = "set:seed=3",
		  .summary = "columns with one value in all rows, as in set:seed=3,site=north",
		  .params = params},
	.no_effect = "every row has these values",
	.start = start,
	.taker = {begin, row, NULL},
	.stop = stop,
};
