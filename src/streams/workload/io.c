/* io.c - the I/O of the applications of Khetawat's study of burst buffers */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/str.h"
#include "model/kinds.h"
#include "workload/workload.h"

/*
 * The traces of the study are not public. What its text and tables say of them is here: ranks and
 * bytes of table 2.2 (whose MB is 2^20 bytes), who writes what when of section 2.6.2 and figure
 * 2.7. Times within what they leave open are our choice, and parameters.
 */
struct app {
	const char *name;
	int64_t nranks;
	double mean_bytes; /* of all ranks, in all phases, or in one (is_of_phase) */
	bool is_of_phase;
	double at_s, every_s;
	int64_t count;     /* phases */
	bool spares_first; /* rank 0 writes nothing */
	int nfiles;        /* that a rank writes in each phase, one after the other */
	int nwrites;       /* of each */
	int64_t wave;      /* ranks that begin a phase together; 0: all */
	double least_s,
		jitter_s; /* a rank's phase begins later by the first, and up to the second */
};

#define MIB 1048576.0

static const struct app apps[] = {
	{.name = "gtc",
	 .nranks = 7680,
	 .mean_bytes = 669.41 * MIB,
	 .at_s = 100,
	 .count = 1,
	 .spares_first = true,
	 .nfiles = 1,
	 .nwrites = 1,
	 .jitter_s = .05},
	{.name = "hacc",
	 .nranks = 8192,
	 .mean_bytes = 386.39 * MIB,
	 .count = 1,
	 .nfiles = 1,
	 .nwrites = 2,
	 .least_s = 1,
	 .jitter_s = 39},
	{.name = "ior",
	 .nranks = 768,
	 .mean_bytes = 1024 * MIB,
	 .is_of_phase = true,
	 .every_s = 9,
	 .count = 1,
	 .nfiles = 1,
	 .nwrites = 1},
	{.name = "lammps",
	 .nranks = 21600,
	 .mean_bytes = 19.78 * MIB,
	 .count = 1,
	 .nfiles = 6,
	 .nwrites = 1},
	{.name = "s3d",
	 .nranks = 6000,
	 .mean_bytes = 154.49 * MIB,
	 .at_s = 11,
	 .every_s = 45,
	 .count = 3,
	 .wave = 400,
	 .spares_first = true,
	 .nfiles = 1,
	 .nwrites = 1},
};

struct plan {
	const struct app *app;
	struct table_out *table;
	uint64_t seed;
	int64_t nranks, nphases;
	int64_t bytes; /* of a rank that writes, in a phase */
	int64_t wave;  /* ranks that begin together; 0: all */
	double at_s, every_s, wave_s, jitter_s;
	bool is_shared;
};

static void write_op(const struct plan *plan, int64_t rank, const char *op, double start_s,
		     int64_t bytes, const char *file, int64_t offset)
{
	struct table_out *table = plan->table;

	table_out_int(table, 0, rank);
	table_out_text(table, 1, op);
	table_out_seconds(table, 2, llround(start_s * 1e9));
	table_out_int(table, 3, bytes);
	table_out_text(table, 4, file);
	table_out_int(table, 5, offset);
	table_out_emit(table);
}

/* The rank's part of a phase: its files one after the other, all planned for the same time. */
static void write_phase(const struct plan *plan, int64_t rank, int64_t phase, double start_s)
{
	const struct app *app = plan->app;

	for (int file = 0; file < app->nfiles; file++) {
		int64_t first = plan->bytes * file / app->nfiles;
		int64_t size = plan->bytes * (file + 1) / app->nfiles - first;
		int64_t base = plan->is_shared ? rank * plan->bytes + first : 0;
		char *name = plan->is_shared ? xasprintf("%s.%" PRId64, app->name, phase)
					     : xasprintf("%s.%" PRId64 ".%" PRId64 ".%d", app->name,
							 rank, phase, file);

		for (int i = 0; i < app->nwrites; i++) {
			int64_t from = size * i / app->nwrites, to = size * (i + 1) / app->nwrites;

			write_op(plan, rank, "write", start_s, to - from, name, base + from);
		}
		free(name);
	}
}

static void write_rank(const struct plan *plan, int64_t rank)
{
	const struct app *app = plan->app;
	char number[24];
	struct rng rng;

	if (app->spares_first && rank == 0)
		return;
	snprintf(number, sizeof(number), "%" PRId64, rank);
	rng = rng_make(plan->seed, "io", app->name, number);
	for (int64_t phase = 0; phase < plan->nphases; phase++) {
		double start_s = plan->at_s + (double)phase * plan->every_s;

		start_s += app->least_s + rng_unit(&rng) * plan->jitter_s;
		if (plan->wave > 0)
			start_s += (double)((rank - app->spares_first) / plan->wave) * plan->wave_s;
		write_phase(plan, rank, phase, start_s);
	}
}

