/* classify.c - which jobs suffer from network congestion, by their time in MPI */
#include "traffic/classify/classify_stream.h"
#include "base/cli.h"
#include "base/options.h"
#include "formats/out.h"
#include "model/kinds.h"

enum { NOT_GIVEN = -1 }; /* less than any of these options can be */

static struct classify_options how = {.threshold = CLASSIFY_THRESHOLD,
				      .low = NOT_GIVEN,
				      .high = NOT_GIVEN,
				      .spread = 1,
				      .teach = {.ridge = 1, .tolerance = NOT_GIVEN}};
static struct classifier model;
static bool calibrate, train, test;
static const char *db_path;

static const struct option_def options[] = {
	OPT_REAL(0, "threshold", &how.threshold, "FRACTION", 0, 1,
		 "An application is network-sensitive if it spends more than this "
		 "fraction of its execution time in MPI. Recorded as ##threshold=.",
		 .def = "0.33"),
	OPT_FLAG(0, "smooth", &how.smooth,
		 "Write a sensitivity between 0 and 1, linear in the fraction between "
		 "--low and --high, instead of 0 or 1."),
	OPT_REAL(0, "low", &how.low, "FRACTION", 0, 1,
		 "With --smooth: the fraction up to which the sensitivity is 0.", .def = "0.193"),
	OPT_REAL(0, "high", &how.high, "FRACTION", 0, 1,
		 "With --smooth: the fraction from which the sensitivity is 1.", .def = "0.482"),
	OPT_FILE('d', "database", &db_path, "FILE",
		 "Classify jobs by this database of profiles: by application, else by "
		 "binary, and by number of nodes."),
	OPT_OUTPUT(0, "learn", &how.learn_path, "FILE",
		   "Add the profiles of the input to this database. Applications and node"
		   " counts that it has already stay unchanged."),
	OPT_REAL(0, "range", &how.spread, "FACTOR", 1, 1e6,
		 "A learned profile without a range applies to node counts up to this factor "
		 "below and above its own, as far as no other profile does.",
		 .def = "1", .with = "learn"),
	OPT_FLAG(0, "calibrate", &calibrate,
		 "Read profiles that have a slowdown, and write the thresholds that "
		 "separate applications that congestion slows down from the others. Exit "
		 "status 1 if there is none."),
	OPT_FLAG(0, "train", &train,
		 "Read profiles that have a slowdown, and write a logistic model of their "
		 "columns."),
	OPT_TEXT(0, "columns", &how.teach.columns, "COLUMN,COLUMN",
		 "What the model reads. Default: all fractions that the profiles have.",
		 .with = "train"),
	OPT_REAL(0, "ridge", &how.teach.ridge, "X", 0, 1e9,
		 "Penalty of large weights: half of this times the sum of their squares.",
		 .def = "1", .with = "train"),
	OPT_FILE('m', "model", &how.model_path, "MODEL",
		 "Classify by this model instead of the threshold: sensitive if its "
		 "probability, which is the sensitivity, is above one half."),
	OPT_FLAG(0, "test", &test,
		 "Read profiles that have a slowdown, and write how many of them the "
		 "threshold, and the model, classify correctly."),
	OPT_REAL(0, "tolerance", &how.teach.tolerance, "RATIO", 1, 1e6,
		 "With --calibrate, --train, --test: a slowdown up to this does not count.",
		 .def = "1.05"),
	{0}};

static const char *const usage[] = {
	"[--threshold FRACTION | --model MODEL] [--smooth] [--learn FILE] [PROFILES…]",
	"-d FILE [--threshold FRACTION | --model MODEL] [--smooth] [JOBS…]",
	"--calibrate | --train | --test [--model MODEL] [--tolerance RATIO] [PROFILES…]", NULL};

static const struct tool tool = {
	.name = "classify",
	.summary = "separate network-sensitive from network-insensitive applications",
	.usage = usage,
	.options = options,
	.common = CLI_PARTIAL,
	.max_operands = -1,
};

static int check_options(struct err *err)
{
	if (!how.smooth && (how.low != NOT_GIVEN || how.high != NOT_GIVEN))
		return err_set(err, "--low and --high bound the sensitivity of --smooth, which is "
				    "missing");
	if (!calibrate && !train && !test && how.teach.tolerance != NOT_GIVEN)
		return err_set(err, "--tolerance is for --calibrate, --train and --test");
	how.low = how.low != NOT_GIVEN ? how.low : CLASSIFY_LOW;
	how.high = how.high != NOT_GIVEN ? how.high : CLASSIFY_HIGH;
	how.teach.tolerance = how.teach.tolerance != NOT_GIVEN ? how.teach.tolerance : 1.05;
	if (how.low >= how.high)
		return err_set(err, "--low %g is not less than --high %g", how.low, how.high);
	if (calibrate + train + test + (db_path != NULL) + (how.learn_path != NULL) > 1)
		return err_set(err, "expected one of -d, --learn, --calibrate, --train and --test");
	if (how.model_path != NULL && (calibrate || train || how.smooth))
		return err_set(err, "--model does not go with --calibrate, --train and --smooth");
	if (how.model_path != NULL && how.threshold != CLASSIFY_THRESHOLD && !test)
		warn_no_effect("--threshold", "the model decides");
	how.mode = test        ? CLASSIFY_TEST
		   : calibrate ? CLASSIFY_CALIBRATE
		   : train     ? CLASSIFY_TRAIN
			       : how.mode;
	return 0;
}

/* The model, then the database that it is asked about. */
static int open_files(const struct run_context *context, struct profile_db **db, struct err *err)
{
	if (how.model_path != NULL) {
		if (classifier_read(&model, how.model_path, context->accepts_partial, err) != 0)
			return err_prefix(err, "--model: ");
		how.model = &model;
	}
	if (db_path != NULL &&
	    profile_db_open(db, db_path, how.model, context->accepts_partial, err) != 0)
		return err_prefix(err, "-d: ");
	how.db = *db;
	return 0;
}

static int run(const struct run_context *context, char **paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_profile, &kind_jobs, NULL};
	struct profile_db *db = NULL;
	struct table_in *in = NULL;
	struct out *out = NULL;
	bool separates = true, whole = false;
	int status = check_options(err);

	if (status == 0)
		status = open_files(context, &db, err);
	if (status == 0)
		status = table_open(&in, db != NULL ? kinds + 1 : kinds, paths,
				    context->accepts_partial, err);
	if (status == 0 && db == NULL && table_kind(in) == &kind_jobs)
		status = err_set(
			err, "jobs are classified by a database of profiles: -d FILE is missing");
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0)
		status = classify_pass(context, in, out, &how, &separates, &whole, err);
	status = out_finish(out, status, whole, err);
	table_close(in);
	profile_db_close(db);
	classifier_free(&model);
	return status != 0 ? -1 : !whole ? EXIT_TROUBLE : separates ? EXIT_YES : EXIT_NO;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
