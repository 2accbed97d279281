/* trafficagg.c - network traffic intensity from monitoring counters */
#include <stdlib.h>

#include "traffic/traffic.h"
#include "base/cli.h"
#include "base/options.h"
#include "base/num.h"
#include "base/str.h"

static struct traffic_run_options how = {
	.window_s = 120, .late_s = -1, .thresholds = {0.05, 0.15, 0.25}};
static const char *per = "router", *classes;
static int64_t wrap_bits;

static const struct registry *const registries[] = {&sources, NULL};

static const struct option_def options[] = {
	OPT_PICK(0, "source", &how.source, "SOURCE", &sources,
		 "The kind of counters. Default: recognised by the first header; -v "
		 "reports which."),
	OPT_DURATION(0, "window", &how.window_s, "SECONDS", 1e-9, 1e9,
		     "Length of the windows over which rates are averaged: seconds, or "
		     "with a unit as 2min.",
		     .def = "120"),
	OPT_TEXT(0, "since", &how.since, "TIME",
		 "Start of the first window: seconds since the epoch, ISO 8601 with its "
		 "zone, or -SECONDS before the last sample of the files."),
	OPT_TEXT(0, "until", &how.until, "TIME", "End of the last window."),
	OPT_WORD(0, "per", &per, "WHAT", "router|node|link|region",
		 "One row per router, node or link, or per region of adjacent routers of "
		 "the same congestion class (needs -t).",
		 .def = "router"),
	OPT_TEXT(0, "classes", &classes, "PERCENT,PERCENT,PERCENT",
		 "With --per region: the percentages of stalled time of a router's "
		 "network tiles above which its class is 1, 2 and 3.",
		 .def = "5,15,25"),
	OPT_INT(0, "wrap", &wrap_bits, "BITS", 8, 64,
		"Counters wrap around at 2^BITS. Default: a counter that goes backwards "
		"was reset, and the interval is omitted."),
	OPT_DURATION(0, "max-gap", &how.gap_s, "SECONDS", 1e-9, 1e9,
		     "Omit intervals between two samples that are longer than this.",
		     .def = "the window"),
	OPT_DURATION(0, "late", &how.late_s, "SECONDS", 0, 1e9,
		     "Write a window as soon as a sample is newer than its end by more than this. "
		     "Default: wait until the window after the next one begins."),
	OPT_FLAG(0, "allow-empty", &how.allows_empty,
		 "Accept an input without any sample as complete. Otherwise the output "
		 "has no ##end, and the exit status is 1."),
	OPT_FILE(0, "header", &how.header, "FILE",
		 "The header of files that have none (store_csv with altheader=1). "
		 "Default: NAME.HEADER or NAME.HEADER.EPOCH in the same folder."),
	{0}};

static const char *const usage[] = {
	"[-t TOPOLOGY] [--source SOURCE] [--window SECONDS] [--since TIME] [--until TIME] "
	"[--per router|node|link|region] [--allow-empty] [FILE…]",
	NULL};

static const struct tool tool = {
	.name = "trafficagg",
	.summary = "network traffic intensity per router, node, link "
		   "or region from monitoring counters",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_PARTIAL,
	.registries = registries,
	.max_operands = -1,
};

static int read_classes(struct err *err)
{
	char *text = xstrdup(classes), *parts[REGION_CLASSES];
	bool good = str_split(text, ',', parts, REGION_CLASSES) == REGION_CLASSES - 1;

	for (int i = 0; i < REGION_CLASSES - 1 && good; i++) {
		good = num_real(parts[i], 0, 100, &how.thresholds[i]) == 0;
		how.thresholds[i] /= 100;
		good = good && (i == 0 || how.thresholds[i] >= how.thresholds[i - 1]);
	}
	free(text);
	return good ? 0
		    : err_set(err,
			      "--classes '%s': expected three ascending percentages, as 5,15,25",
			      classes);
}

static int run(const struct run_context *context, char **paths, struct err *err)
{
	static const char *const words[] = {"router", "node", "link", "region"};
	struct traffic_run run;
	struct out *out;
	int status;

	how.wrap_bits = (int)wrap_bits;
	while (!str_eq(per, words[how.per]))
		how.per++;
	if (classes != NULL && read_classes(err) != 0)
		return -1;
	if (classes != NULL && how.per != TRAFFIC_REGION)
		warn_no_effect("--classes", "only --per region has classes");
	if (out_open(&out, context->output, context->command, err) != 0)
		return -1;
	status = traffic_run(context, &run, &how, paths, out, err);
	if (status == 0)
		traffic_run_tell(&run, &how);
	if (out_finish(out, status, run.is_whole && !run.is_empty, err) != 0)
		return -1;
	return !run.is_whole ? EXIT_TROUBLE : run.is_empty ? EXIT_NO : EXIT_YES;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