static int make_plan(struct plan *plan, const struct pick *pick, struct err *err)
{
	double bytes;

	for (size_t i = 0; i < sizeof(apps) / sizeof(apps[0]); i++)
		if (pick_is(pick, "app", apps[i].name))
			plan->app = &apps[i];
	plan->nranks = pick_has(pick, "ranks") ? pick_int(pick, "ranks") : plan->app->nranks;
	plan->nphases = pick_has(pick, "count") ? pick_int(pick, "count") : plan->app->count;
	plan->at_s = pick_has(pick, "at") ? pick_real(pick, "at") : plan->app->at_s;
	plan->every_s = pick_has(pick, "every") ? pick_real(pick, "every") : plan->app->every_s;
	plan->wave = pick_has(pick, "wave") ? pick_int(pick, "wave") : plan->app->wave;
	plan->jitter_s = pick_has(pick, "jitter") ? pick_real(pick, "jitter") : plan->app->jitter_s;
	plan->wave_s = pick_real(pick, "wave-every");
	plan->is_shared = pick_is(pick, "file", "shared");
	bytes = pick_has(pick, "bytes") ? pick_real(pick, "bytes") : plan->app->mean_bytes;
	if (plan->nranks < 2 && plan->app->spares_first)
		return err_set(err, "io: rank 0 of %s writes nothing: expected ranks=2 or more",
			       plan->app->name);
	if (plan->app->spares_first)
		bytes = bytes * (double)plan->nranks / (double)(plan->nranks - 1);
	if (!plan->app->is_of_phase)
		bytes /= (double)plan->nphases;
	if (bytes * (double)plan->nranks > 9e18)
		return err_set(err, "io: bytes: more than 2^63 bytes in a file");
	plan->bytes = llround(bytes);
	return 0;
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	static const char *const columns[] = {"rank", "op", "start_s", "bytes", "file", "offset"};
	struct plan plan = {.seed = input->seed};
	char text[24];

	if (make_plan(&plan, pick, err) != 0)
		return -1;
	plan.table = table_out_new(input->out, &kind_iotrace);
	workload_record(input, plan.table);
	table_out_meta(plan.table, "timing", "start");
	snprintf(text, sizeof(text), "%" PRId64, plan.nranks);
	table_out_meta(plan.table, "ranks", text);
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		table_out_column(plan.table, columns[i]);
	for (int64_t rank = 0; rank < plan.nranks; rank++)
		write_rank(&plan, rank);
	table_out_end(plan.table, true);
	return 0;
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_WORD,
	 .choices = "gtc|hacc|ior|lammps|s3d",
	 .meaning = "the application: GTC writes once after 100 s; HACC twice after a delay of "
		    "1 to 40 s; IOR at once; LAMMPS six files at once; S3D in three phases, in "
		    "waves of ranks. Rank 0 of GTC and S3D writes nothing"},
	{.key = "ranks",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 24,
	 .optional = true,
	 .meaning = "number of ranks; default: that of the study"},
	{.key = "bytes",
	 .type = PARAM_BYTES,
	 .optional = true,
	 .unit = "B",
	 .meaning = "mean of all ranks, in all phases together (IOR: in each); default: that of "
		    "the study"},
	{.key = "at",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "begin of the first phase; default: that of the study"},
	{.key = "every",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "time from one phase to the next; default 45 s for S3D, 9 s for IOR"},
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 20,
	 .optional = true,
	 .meaning = "number of phases; default 3 for S3D, 1 for the others"},
	{.key = "wave",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1 << 24,
	 .optional = true,
	 .unit = "ranks",
	 .meaning = "ranks that begin a phase together, in the order of their numbers; 0: all; "
		    "default 400 for S3D"},
	{.key = "wave-every",
	 .type = PARAM_DURATION,
	 .def = "1s",
	 .unit = "s",
	 .meaning = "time from one wave to the next"},
	{.key = "jitter",
	 .type = PARAM_DURATION,
	 .optional = true,
	 .unit = "s",
	 .meaning = "ranks begin a phase later by up to this, each by its own; default 50ms for "
		    "GTC, 39s for HACC"},
	{.key = "file",
	 .type = PARAM_WORD,
	 .choices = "own|shared",
	 .def = "own",
	 .meaning = "files of each rank, or one file in each phase"},
	{0}};

const struct workload workload_io = {
	.entry = {.name = "io",
		  .example = "io:app=s3d,ranks=12,wave=4,bytes=1MiB",
		  .summary = "the I/O of an application of the study of burst buffers, an iotrace",
		  .paper = "Khetawat 2022, tables 2.2 and 2.3, §2.6.2",
		  .params = params},
	.write = write,
};
