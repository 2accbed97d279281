/* linkdisjoint.c - whether any two jobs of a run that run at one time share a link */
#include <stdlib.h>

#include "measure/metric/overlaps.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"linkdisjoint", "1",
	 "1: no two jobs of the run that run at one time share a link; 0: two do, for the note"},
	{"link-sharing-pairs", "1", "pairs of jobs that do"},
	{0}};

struct state {
	struct overlaps overlaps;
	struct checker checker;
	struct buf witness;
	int_vec links;
};

static void close(void *context)
{
	struct state *state = context;

	checker_close(&state->checker);
	overlaps_close(&state->overlaps);
	buf_free(&state->witness);
	free(state->links.at);
	free(state);
}

static int linkdisjoint_open(void **context, const struct pick *pick,
			     const struct metric_context *in, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	*context = state;
	if (overlaps_open(&state->overlaps, in, err) != 0)
		return -1;
	return checker_open_as(&state->checker, &checker_linkdisjoint, pick,
			       &state->overlaps.regions.geometry, err);
}

static int row(void *context, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct state *state = context;
	struct overlaps *overlaps = &state->overlaps;
	size_t before = overlaps->jobs.n;
	int *links;

	(void)sink;
	if (overlaps_add(overlaps, item, err) != 0)
		return -1;
	if (overlaps->jobs.n == before)
		return 0;
	geometry_links(&overlaps->regions.geometry, &overlaps->jobs.at[before].region,
		       &state->links);
	links = arena_alloc(&overlaps->arena, (state->links.n + 1) * sizeof(*links));
	for (size_t i = 0; i < state->links.n; i++)
		links[i] = state->links.at[i];
	overlaps->jobs.at[before].region.links = links;
	overlaps->jobs.at[before].region.nlinks = (int)state->links.n;
	return 0;
}

static int end(void *context, struct metric_sink *sink, struct err *err)
{
	struct state *state = context;
	const struct overlap_job *jobs = state->overlaps.jobs.at;
	size_t n = state->overlaps.jobs.n;
	int64_t nsharing = 0;

	(void)err;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			struct buf witness = {0}; /* of the first pair */

			if (overlaps_do(&jobs[k], &jobs[i]) &&
			    state->checker.type->compare(
				    &state->checker, &jobs[k].region, &jobs[i].region,
				    nsharing == 0 ? &witness : NULL) == VERDICT_BROKEN &&
			    nsharing++ == 0)
				buf_printf(&state->witness, "jobs %s and %s: %s", jobs[k].name,
					   jobs[i].name, buf_text(&witness));
			buf_free(&witness);
		}
	metric_put(sink, outputs[0].name, "1", nsharing == 0,
		   nsharing > 0 ? buf_text(&state->witness) : NULL);
	metric_put(sink, outputs[1].name, "1", (double)nsharing, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_linkdisjoint = {
	.entry = {.name = "linkdisjoint",
		  .example = "linkdisjoint",
		  .summary = "whether any two simultaneous jobs share a link",
		  .params = geometry_params_linkdisjoint},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = linkdisjoint_open,
	.row = row,
	.end = end,
	.close = close,
};
