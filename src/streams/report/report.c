/* report.c - a night's streams become one page */
#include "base/foreign.h"
#include "report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/num.h"
#include "formats/json.h"
#include "measure/metric/metric.h"
#include "report/sections.h"

struct alarm {
	const char *text, *metric;
	char sign;
	double limit, value; /* NAN: it was not measured */
	bool is_raised;
};

struct report {
	const struct report_options *options;
	struct night night;
	struct page page;
	VEC(struct alarm) alarms;
};

/* ---- alarms ---- */

static double count_states(const struct night *night, const char *state)
{
	double n = 0;

	for (size_t i = 0; i < night->nodes.n; i++)
		n += str_eq(night->nodes.at[i].state, state);
	return n;
}

/* Numbers of the moment; NAN: there is no such name. */
static double value_of_moment(const struct night *night, const char *name)
{
	double waiting = 0, failed = 0;
	int64_t longest = 0;

	for (size_t i = 0; i < night->jobs.n; i++) {
		const struct night_job *job = &night->jobs.at[i];
		int64_t wait = night_wait(night, job);

		if (job->group != 0 || job->is_counted)
			continue;
		waiting += job->phase == NIGHT_WAITS;
		longest = wait > longest ? wait : longest;
		failed += job->state != NULL &&
			  (str_eq(job->state, "failed") || str_eq(job->state, "node_fail") ||
			   str_eq(job->state, "out_of_memory"));
	}
	if (str_eq(name, "jobs-waiting"))
		return waiting;
	if (str_eq(name, "jobs-failed"))
		return failed;
	if (str_eq(name, "wait-longest_s"))
		return (double)longest / 1e9;
	if (night->has_states && str_starts(name, "nodes-"))
		return count_states(night, name + 6);
	return NAN;
}

/* Whether a night may have such a number, if not this one. */
static bool may_be_measured(const struct night *night, const char *name)
{
	if (str_starts(name, "nodes-") || str_eq(name, "comm_time_s"))
		return true;
	for (size_t i = 0; i < night->inputs.n; i++)
		if (str_eq(night->inputs.at[i].kind, "metrics"))
			return true; /* of any name */
	for (int i = 0; i < metrics.n; i++) {
		const struct metric_output *output = metric_of(metrics.entries[i])->outputs;

		for (; output != NULL && output->name != NULL; output++)
			if (str_eq(output->name, name))
				return true;
	}
	return false;
}

static int add_alarm(struct report *report, const char *text, struct err *err)
{
	size_t n = strcspn(text, "<>");
	struct alarm alarm = {.text = text, .sign = text[n]};
	const struct night_metric *found;

	if (n == 0 || text[n] == '\0' || num_real(text + n + 1, -1e300, 1e300, &alarm.limit) != 0)
		return err_set(err, "--alarm: '%s' is not METRIC>NUMBER or METRIC<NUMBER", text);
	alarm.metric = arena_strndup(&report->page.arena, text, n);
	alarm.value = value_of_moment(&report->night, alarm.metric);
	if (isnan(alarm.value)) {
		found = report->night.policies.n > 0
				? night_metric(&report->night, report->night.policies.at[0],
					       alarm.metric)
				: NULL;
		if (found != NULL)
			alarm.value = isnan(found->mean) ? found->value : found->mean;
		else if (!may_be_measured(&report->night, alarm.metric))
			return err_set(err,
				       "--alarm: '%s' is not a number of a page, expected one "
				       "that evalmetrics measures, jobs-waiting, jobs-failed, "
				       "wait-longest_s or nodes-STATE",
				       alarm.metric);
	}
	if (isnan(alarm.value))
		warn("--alarm: '%s' was not measured", alarm.metric);
	alarm.is_raised = alarm.sign == '>' ? alarm.value > alarm.limit : alarm.value < alarm.limit;
	vec_push(&report->alarms, alarm);
	return 0;
}

static int count_raised(const struct report *report)
{
	int n = 0;

	for (size_t i = 0; i < report->alarms.n; i++)
		n += report->alarms.at[i].is_raised;
	return n;
}

