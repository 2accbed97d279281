/* mpi.c - MPI + GPU codes as traces: the four of Khetawat's study, and micro-benchmarks */
#include "workload/mpi_app.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/kinds.h"
#include "workload/workload.h"

/* ---- what there is ---- */

struct app {
	const char *name;
	app_iteration_fn *iteration;
	double compute_s;    /* of an iteration, unless given */
	int face_dims, dims; /* faces shrink as ranks^(face_dims / dims) where the problem stays */
	int reference;       /* ranks that the messages' sizes are of */
	bool is_cube;
	int least_ranks;
};

/* The computations make the ranges of the study's Figure 3.5 possible; nothing is fitted to
 * a gain. */
static const struct app apps[] = {
	{"amgx", app_amgx, 20e-3, 1, 2, 32, false, 1},
	{"lulesh", app_lulesh, 30e-3, 2, 3, 27, true, 1},
	{"minisweep", app_minisweep, 40e-3, 1, 2, 32, false, 1},
	{"pingpong", app_pingpong, 0, 0, 1, 2, false, 2},
	{"senders", app_senders, 0, 0, 1, 2, false, 2},
	{"sw4lite", app_sw4lite, 15e-3, 1, 2, 32, false, 1},
};

static int set_scaling(struct mpi_app *app, const struct app *what, const struct pick *pick)
{
	double ratio =
		pick_is(pick, "scaling", "strong") ? (double)what->reference / app->nranks : 1;

	app->face_scale = pow(ratio, (double)what->face_dims / what->dims);
	app->compute_ns =
		llround((pick_has(pick, "compute") ? pick_real(pick, "compute") : what->compute_s) *
			ratio * 1e9);
	return 0;
}

static void write_ranks(struct mpi_app *app, const struct app *what)
{
	for (app->rank = 0; app->rank < app->nranks; app->rank++) {
		app->now_ns = 0;
		app->request = 1;
		app_region(app, "enter");
		for (int64_t i = 0; i < app->iterations; i++)
			what->iteration(app, i);
		app_region(app, "leave");
	}
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	static const char *const columns[] = {"rank",          "time_s",        "op",    "peer",
					      "bytes",         "recv_bytes",    "tag",   "request",
					      "send_location", "recv_location", "region"};
	const struct app *what = apps;
	struct mpi_app app = {.nranks = (int)pick_int(pick, "ranks"),
			      .iterations = pick_int(pick, "iterations"),
			      .imbalance = pick_real(pick, "imbalance"),
			      .bytes = (int64_t)pick_real(pick, "bytes"),
			      .blocks = pick_int(pick, "blocks"),
			      .seed = input->seed};
	int side;
	char text[NUM_TEXT];

	while (!pick_is(pick, "app", what->name))
		what++;
	side = (int)lround(cbrt(app.nranks));
	if (what->is_cube && side * side * side != app.nranks)
		return err_set(err,
			       "mpi: %s runs on a cube of ranks: expected ranks= of 8, 27, 64, …",
			       what->name);
	if (app.nranks < what->least_ranks)
		return err_set(err, "mpi: %s needs at least %d ranks", what->name,
			       what->least_ranks);
	if (!pick_is(pick, "location", "unknown"))
		app.location = pick_word(pick, "location");
	set_scaling(&app, what, pick);
	app.table = table_out_new(input->out, &kind_mpitrace);
	workload_record(input, app.table);
	snprintf(text, sizeof(text), "%d", app.nranks);
	table_out_meta(app.table, "ranks", text);
	table_out_meta(app.table, "app", what->name);
	snprintf(text, sizeof(text), "%g", app.imbalance);
	table_out_meta(app.table, "imbalance", text);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		table_out_column(app.table, columns[i]);
	write_ranks(&app, what);
	vec_free(&app.open);
	table_out_end(app.table, true);
	return 0;
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_WORD,
	 .choices = "amgx|lulesh|minisweep|pingpong|senders|sw4lite",
	 .meaning = "whose messages; senders: four messages from each rank of the first half"},
	{.key = "ranks",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .def = "32",
	 .meaning = "how many; lulesh: a cube"},
	{.key = "iterations",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1 << 24,
	 .def = "5",
	 .meaning = "of the region loop"},
	{.key = "compute",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "computation of an iteration; else 20ms of amgx, 30ms of lulesh, 40ms of "
		    "minisweep, 15ms of sw4lite, none of the others"},
	{.key = "imbalance",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1,
	 .def = "0",
	 .meaning = "each rank's computation of an iteration differs by up to this part of it, at "
		    "random"},
	{.key = "scaling",
	 .type = PARAM_WORD,
	 .choices = "weak|strong",
	 .def = "weak",
	 .meaning = "whether the problem grows with the ranks, or is that of 32 (lulesh: 27)"},
	{.key = "bytes",
	 .type = PARAM_BYTES,
	 .def = "8MiB",
	 .meaning = "of a message of pingpong and senders"},
	{.key = "blocks",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .def = "4",
	 .meaning =
		 "into which minisweep cuts a sweep: one after the other goes through the ranks"},
	{.key = "location",
	 .type = PARAM_WORD,
	 .choices = "gpu|host|unknown",
	 .def = "gpu",
	 .meaning = "where buffers are"},
	{0}};

const struct workload workload_mpi = {
	.entry = {.name = "mpi",
		  .example = "mpi:app=lulesh,ranks=8,iterations=2",
		  .summary = "a trace of an MPI + GPU code: its messages, and computation between",
		  .paper = "Khetawat 2022, ch. 3",
		  .params = params},
	.write = write,
};
