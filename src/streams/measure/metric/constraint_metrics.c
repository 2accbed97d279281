/* constraint_metrics.c - whether jobs keep geometric constraints: 1 or 0, the witness in
 * the note */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/regions.h"
#include "model/kinds.h"

struct state {
	struct regions regions;
	struct checker checker;
	struct buf witness;
};

static void close(void *context)
{
	struct state *state = context;

	checker_close(&state->checker);
	regions_close(&state->regions);
	buf_free(&state->witness);
	free(state);
}

static int open_as(void **context, const struct checker_type *type, const struct pick *pick,
		   const struct metric_context *in, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	*context = state;
	if (regions_open(&state->regions, in, err) != 0)
		return -1;
	return checker_open_as(&state->checker, type, pick, &state->regions.geometry, err);
}

static int row(void *context, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct state *state = context;
	struct region region;
	enum verdict verdict;

	if (regions_of(&state->regions, item, &region, err) != 0)
		return -1;
	verdict = checker_check(&state->checker, &region, &state->witness);
	metric_put(sink, state->checker.type->entry.name, "1",
		   verdict == VERDICT_OPEN ? NAN : verdict == VERDICT_HOLDS,
		   state->witness.n > 0 ? buf_text(&state->witness) : NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

#define CONSTRAINT(constraint, name_of, example_of, what)                                          \
	static const struct metric_output outputs_##constraint[] = {                               \
		{name_of, "1", "1: the job's nodes are " what "; 0: they are not, for the note"},  \
		{0}};                                                                              \
	static int open_##constraint(void **context, const struct pick *pick,                      \
				     const struct metric_context *in, struct err *err)             \
	{                                                                                          \
		return open_as(context, &checker_##constraint, pick, in, err);                     \
	}                                                                                          \
	const struct metric metric_##constraint = {                                                \
		.entry = {.name = name_of,                                                         \
			  .example = example_of,                                                   \
			  .summary = "whether the job's nodes are " what,                          \
			  .paper = "Bleuse et al., Defs 3 to 8",                                   \
			  .params = geometry_params_##constraint},                                 \
		.kinds = kinds,                                                                    \
		.columns = columns,                                                                \
		.needs = METRIC_TOPOLOGY | METRIC_ROUTES,                                          \
		.only_when_asked = true,                                                           \
		.outputs = outputs_##constraint,                                                   \
		.open = open_##constraint,                                                         \
		.row = row,                                                                        \
		.close = close,                                                                    \
	}

CONSTRAINT(clusters, "clusters", "clusters", "in as few blocks as can hold them");
CONSTRAINT(compact, "compact", "compact", "of the least sum of distances");
CONSTRAINT(connected, "connected", "connected", "joined by each other, or by separate I/O nodes");
CONSTRAINT(contiguous, "contiguous", "contiguous", "consecutive in an order");
CONSTRAINT(convex, "convex", "convex", "visited by all routes between them, and no others");
CONSTRAINT(file, "file", "file:path=permitted.txt", "those of one line of a file");
CONSTRAINT(local, "local", "local", "connected, and next to its I/O nodes");
CONSTRAINT(proximate, "proximate", "proximate", "of the least largest distance");
