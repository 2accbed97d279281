/* evalmetrics.c - measure any of the streams */
#include <stdlib.h>

#include "measure/metric/eval.h"
#include "base/cli.h"
#include "base/options.h"
#include "base/mem.h"
#include "formats/out.h"
#include "formats/table.h"
#include "model/kinds.h"

static struct cli_list metric_picks, traffic_files;
static const char *by, *baseline, *routing, *graph, *links;
static bool each;

static const struct option_def options[] = {
	OPT_PICKS('m', "metric", &metric_picks, "METRIC", &metrics,
		  "Measure this; several may be given. Without it: everything that the stream and "
		  "the other options allow."),
	OPT_TEXT(0, "by", &by, "COLUMNS",
		 "Summarise the rows that agree in these columns (names with commas between). A "
		 "single dot: the whole stream. Without it every row is measured on its own."),
	OPT_FLAG(0, "each", &each, "With --by: write the single rows beside their summaries."),
	OPT_TEXT(0, "baseline", &baseline, "COLUMN=VALUE|FILE",
		 "Add the columns baseline and ratio: beside each value that of the row which "
		 "agrees with it but has VALUE in COLUMN (one of --by, or run or policy), or that "
		 "of the same row in FILE, an earlier metrics table."),
	OPT_FILES(0, "traffic", &traffic_files, "TRAFFIC",
		  "The traffic that placements were decided from, for the metrics traffic and "
		  "stall."),
	OPT_FILE('g', "graph", &graph, "COMM",
		 "What the ranks of a mapping send, a stream of the kind comm. Where it has a "
		 "column job, each mapping takes the rows of its own."),
	OPT_OUTPUT(0, "links", &links, "FILE",
		   "Write what each direction of each link carries, a stream of the kind links."),
	OPT_PICK('r', "routing", &routing, "ROUTING", &routings,
		 "Routes to measure hops and loads on.", .def = "the machine's own, else minimal"),
	{0}};

static const char *const usage[] = {"[-t TOPOLOGY] [-m METRIC]… [--by COLUMNS [--each]] "
				    "[--baseline COLUMN=VALUE|FILE] [--traffic TRAFFIC]… "
				    "[STREAM…]",
				    "[-t TOPOLOGY] -g COMM [-m METRIC]… [--links FILE] [MAPPING…]",
				    NULL};
static const struct registry *const registries[] = {&metrics, &routings, NULL};

static const struct tool tool = {
	.name = "evalmetrics",
	.summary = "measure placements and every other stream",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_PARTIAL,
	.registries = registries,
	.max_operands = -1,
};

int main(int argc, char **argv)
{
	struct eval_options eval = {0};
	struct table_in *in;
	struct out *out;
	struct err err;
	char **traffic = NULL;
	bool whole;
	int status;

	argv += cli_parse(&tool, argc, argv);
	if (each && by == NULL)
		die("--each goes with --by; without it single rows are what is written");
	if (traffic_files.n > 0) {
		traffic = xcalloc((size_t)traffic_files.n + 1, sizeof(*traffic));
		for (int i = 0; i < traffic_files.n; i++)
			traffic[i] = xstrdup(traffic_files.at[i]);
	}
	eval = (struct eval_options){.metrics = metric_picks.at,
				     .nmetrics = metric_picks.n,
				     .by = by,
				     .each = each,
				     .baseline = baseline,
				     .topology = cli.topology,
				     .routing = routing,
				     .traffic = traffic,
				     .graph = graph,
				     .links = links};
	if (table_open(&in, all_kinds, argv, &err) != 0 || out_open(&out, cli.output, &err) != 0)
		die("%s", err.msg);
	if (eval_stream(in, &eval, out, &whole, &err) != 0) {
		if (err.msg[0] == '\0')
			return EXIT_TROUBLE;
		die("%s", err.msg);
	}
	status = whole ? EXIT_YES : EXIT_TROUBLE;
	if (out_close(out, whole, &err) != 0) {
		if (err.msg[0] != '\0')
			die("%s", err.msg);
		status = EXIT_TROUBLE;
	}
	table_close(in);
	for (int i = 0; i < traffic_files.n; i++)
		free(traffic[i]);
	free(traffic);
	return cli_finish(status);
}
