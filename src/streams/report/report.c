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
#include "report/numbers.h"
#include "report/openmetrics.h"
#include "report/sections.h"
#include "report/sections_groups.h"
#include "report/sections_verdict.h"

struct report {
	const struct report_options *options;
	struct night night;
	struct page page;
	struct alarms alarms;
	struct night_out out;
	struct night_placed placed;
	struct night_signs signs;
	struct night_overuses overuses;
	struct night_limits limits;
	double numbers[NUMBERS];
};

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
	if (report->options->night.context->command == NULL || report->options->night.pseudonyms)
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
	for (size_t i = 0; i < report->alarms.of.n; i++) {
		const struct alarm *alarm = &report->alarms.of.at[i];

		out_printf(out, "%s{\"alarm\": ", i > 0 ? ", " : "");
		out_foreign(out, foreign_json, alarm->text);
		put_number(out, "value", alarm->value);
		out_printf(out, ", \"raised\": %s}", alarm->is_raised ? "true" : "false");
	}
	out_str(out, "],\n  \"numbers\": [");
	for (int i = 0; i < NUMBERS; i++) {
		const char *unit = numbers_known[i].unit != NULL ? numbers_known[i].unit : "1";

		out_printf(out, "%s\n    {\"name\": \"%s\", \"unit\": \"%s\"", i > 0 ? "," : "",
			   numbers_known[i].name, unit);
		put_number(out, "value", report->numbers[i]);
		out_char(out, '}');
	}
	out_str(out, "\n  ],\n  \"metrics\": [");
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
	struct verdict verdict;

	page->title = options->title;
	page->subtitle = page_text(page, "%s to %s%s", section_time(page, night->since_ns),
				   section_time(page, night->until_ns),
				   night->is_whole ? "" : " - an input was truncated");
	if (night_placed_find(night, &report->placed, err) != 0)
		return -1;
	night_out_find(night, &report->out);
	night_signs_find(night, &report->signs);
	if (night_overuse_find(night, options->night.context->is_strict, &report->overuses, err) !=
		    0 ||
	    night_limits_find(night, &options->night, &report->limits, err) != 0)
		return -1;
	numbers_find(night, &report->out, &report->placed, report->numbers);
	if (alarms_read(&report->alarms, &report->night, report->numbers, options->alarms,
			options->nalarms, err) != 0)
		return -1;
	verdict = (struct verdict){.night = night,
				   .alarms = &report->alarms,
				   .values = report->numbers,
				   .out = &report->out,
				   .placed = &report->placed,
				   .signs = &report->signs,
				   .overuses = &report->overuses,
				   .notes = options->notes,
				   .nnotes = options->nnotes};
	section_verdict(page, &verdict);
	if (night->has_jobs)
		section_groups(page, night);
	section_lost(page, &verdict);
	section_overused(page, &verdict);
	section_now(page, night);
	if (night->has_jobs) {
		section_night(page, night);
		section_waits(page, night);
		section_limits(page, night, &options->night, &report->limits);
		section_machine(page, night);
		if (section_free(page, night, err) != 0 ||
		    section_placed(page, night, &options->night, &report->placed, err) != 0 ||
		    section_sensitive(page, night, &options->night, err) != 0)
			return -1;
	}
	section_policies(page, night);
	if (section_changes(report, err) != 0)
		return -1;
	section_made(report);
	return 0;
}

static void write_as(const struct report *report, enum report_format format, struct out *out)
{
	static void (*const writers[])(const struct page *page,
				       struct out *out) = {[REPORT_HTML] = page_write_html,
							   [REPORT_TEXT] = page_write_text,
							   [REPORT_MARKDOWN] = page_write_markdown};

	if (format == REPORT_JSON)
		write_json(report, out);
	else if (format == REPORT_OPENMETRICS)
		openmetrics_write(&report->night, &report->alarms, report->numbers, out);
	else
		writers[format](&report->page, out);
}

/* The same night in further forms: it is measured once. */
static int write_others(const struct report *report, struct err *err)
{
	const struct report_others *others = report->options->others;

	for (int i = 0; others != NULL && i < others->n; i++) {
		struct out *out;

		if (out_open(&out, others->paths[i], NULL, err) != 0)
			return -1;
		write_as(report, others->formats[i], out);
		if (out_close(out, true, err) != 0)
			return -1;
	}
	return 0;
}

int report_write(const struct report_options *options, struct out *out,
		 struct report_result *result, struct err *err)
{
	struct report report = {.options = options};
	int status = night_read(&report.night, &options->night, err);

	if (status == 0)
		status = make(&report, err);
	if (status == 0) {
		write_as(&report, options->format, out);
		status = write_others(&report, err);
	}
	*result = (struct report_result){report.night.is_whole, report.alarms.nraised};
	alarms_free(&report.alarms);
	night_out_free(&report.out);
	night_placed_free(&report.placed);
	night_signs_free(&report.signs);
	night_overuse_free(&report.overuses);
	night_limits_free(&report.limits);
	page_free(&report.page);
	night_free(&report.night);
	return status;
}