static void section_alarms(struct report *report)
{
	struct page *page = &report->page;
	struct page_item *table;

	if (report->alarms.n == 0)
		return;
	page_section(page, "Alarms");
	page_sentence(page, page_text(page, "%d of %zu alarms were raised.", count_raised(report),
				      report->alarms.n));
	table = page_table(page, "Alarms",
			   (const char *const[]){"Metric", "Verdict", "Value", "Threshold", NULL});
	for (size_t i = 0; i < report->alarms.n; i++) {
		const struct alarm *alarm = &report->alarms.at[i];

		page_cell_text(page, table, alarm->metric);
		page_cell_text(page, table,
			       alarm->is_raised      ? "raised"
			       : isnan(alarm->value) ? "not measured"
						     : "quiet");
		page_cell_number(table, alarm->value, NULL);
		page_cell_text(page, table, alarm->text + strlen(alarm->metric));
	}
}

/* ---- against an earlier report ---- */

static const struct yaml *find_before(const struct yaml *list, const struct night_metric *row)
{
	for (size_t i = 0; list != NULL && list->type == YAML_LIST && i < list->n; i++) {
		const char *policy = yaml_text(list->items[i], "policy");
		const char *metric = yaml_text(list->items[i], "metric");

		if (policy != NULL && metric != NULL && str_eq(policy, row->policy) &&
		    str_eq(metric, row->metric))
			return list->items[i];
	}
	return NULL;
}

/* Opens the earlier report. 1; 0: it is none, and the page says so; -1: refused. */
static int open_before(struct report *report, struct yaml_file **file, struct err *err)
{
	const char *path = report->options->baseline;
	int status = json_open(file, path, err);

	if (status == 0 && (yaml_text(yaml_root(*file), "placereport") == NULL ||
			    yaml_get(yaml_root(*file), "metrics") == NULL)) {
		yaml_close(*file);
		status = err_set(err, "%s: not a report as placereport --to json writes it", path);
	}
	if (status == 0)
		return 1;
	if (report->options->night.context->is_strict || access(path, R_OK) != 0)
		return -1;
	warn("--baseline: %s", err->msg);
	page_section(&report->page, "Changes");
	page_sentence(
		&report->page,
		page_text(&report->page, "No comparison with an earlier report: %s.", err->msg));
	return 0;
}

static int section_changes(struct report *report, struct err *err)
{
	const char *path = report->options->baseline;
	struct page *page = &report->page;
	struct page_item *table;
	struct yaml_file *file;
	const struct yaml *list;
	int status;

	if (path == NULL || (status = open_before(report, &file, err)) == 0)
		return 0;
	if (status < 0)
		return -1;
	list = yaml_get(yaml_root(file), "metrics");
	page_section(page, "Changes");
	page_sentence(page, page_text(page, "Beside the report %s.", path));
	table = page_table(
		page, "Means against the earlier report",
		(const char *const[]){"Metric", "Policy", "Before", "Now", "Change", NULL});
	for (size_t i = 0; i < report->night.metrics.n; i++) {
		const struct night_metric *row = &report->night.metrics.at[i];
		const struct yaml *before = find_before(list, row);
		double now = isnan(row->mean) ? row->value : row->mean, then;

		if (before == NULL || yaml_text(before, "mean") == NULL ||
		    num_real(yaml_text(before, "mean"), -1e300, 1e300, &then) != 0)
			continue;
		page_cell_text(page, table, row->metric);
		page_cell_text(page, table, row->policy);
		page_cell_number(table, then, row->unit);
		page_cell_number(table, now, row->unit);
		page_cell_number(table, now - then, row->unit);
	}
	yaml_close(file);
	return 0;
}

/* ---- how it was made ---- */

static void section_made(struct report *report)
{
	struct page *page = &report->page;
	const struct night *night = &report->night;
	struct page_item *table, *log;

	page_section(page, "How it was made");
	page_sentence(page, night->is_whole
				    ? "All inputs were read to their ends."
				    : "An input was truncated: what is here may lack rows.");
	table = page_table(
		page, "Inputs",
		(const char *const[]){"File", "Kind", "Bytes", "FNV-1a of the text", NULL});
	for (size_t i = 0; i < night->inputs.n; i++) {
		page_cell_text(page, table, night->inputs.at[i].path);
		page_cell_text(page, table, night->inputs.at[i].kind);
		page_cell_number(table, (double)night->inputs.at[i].bytes, NULL);
		page_cell_text(page, table,
			       page_text(page, "%016" PRIx64, night->inputs.at[i].hash));
	}
	if (report->options->night.context->command == NULL)
		return;
	log = page_log(page, "Commands");
	for (size_t i = 0; i < night->commands.n; i++)
		page_log_line(page, log, night->commands.at[i]);
	page_log_line(page, log, report->options->night.context->command);
}

