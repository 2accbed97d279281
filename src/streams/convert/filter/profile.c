/* profile.c - jobs that say how long they were in MPI become profiles */
#include <stdlib.h>
#include <string.h>

#include "convert/filter/filter.h"
#include "base/die.h"
#include "base/names.h"
#include "base/str.h"
#include "model/profile.h"

/* The jobs of an application together. Times are sums over all their ranks. */
struct app {
	const char *name, *binary; /* binary NULL: none, or not the same for all */
	int64_t ranks;             /* of the largest job */
	int64_t least, most;       /* nodes */
	double all_ranks, runtime_s, mpi_s;
};

struct state {
	struct flow *out;
	struct profile_columns columns;
	int app, binary, nodes, ranks, mpi, comm_time, runtime; /* of the input */
	int64_t nleft_out;
	bool is_per_app;
	int nodes_min, nodes_max; /* columns */
	VEC(struct app) apps;
	struct map index; /* name → place in apps */
	struct arena arena;
};

static void *start(const struct filter_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	(void)err;
	state->out = input->out;
	state->is_per_app = pick_is(input->pick, "per", "app");
	return state;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	size_t ndone = 0;

	(void)err;
	state->app = flow_find(flow, "app");
	state->binary = flow_find(flow, "binary");
	state->nodes = flow_find(flow, "nodes");
	state->ranks = flow_find(flow, "ranks_per_node");
	state->mpi = flow_find(flow, "mpi_s");
	state->comm_time = flow_find(flow, "comm_time_s");
	state->runtime = flow_find(flow, "runtime_s");
	state->out->source = flow;
	profile_columns(&state->columns, state->out);
	if (state->is_per_app) {
		state->nodes_min = flow_column(state->out, "nodes_min");
		state->nodes_max = flow_column(state->out, "nodes_max");
	}
	flow_meta_of(state->out, flow, &ndone);
	return 0;
}

/* The time that the job ran: the simulator's comm_time_s (from its start to its last rank's
 * finish), else runtime_s. 1; 0: neither is there; -1. */
static int running_time(const struct state *state, const struct flow *flow, double *seconds,
			struct err *err)
{
	int has = flow_get_real(flow, state->comm_time, 0, 1e15, seconds, err);

	return has != 0 ? has : flow_get_real(flow, state->runtime, 0, 1e15, seconds, err);
}

/* Adds a job to those of its application. */
static void add(struct state *state, const struct profile *profile)
{
	size_t n = strlen(profile->app);
	int64_t at = map_add(&state->index, profile->app, n, (int64_t)state->apps.n);
	double ranks = (double)profile->ranks;
	struct app *app;

	if (at == (int64_t)state->apps.n)
		vec_push(&state->apps,
			 (struct app){.name = arena_strndup(&state->arena, profile->app, n),
				      .binary = profile->binary == NULL
							? NULL
							: arena_strndup(&state->arena,
									profile->binary,
									strlen(profile->binary)),
				      .least = profile->nodes});
	app = &state->apps.at[at];
	if (profile->binary == NULL ||
	    (app->binary != NULL && !str_eq(app->binary, profile->binary)))
		app->binary = NULL;
	app->ranks = profile->ranks > app->ranks ? profile->ranks : app->ranks;
	app->least = profile->nodes < app->least ? profile->nodes : app->least;
	app->most = profile->nodes > app->most ? profile->nodes : app->most;
	app->all_ranks += ranks;
	app->runtime_s += ranks * profile->runtime_s;
	app->mpi_s += ranks * profile->mpi_s;
}

static int emit_apps(struct state *state, struct err *err)
{
	for (size_t i = 0; i < state->apps.n; i++) {
		const struct app *app = &state->apps.at[i];
		struct profile profile;

		profile_init(&profile);
		profile.app = app->name;
		profile.binary = app->binary;
		profile.ranks = app->ranks;
		profile.nodes = app->least == app->most ? app->most : -1;
		profile.runtime_s = app->runtime_s / app->all_ranks;
		profile.mpi_s = app->mpi_s / app->all_ranks;
		profile.mpi_fraction = app->mpi_s / app->runtime_s;
		flow_int(state->out, state->nodes_min, app->least);
		flow_int(state->out, state->nodes_max, app->most);
		if (profile_emit(&profile, &state->columns, state->out, err) != 0)
			return -1;
	}
	return 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	char app[NUM_TEXT], binary[NUM_TEXT];
	struct profile profile;
	int64_t ranks_of_a_node = 1;
	int has_time, has_mpi;

	profile_init(&profile);
	profile.app = flow_get_text(flow, state->app, app);
	profile.binary = flow_get_text(flow, state->binary, binary);
	has_time = running_time(state, flow, &profile.runtime_s, err);
	has_mpi = flow_get_real(flow, state->mpi, 0, 1e15, &profile.mpi_s, err);
	if (has_time < 0 || has_mpi < 0 ||
	    flow_get_int(flow, state->nodes, 1, INT32_MAX, &profile.nodes, err) < 0 ||
	    flow_get_int(flow, state->ranks, 1, INT32_MAX, &ranks_of_a_node, err) < 0)
		return -1;
	if (profile.app == NULL || has_time == 0 || has_mpi == 0 || profile.runtime_s <= 0) {
		state->nleft_out++;
		return 0;
	}
	profile.ranks = profile.nodes * ranks_of_a_node;
	profile.mpi_fraction = profile.mpi_s / profile.runtime_s;
	if (state->is_per_app && profile.ranks >= 1) {
		add(state, &profile);
		return 0;
	}
	return profile_emit(&profile, &state->columns, state->out, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;

	(void)flow;
	(void)whole;
	if (state->nleft_out > 0)
		warn("%lld jobs without app, mpi_s and a running time were left out",
		     (long long)state->nleft_out);
	return emit_apps(state, err);
}

static void stop(void *context)
{
	struct state *state = context;

	vec_free(&state->apps);
	map_free(&state->index);
	arena_free(&state->arena);
	free(state);
}

static const struct param params[] = {
	{.key = "per",
	 .type = PARAM_WORD,
	 .def = "job",
	 .choices = "job|app",
	 .meaning = "a profile of each job, or of all jobs of an application together"},
	{0}};

static const struct table_kind *const takes[] = {&kind_jobs, NULL};

const struct filter filter_profile = {
	.entry = {.name = "profile",
		  .example = "profile:per=app",
		  .summary = "jobs with their time in MPI (from netsim) become profiles",
		  .params = params},
	.takes = takes,
	.makes = &kind_profile,
	.is_bridge = true,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
