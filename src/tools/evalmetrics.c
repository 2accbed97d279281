/* evalmetrics.c - measure any of the streams */
#include <stdlib.h>

#include "measure/metric/eval.h"
#include "base/cli.h"
#include "base/options.h"
#include "base/mem.h"
#include "base/time.h"
#include "formats/out.h"
#include "formats/table.h"
#include "model/kinds.h"

static struct cli_list metric_picks, traffic_files;
static struct eval_options eval = {.expected = -1};
static const char *at;

static const struct option_def options[] = {
	OPT_PICKS('m', "metric", &metric_picks, "METRIC", &metrics,
		  "What to measure. Default: everything that the stream and the other "
		  "options allow."),
	OPT_TEXT(0, "by", &eval.by, "COLUMNS",
		 "Summarise rows that agree in these columns (names separated by commas);"
		 " a single dot means the whole stream. Default: measure each row "
		 "separately."),
	OPT_FLAG(0, "each", &eval.each,
		 "With --by: write single rows in addition to "
		 "their summaries."),
	OPT_TEXT(0, "baseline", &eval.baseline, "COLUMN=VALUE|FILE",
		 "Add the columns baseline and ratio. The baseline of a row is the row "
		 "that is equal but for VALUE in COLUMN (one of --by, or run or policy), "
		 "or the same row of FILE, an earlier metrics table."),
	OPT_FLAG(0, "paired", &eval.paired,
		 "With --baseline COLUMN=VALUE: write the differences of each row to its "
		 "baseline, summarised over all of these pairs, or those that agree in "
		 "--by, with a sign test and Wilcoxon's signed-rank test."),
	OPT_REAL(0, "ci", &eval.ci, "LEVEL", 0.5, 0.9999,
		 "With --by or --paired: add the interval of the mean at this level, such "
		 "as 0.95, by the bootstrap."),
	OPT_FILES(0, "traffic", &traffic_files, "TRAFFIC",
		  "The traffic by which placements were decided, for the metrics traffic "
		  "and stall."),
	OPT_TEXT(0, "at", &at, "TIME",
		 "Of jobs, measure only those that run at this time: seconds since the epoch, or "
		 "ISO 8601 with its zone."),
	OPT_FILE('g', "graph", &eval.graph, "COMM",
		 "What the ranks of a mapping send, a comm stream. If it has a column "
		 "job, each mapping uses the rows of its job."),
	OPT_OUTPUT(0, "links", &eval.links, "FILE",
		   "Write what each direction of each link carries, a links stream."),
	OPT_PICK('r', "routing", &eval.routing, "ROUTING", &routings, "Routes for hops and loads.",
		 .def = "the machine's own, else minimal"),
	OPT_REAL(
		0, "expected", &eval.expected, "F", 0, 1,
		"Count the loads that an adaptive routing is expected to cause, instead of those of "
		"one path: equal minimal paths share a message, and F is the part that takes "
		"minimal paths where the routing has detours.",
		.with = "graph"),
	{0}};

static const char *const usage[] = {"[-t TOPOLOGY] [-m METRIC]… [--by COLUMNS [--each]] "
				    "[--baseline COLUMN=VALUE|FILE [--paired]] [--ci LEVEL] "
				    "[--traffic TRAFFIC]… [--at TIME] [STREAM…]",
				    "[-t TOPOLOGY] -g COMM [-m METRIC]… [--links FILE] [MAPPING…]",
				    NULL};
static const struct registry *const registries[] = {&metrics, &routings, NULL};

static const struct tool tool = {
	.name = "evalmetrics",
	.summary = "measure placements and other streams",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_PARTIAL | CLI_SEED,
	.registries = registries,
	.max_operands = -1,
};

static int run(const struct run_context *context, char **paths, struct err *err)
{
	char **traffic = NULL;
	struct table_in *in;
	struct out *out = NULL;
	bool whole = false;
	int status;

	if (eval.each && eval.by == NULL)
		return err_set(err,
			       "--each goes with --by; without it single rows are what is written");
	if (eval.ci > 0 && eval.by == NULL && !eval.paired)
		return err_set(err, "--ci goes with --by or --paired: a single value has no mean");
	if (eval.paired && eval.each)
		return err_set(err, "--each does not go with --paired");
	if (at != NULL && time_read(at, &eval.at_ns, err) != 0)
		return err_prefix(err, "--at: ");
	eval.has_at = at != NULL;
	if (table_open(&in, all_kinds, paths, context->accepts_partial, err) != 0)
		return -1;
	if (at != NULL && table_kind(in) != &kind_jobs) {
		err_set(err, "--at: a %s stream has no jobs that run", table_kind(in)->name);
		table_close(in);
		return -1;
	}
	if (traffic_files.n > 0)
		traffic = xcalloc((size_t)traffic_files.n + 1, sizeof(*traffic));
	for (int i = 0; i < traffic_files.n; i++)
		traffic[i] = (char *)traffic_files.at[i];
	eval.metrics = metric_picks.at;
	eval.nmetrics = metric_picks.n;
	eval.traffic = traffic;
	status = out_open(&out, context->output, context->command, err);
	if (status == 0)
		status = eval_stream(context, in, &eval, out, &whole, err);
	status = out_finish(out, status, whole, err);
	table_close(in);
	free(traffic);
	return status != 0 ? -1 : whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