/* ---- JSON ---- */

static void put_number(struct out *out, const char *key, double value)
{
	char text[NUM_TEXT];

	if (isnan(value))
		return;
	num_print_real(text, value);
	out_printf(out, ", \"%s\": %s", key, text);
}

static void write_json(const struct report *report, struct out *out)
{
	char since[NUM_TEXT], until[NUM_TEXT];

	out_str(out, "{\n  \"placereport\": 1,\n  \"title\": ");
	out_foreign(out, foreign_json, report->page.title);
	num_print_seconds(since, report->night.since_ns);
	num_print_seconds(until, report->night.until_ns);
	out_printf(out,
		   ",\n  \"whole\": %s,\n  \"since\": %s,\n  \"until\": %s,\n  \"skipped\": %lld,"
		   "\n  \"alarms\": [",
		   report->night.is_whole ? "true" : "false", since, until,
		   (long long)report->night.nskipped);
	for (size_t i = 0; i < report->alarms.n; i++) {
		const struct alarm *alarm = &report->alarms.at[i];

		out_printf(out, "%s{\"alarm\": ", i > 0 ? ", " : "");
		out_foreign(out, foreign_json, alarm->text);
		put_number(out, "value", alarm->value);
		out_printf(out, ", \"raised\": %s}", alarm->is_raised ? "true" : "false");
	}
	out_str(out, "],\n  \"metrics\": [");
	for (size_t i = 0; i < report->night.metrics.n; i++) {
		const struct night_metric *row = &report->night.metrics.at[i];

		out_str(out, i > 0 ? ",\n    {\"policy\": " : "\n    {\"policy\": ");
		out_foreign(out, foreign_json, row->policy);
		out_str(out, ", \"metric\": ");
		out_foreign(out, foreign_json, row->metric);
		put_number(out, "n", row->n);
		put_number(out, "mean", isnan(row->mean) ? row->value : row->mean);
		put_number(out, "min", row->min);
		put_number(out, "q1", row->q1);
		put_number(out, "median", row->median);
		put_number(out, "q3", row->q3);
		put_number(out, "max", row->max);
		out_char(out, '}');
	}
	out_str(out, "\n  ],\n");
	page_write_tables(&report->page, out);
	out_str(out, "\n}\n");
}

/* ---- all ---- */

static int make(struct report *report, struct err *err)
{
	const struct report_options *options = report->options;
	const struct night *night = &report->night;
	struct page *page = &report->page;

	page->title = options->title;
	page->subtitle = page_text(page, "%s to %s%s", section_time(page, night->since_ns),
				   section_time(page, night->until_ns),
				   night->is_whole ? "" : " - an input was truncated");
	for (int i = 0; i < options->nalarms; i++)
		if (add_alarm(report, options->alarms[i], err) != 0)
			return -1;
	section_alarms(report);
	section_now(page, night);
	if (night->has_jobs) {
		section_night(page, night);
		section_waits(page, night);
		section_machine(page, night);
		if (section_free(page, night, err) != 0 ||
		    section_placed(page, night, &options->night, err) != 0 ||
		    section_sensitive(page, night, &options->night, err) != 0)
			return -1;
	}
	section_policies(page, night);
	if (section_changes(report, err) != 0)
		return -1;
	section_made(report);
	return 0;
}

int report_write(const struct report_options *options, struct out *out,
		 struct report_result *result, struct err *err)
{
	static void (*const writers[])(const struct page *page,
				       struct out *out) = {[REPORT_HTML] = page_write_html,
							   [REPORT_TEXT] = page_write_text,
							   [REPORT_MARKDOWN] = page_write_markdown};
	struct report report = {.options = options};
	int status = night_read(&report.night, &options->night, err);

	if (status == 0)
		status = make(&report, err);
	if (status == 0 && options->format == REPORT_JSON)
		write_json(&report, out);
	else if (status == 0)
		writers[options->format](&report.page, out);
	*result = (struct report_result){report.night.is_whole, count_raised(&report)};
	vec_free(&report.alarms);
	page_free(&report.page);
	night_free(&report.night);
	return status;
}
