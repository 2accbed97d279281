/* classify.c - which jobs suffer from network congestion, by their time in MPI */
#include "traffic/classify/classify_stream.h"
#include "base/cli.h"
#include "base/options.h"
#include "formats/out.h"
#include "model/kinds.h"

enum { NOT_GIVEN = -1 }; /* less than any of these options can be */

static struct classify_options how = {
	.threshold = CLASSIFY_THRESHOLD, .low = NOT_GIVEN, .high = NOT_GIVEN};
static bool calibrate;
static double tolerance = NOT_GIVEN;
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
	OPT_FLAG(0, "calibrate", &calibrate,
		 "Read profiles that have a slowdown, and write the thresholds that "
		 "separate applications that congestion slows down from the others. Exit "
		 "status 1 if there is none."),
	OPT_REAL(0, "tolerance", &tolerance, "RATIO", 1, 1e6,
		 "With --calibrate: a slowdown up to this ratio does not count.", .def = "1.05"),
	{0}};

static const char *const usage[] = {"[--threshold FRACTION] [--smooth] [--learn FILE] [PROFILES…]",
				    "-d FILE [--threshold FRACTION] [--smooth] [JOBS…]",
				    "--calibrate [--tolerance RATIO] [PROFILES…]", NULL};

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
		return err_set(
			err,
			"--low and --high bound the sensitivity of --smooth, which is missing");
	if (!calibrate && tolerance != NOT_GIVEN)
		return err_set(err, "--tolerance is for --calibrate, which is missing");
	how.low = how.low != NOT_GIVEN ? how.low : CLASSIFY_LOW;
	how.high = how.high != NOT_GIVEN ? how.high : CLASSIFY_HIGH;
	tolerance = tolerance != NOT_GIVEN ? tolerance : 1.05;
	if (how.low >= how.high)
		return err_set(err, "--low %g is not less than --high %g", how.low, how.high);
	if (db_path != NULL && (how.learn_path != NULL || calibrate))
		return err_set(err,
			       "-d classifies jobs: it does not go with --learn or --calibrate");
	if (how.learn_path != NULL && calibrate)
		return err_set(err, "--learn and --calibrate do not go together");
	return 0;
}

static int pass(const struct run_context *context, struct table_in *in, struct out *out,
		bool *separates, bool *whole, struct err *err)
{
	struct table_out *table = table_out_new(out, calibrate ? &kind_metrics : table_kind(in));
	struct classify_counts counts = {0};
	int status = calibrate ? classify_calibration(in, table, tolerance, separates, err)
			       : classify_stream(context, in, table, &how, &counts, err);

	if (status == 0 && !calibrate)
		say("network-sensitive=%zu network-insensitive=%zu unprofiled=%zu learned=%zu",
		    counts.nsensitive, counts.ninsensitive, counts.nunprofiled, counts.nlearned);
	*whole = status == 0 && table_is_whole(in);
	table_out_end(table, *whole);
	return status;
}

static int run(const struct run_context *context, char **paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_profile, &kind_jobs, NULL};
	struct profile_db *db = NULL;
	struct table_in *in = NULL;
	struct out *out = NULL;
	bool separates = true, whole = false;
	int status = check_options(err);

	if (status == 0 && db_path != NULL &&
	    profile_db_open(&db, db_path, context->accepts_partial, err) != 0)
		status = err_prefix(err, "-d: ");
	how.db = db;
	if (status == 0)
		status = table_open(&in, db != NULL ? kinds + 1 : kinds, paths,
				    context->accepts_partial, err);
	if (status == 0 && db == NULL && table_kind(in) == &kind_jobs)
		status = err_set(
			err, "jobs are classified by a database of profiles: -d FILE is missing");
	if (status == 0)
		status = out_open(&out, context->output, context->command, err);
	if (status == 0)
		status = pass(context, in, out, &separates, &whole, err);
	status = out_finish(out, status, whole, err);
	table_close(in);
	profile_db_close(db);
	return status != 0 ? -1 : !whole ? EXIT_TROUBLE : separates ? EXIT_YES : EXIT_NO;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
