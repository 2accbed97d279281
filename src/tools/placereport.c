/* placereport.c - a night's streams as one page */
#include "base/cli.h"
#include "base/options.h"
#include "base/str.h"
#include "base/time.h"
#include "formats/out.h"
#include "place/policy/policy.h"
#include "report/report.h"

static const char *to, *title = "Placement report", *since, *until, *at;
static struct report_options how;
static const char *rule = "nedd", *possible = "fewer-router";
static struct cli_list alarms, also, notes;
static struct report_others others;

static const struct option_def options[] = {
	OPT_WORD('T', "to", &to, "FORMAT", "html|text|md|json|openmetrics",
		 "What to write: one self-contained HTML page, plain text for mail, "
		 "Markdown, JSON, which --baseline reads, or OpenMetrics, for the textfile "
		 "collector of node_exporter.",
		 .def = "html"),
	OPT_TEXT(0, "title", &title, "TEXT", "The title of the page.", .def = "Placement report"),
	OPT_TEXT(0, "since", &since, "TIME",
		 "Start of the time that every number is of; jobs are clipped to it. Seconds "
		 "since the epoch, or ISO 8601 with its zone. Default: the stream's ##since=, "
		 "else the first start, but no earlier than a day before the end where jobs "
		 "still run."),
	OPT_TEXT(0, "until", &until, "TIME",
		 "End of that time. Default: the stream's ##until=, else the last time that "
		 "its jobs know of, with the running time of those that run."),
	OPT_TEXT(0, "at", &at, "TIME",
		 "Show the machine and its jobs at this time, instead of the mean over the "
		 "whole time."),
	OPT_LIST(0, "alarm", &alarms, "METRIC>X|METRIC<X",
		 "Raise an alarm on the page, and exit with status 1."),
	OPT_FILE(0, "baseline", &how.baseline, "FILE",
		 "An earlier report, written by --to json; the page shows what changed."),
	OPT_LIST(0, "also", &also, "FORMAT=FILE", "Write the same night in another format, too."),
	OPT_LIST(0, "note", &notes, "TEXT",
		 "A sentence for the verdict, such as what could not be asked."),
	OPT_FLAG(0, "pseudonyms", &how.night.pseudonyms,
		 "Replace users and accounts by user1, account1, ..., in the order in which they "
		 "come, and leave out applications and commands: for a page that others may read."),
	OPT_PICK(0, "possible", &possible, "POLICY", &alloc_policies,
		 "The policy that shows what was possible for the worst placed jobs: "
		 "it chooses for each among the nodes that were idle at its start.",
		 .def = "fewer-router"),
	OPT_PICK(0, "rule", &rule, "POLICY", &alloc_policies,
		 "The same for jobs that are sensitive to the network, by the traffic "
		 "before they started.",
		 .def = "nedd"),
	OPT_PICK(0, "replay", &how.night.replay, "POLICY", &alloc_policies,
		 "Replay jobs by EASY with and without what they ask of the network: its cost."),
	{0}};

static const char *const usage[] = {
	"[-t TOPOLOGY] [--to FORMAT] [--title TEXT] [--since TIME] [--until TIME] [--at TIME] "
	"[--possible POLICY] [--rule POLICY] [--replay POLICY] [--alarm METRIC>X]… "
	"[--baseline FILE] [--also FORMAT=FILE]… [--note TEXT]… [--pseudonyms] STREAM…",
	NULL};

static const struct tool tool = {
	.name = "placereport",
	.summary = "report a night's placements on one page",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_PARTIAL | CLI_STRICT,
	.max_operands = -1,
};

static int read_time(const char *option, const char *text, int64_t *ns, struct err *err)
{
	*ns = JOB_NO_TIME;
	return text == NULL || time_read(text, ns, err) == 0 ? 0
							     : err_prefix(err, "--%s: ", option);
}

static int check_operands(char **paths, struct err *err)
{
	if (paths[0] == NULL)
		return err_set(err, "no STREAM was given: expected files of the kinds "
				    "jobs, nodes, traffic or metrics");
	for (char **path = paths; *path != NULL; path++)
		if (str_eq(*path, "-"))
			return err_set(err, "standard input: expected files, as a report "
					    "reads its inputs more than once");
	return 0;
}

/* picks [2]: the rule, and what was possible. */
static int read_options(struct pick *picks, struct err *err)
{
	if (read_time("since", since, &how.night.since_ns, err) != 0 ||
	    read_time("until", until, &how.night.until_ns, err) != 0 ||
	    read_time("at", at, &how.night.at_ns, err) != 0)
		return -1;
	if (pick_parse(&picks[0], &alloc_policies, rule, err) != 0)
		return err_prefix(err, "--rule: ");
	if (pick_parse(&picks[1], &alloc_policies, possible, err) != 0)
		return err_prefix(err, "--possible: ");
	how.night.rule = &picks[0];
	how.night.possible = &picks[1];
	how.notes = notes.at;
	how.nnotes = notes.n;
	how.title = title;
	how.alarms = alarms.at;
	how.nalarms = alarms.n;
	how.others = &others;
	return report_others_read(&others, also.at, also.n, err);
}

static int write_page(const struct run_context *context, struct report_result *result,
		      struct err *err)
{
	struct out *out;

	how.format = report_format_of(to, context->output);
	if (out_open(&out, context->output, NULL, err) != 0)
		return -1;
	if (report_write(&how, out, result, err) != 0) {
		out_close(out, false, &(struct err){0});
		return -1;
	}
	return out_close(out, true, err);
}

static int run(const struct run_context *context, char **paths, struct err *err)
{
	struct report_result result;
	struct pick picks[2] = {{0}, {0}};
	int status = check_operands(paths, err);

	how.night.context = context;
	how.night.paths = paths;
	if (status == 0)
		status = read_options(picks, err);
	if (status == 0)
		status = write_page(context, &result, err);
	pick_free(&picks[0]);
	pick_free(&picks[1]);
	if (status != 0)
		return -1;
	return !result.is_whole ? EXIT_TROUBLE : result.nalarms > 0 ? EXIT_NO : EXIT_YES;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
