/* where.c - only the rows whose columns have given values */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/name_hint.h"
#include "base/str.h"
#include "convert/filter/filter.h"
#include "place/policy/policy.h"

/* A column, and the values that pass. */
struct condition {
	int column;
	char *text; /* what values point into */
	const char **values;
	int nvalues;
	struct seen_values seen; /* that did not pass */
};

struct state {
	const struct pick *pick;
	struct flow *out;
	struct condition *conditions; /* [pick->nrest] */
	bool *has_changed;
	size_t nmeta;
	bool has_passed;
};

/* "simple", or several as "[simple,random]". */
static void read_values(struct condition *condition, const char *column, const char *text)
{
	size_t n = strlen(text);
	bool in_brackets = n >= 2 && text[0] == '[' && text[n - 1] == ']';
	int most = 1;

	condition->text = xstrndup(text + in_brackets, n - (in_brackets ? 2 : 0));
	for (const char *p = condition->text; in_brackets && *p != '\0'; p++)
		most += *p == ',';
	condition->values = xcalloc((size_t)most * 2, sizeof(*condition->values));
	condition->values[0] = condition->text;
	condition->nvalues =
		in_brackets ? str_split(condition->text, ',', (char **)condition->values, most) : 1;
	for (int i = 0; i < condition->nvalues; i++)
		condition->values[condition->nvalues + i] =
			alloc_policy_in(column, condition->values[i]);
	condition->nvalues *= 2;
}

static void *start(const struct filter_input *input, struct err *err)
{
	int n = input->pick->nrest;
	struct state *state;

	if (n == 0) {
		err_set(err, "where: expected columns and values, as in where:policy=simple");
		return NULL;
	}
	state = xcalloc(1, sizeof(*state));
	state->pick = input->pick;
	state->out = input->out;
	state->has_changed = input->has_changed;
	state->conditions = xcalloc((size_t)n, sizeof(*state->conditions));
	for (int i = 0; i < n; i++)
		read_values(&state->conditions[i], input->pick->rest[i].key,
			    input->pick->rest[i].text);
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	flow_like(state->out, flow);
	state->nmeta = flow->meta.n;
	for (int i = 0; i < state->pick->nrest && flow->columns.n > 0; i++) {
		const char *name = state->pick->rest[i].key;
		struct near_name near;

		state->conditions[i].column = flow_find(flow, name);
		if (state->conditions[i].column < 0)
			return err_set(err, "where: the input has no column '%s'%s", name,
				       flow_hint(flow, name, &near));
	}
	return 0;
}

/* A missing value is written as a dot. */
static bool passes(struct condition *condition, const struct flow *flow, bool is_told)
{
	char text[NUM_TEXT];
	const char *cell = flow_get_text(flow, condition->column, text);

	for (int i = 0; i < condition->nvalues; i++)
		if (str_eq(cell != NULL ? cell : ".", condition->values[i]))
			return true;
	if (is_told)
		seen_add(&condition->seen, cell != NULL ? cell : ".");
	return false;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	flow_meta_of(state->out, flow, &state->nmeta);
	for (int i = 0; i < state->pick->nrest; i++)
		if (!passes(&state->conditions[i], flow, !state->has_passed)) {
			*state->has_changed = true;
			return 0;
		}
	state->has_passed = true;
	for (size_t i = 0; i < flow->columns.n; i++)
		state->out->cells.at[i] = flow->cells.at[i];
	return flow_emit(state->out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)flow;
	(void)whole;
	(void)err;
	for (int i = 0; i < state->pick->nrest && !state->has_passed; i++)
		if (state->conditions[i].seen.n > 0)
			warn("where: no row is left; of those that came to it column %s has: %s",
			     state->pick->rest[i].key, seen_list(&state->conditions[i].seen));
	return 0;
}

static void stop(void *context)
{
	struct state *state = context;

	for (int i = 0; i < state->pick->nrest; i++) {
		free(state->conditions[i].text);
		free(state->conditions[i].values);
	}
	free(state->conditions);
	free(state);
}

static const struct param params[] = {
	{.key = "COLUMN",
	 .type = PARAM_REST,
	 .optional = true,
	 .meaning = "the value that rows have there, or several as in [simple,random]"},
	{0}};

const struct filter filter_where = {
	.entry = {.name = "where",
		  .example = "where:job=1",
		  .summary = "only the rows with these values, as in "
			     "where:policy=[simple,random],metric=spread",
		  .params = params},
	.no_effect = "every row has these values",
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
