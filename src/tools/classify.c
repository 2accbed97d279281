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
		 "Network-sensitive is what spends more than this fraction of its execution time "
		 "in MPI. It is recorded as ##threshold=.",
		 .def = "0.33"),
	OPT_FLAG(0, "smooth", &how.smooth,
		 "Give the sensitivity between 0 and 1, linear in the fraction between --low and "
		 "--high, instead of 0 or 1."),
	OPT_REAL(0, "low", &how.low, "FRACTION", 0, 1,
		 "With --smooth: the fraction up to which the sensitivity is 0.", .def = "0.193"),
	OPT_REAL(0, "high", &how.high, "FRACTION", 0, 1,
		 "With --smooth: the fraction from which on it is 1.", .def = "0.482"),
	OPT_FILE('d', "database", &db_path, "FILE",
		 "Classify jobs by this database of profiles: by their application, else by their "
		 "binary, and their number of nodes."),
	OPT_OUTPUT(0, "learn", &how.learn_path, "FILE",
		   "Add the profiles of the input to this database; those of applications and node "
		   "counts that it knows already stay as they are."),
	OPT_FLAG(0, "calibrate", &calibrate,
		 "Read profiles that have a slowdown, and write the thresholds that tell those "
		 "which congestion slows down from the others; status 1 when none does."),
	OPT_REAL(0, "tolerance", &tolerance, "RATIO", 1, 1e6,
		 "With --calibrate: a slowdown up to this one is none.", .def = "1.05"),
	{0}};

static const char *const usage[] = {"[--threshold FRACTION] [--smooth] [--learn FILE] [PROFILES…]",
				    "-d FILE [--threshold FRACTION] [--smooth] [JOBS…]",
				    "--calibrate [--tolerance RATIO] [PROFILES…]", NULL};

static const struct tool tool = {
	.name = "classify",
	.summary = "tell network-sensitive from network-insensitive applications",
	.usage = usage,
	.options = options,
	.common = CLI_PARTIAL,
	.max_operands = -1,
};

static void check_options(void)
{
	if (!how.smooth && (how.low != NOT_GIVEN || how.high != NOT_GIVEN))
		die("--low and --high bound the sensitivity of --smooth, which is missing");
	if (!calibrate && tolerance != NOT_GIVEN)
		die("--tolerance is for --calibrate, which is missing");
	how.low = how.low != NOT_GIVEN ? how.low : CLASSIFY_LOW;
	how.high = how.high != NOT_GIVEN ? how.high : CLASSIFY_HIGH;
	tolerance = tolerance != NOT_GIVEN ? tolerance : 1.05;
	if (how.low >= how.high)
		die("--low %g is not less than --high %g", how.low, how.high);
	if (db_path != NULL && (how.learn_path != NULL || calibrate))
		die("-d classifies jobs: it does not go with --learn or --calibrate");
	if (how.learn_path != NULL && calibrate)
		die("--learn and --calibrate do not go together");
}

static int run(struct table_in *in, struct out *out)
{
	struct table_out *table = table_out_new(out, calibrate ? &kind_metrics : table_kind(in));
	struct classify_counts counts = {0};
	bool separates = true, whole;
	struct err err;

	if ((calibrate ? classify_calibration(in, table, tolerance, &separates, &err)
		       : classify_stream(in, table, &how, &counts, &err)) != 0)
		die("%s", err.msg);
	if (!calibrate)
		say("network-sensitive=%zu network-insensitive=%zu unprofiled=%zu learned=%zu",
		    counts.nsensitive, counts.ninsensitive, counts.nunprofiled, counts.nlearned);
	whole = table_is_whole(in);
	table_out_end(table, whole);
	return !whole ? EXIT_TROUBLE : separates ? EXIT_YES : EXIT_NO;
}

int main(int argc, char **argv)
{
	static const struct table_kind *const kinds[] = {&kind_profile, &kind_jobs, NULL};
	struct profile_db *db = NULL;
	struct table_in *in;
	struct out *out;
	struct err err;
	int status;

	argv += cli_parse(&tool, argc, argv);
	check_options();
	if (db_path != NULL && profile_db_open(&db, db_path, &err) != 0)
		die("-d: %s", err.msg);
	how.db = db;
	if (table_open(&in, db != NULL ? kinds + 1 : kinds, argv, &err) != 0)
		die("%s", err.msg);
	if (db == NULL && table_kind(in) == &kind_jobs)
		die("jobs are classified by a database of profiles: -d FILE is missing");
	if (out_open(&out, cli.output, &err) != 0)
		die("%s", err.msg);
	status = run(in, out);
	table_close(in);
	profile_db_close(db);
	if (out_close(out, status != EXIT_TROUBLE, &err) == 0)
		return cli_finish(status);
	if (err.msg[0] != '\0')
		die("%s", err.msg);
	return EXIT_TROUBLE;
}
