/* mpip.c - mpiP reports (3.1 to 3.5, verbose and concise) as profiles */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "model/profile.h"

/* The sections that matter; a report is a sequence of "@--- TITLE ---…" and their rows. */
enum section { HEADER, MPI_TIME, TASK_TIME, SITE_TIME, SITE_TIME_CONCISE, OTHER_SECTION, ENDED };

struct report {
	struct in *in;
	enum section section;
	char *app;
	struct map hosts;
	int64_t nhosts, nassigned, ntasks;
	double app_s, mpi_s, fraction; /* all tasks together */
	double mean_app_s;             /* concise */
	double group_ms[MPI_NGROUPS];
	bool has_total, has_sites, is_cut;
};

struct mpip_reader {
	struct flow *flow;
	struct profile_columns columns;
	const char *app; /* NULL: from the command */
	bool *whole;
};

static void read_title(struct report *report, const char *title)
{
	static const struct {
		const char *begin;
		enum section section;
	} titles[] = {
		{"MPI Time (seconds)", MPI_TIME},
		{"Task Time Statistics (seconds)", TASK_TIME},
		{"Callsite Time statistics (all, milliseconds)", SITE_TIME},
		{"Callsite Time statistics (all callsites, milliseconds)", SITE_TIME_CONCISE},
		{"End of Report", ENDED},
	};

	report->section = OTHER_SECTION;
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		if (str_starts(title, titles[i].begin))
			report->section = titles[i].section;
}

/* "@ Key  : value" */
static void read_header(struct report *report, char *line)
{
	char *colon = strchr(line, ':'), *words[2];

	if (colon == NULL)
		return;
	if (str_starts(line, "@ Command")) {
		free(report->app);
		report->app = text_program(colon + 1);
	} else if (str_starts(line, "@ MPI Task Assignment") &&
		   text_words(colon + 1, words, 2) == 2) {
		report->nassigned++;
		if (map_get(&report->hosts, words[1], strlen(words[1])) == -1)
			map_add(&report->hosts, words[1], strlen(words[1]), report->nhosts++);
	}
}

static int read_number(struct report *report, const char *text, double *value, struct err *err)
{
	if (num_real(text, 0, 1e15, value) != 0)
		return in_error(report->in, err, "'%s' is not a time or a count", text);
	return 0;
}

/* NAME AppTime MPITime MPI%, of all tasks together */
static int read_total(struct report *report, char **words, struct err *err)
{
	report->has_total = true;
	if (read_number(report, words[1], &report->app_s, err) != 0 ||
	    read_number(report, words[2], &report->mpi_s, err) != 0)
		return -1;
	if (text_percent(words[3], &report->fraction) != 0)
		return in_error(report->in, err, "'%s' is not a percentage", words[3]);
	return 0;
}

/* Task AppTime MPITime MPI%; the row "*" is all of them. */
static int read_mpi_time(struct report *report, char **words, int n, struct err *err)
{
	int64_t task;

	if (n != 4 || (!str_eq(words[0], "*") && num_int(words[0], 0, INT32_MAX, &task) != 0))
		return 0; /* the line of names */
	if (!str_eq(words[0], "*")) {
		report->ntasks++;
		return 0;
	}
	return read_total(report, words, err);
}

static int read_task_time(struct report *report, char **words, int n, struct err *err)
{
	if (n >= 2 && str_eq(words[0], "Mean"))
		return read_number(report, words[1], &report->mean_app_s, err);
	if (n < 4 || !str_eq(words[0], "Aggregate"))
		return 0;
	return read_total(report, words, err);
}

/* Name Site Rank Count Max Mean Min App% MPI%; Rank "*" is the site's sum over the ranks. */
static int read_site(struct report *report, char **words, int n, struct err *err)
{
	double count, mean;

	if (n < 7 || !str_eq(words[2], "*"))
		return 0;
	if (read_number(report, words[3], &count, err) != 0 ||
	    read_number(report, words[5], &mean, err) != 0)
		return -1;
	report->has_sites = true;
	report->group_ms[mpi_group(words[0])] += count * mean;
	return 0;
}

/* Name Site Tasks Max Mean Min MaxRnk MinRnk: Mean is of the tasks' sums. */
static int read_site_concise(struct report *report, char **words, int n, struct err *err)
{
	double tasks, mean;

	if (n < 8 || str_eq(words[1], "Site"))
		return 0;
	if (read_number(report, words[2], &tasks, err) != 0 ||
	    read_number(report, words[4], &mean, err) != 0)
		return -1;
	report->has_sites = true;
	report->group_ms[mpi_group(words[0])] += tasks * mean;
	return 0;
}

static int read_line(struct report *report, char *line, struct err *err)
{
	char *words[10];
	int n;

	if (str_starts(line, "@--- ")) {
		read_title(report, line + strlen("@--- "));
		return 0;
	}
	if (report->section == HEADER) {
		read_header(report, line);
		return 0;
	}
	if (report->section == OTHER_SECTION || line[0] == '-')
		return 0;
	n = text_words(line, words, 10);
	switch (report->section) {
	case MPI_TIME:
		return read_mpi_time(report, words, n, err);
	case TASK_TIME:
		return read_task_time(report, words, n, err);
	case SITE_TIME:
		return read_site(report, words, n, err);
	case SITE_TIME_CONCISE:
		return read_site_concise(report, words, n, err);
	default:
		return 0;
	}
}

static int emit(const struct report *report, const struct mpip_reader *reading, struct err *err)
{
	struct profile profile;
	double ranks = (double)report->ntasks;

	profile_init(&profile);
	if (ranks == 0 && report->mean_app_s > 0) /* concise reports do not say how many */
		ranks = round(report->app_s / report->mean_app_s);
	profile.app = reading->app != NULL ? reading->app : report->app;
	profile.binary = report->app;
	profile.ranks = ranks <= INT32_MAX ? (int64_t)ranks : -1;
	profile.nodes = report->nhosts > 0 ? report->nhosts : -1;
	profile.mpi_fraction = report->fraction;
	if (ranks > 0) {
		profile.runtime_s = report->app_s / ranks;
		profile.mpi_s = report->mpi_s / ranks;
	}
	for (int i = 0; i < MPI_NGROUPS && report->has_sites && report->app_s > 0; i++)
		profile.fractions[i] = report->group_ms[i] / 1000 / report->app_s;
	return profile_emit(&profile, &reading->columns, reading->flow, err);
}

/* Where somebody left lines out, as in a mail: "..." or "[…]" alone. */
static bool is_ellipsis(const char *line)
{
	size_t n = 0, ndots = 0;

	for (; line[n] != '\0'; n++) {
		if (str_starts(line + n, "…")) {
			ndots += 3;
			n += strlen("…") - 1;
		} else if (line[n] == '.')
			ndots++;
		else if (strchr(" \t[]()", line[n]) == NULL)
			return false;
	}
	return ndots >= 3;
}

static int read_lines(struct report *report, struct err *err)
{
	char *line;
	int status = in_line(report->in, &line, NULL, err);

	if (status == 1 && !str_starts(line, "@ mpiP"))
		return in_error(report->in, err,
				"is not an mpiP report: expected a first line '@ mpiP'");
	while (status == 1) {
		if (is_ellipsis(line) && !report->is_cut) {
			struct err why;

			in_error(report->in, &why,
				 "input was truncated: '%s' replaces lines that are missing", line);
			warn("%s", why.msg);
			report->is_cut = true;
		}
		/* read to the end, or a compressed file that is truncated would not be noticed */
		if (report->section != ENDED && read_line(report, line, err) != 0)
			return -1;
		status = in_line(report->in, &line, NULL, err);
		if (status == 1 && str_starts(line, "@ mpiP"))
			return in_error(report->in, err,
					"a second report begins: expected one file for each");
	}
	if (status < 0)
		return -1;
	if (!report->has_total)
		return in_error(report->in, err,
				"has no total of the MPI time (a row '*' of 'MPI Time (seconds)', "
				"or 'Aggregate' of 'Task Time Statistics')");
	return 0;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct mpip_reader *reading = context;
	struct report report = {.in = in};
	int status = read_lines(&report, err);

	reading->flow->file = in_name(in);
	reading->flow->line = 0;
	if (status == 0 && report.section != ENDED) {
		warn("%s: input was truncated: the report's 'End of Report' is missing",
		     in_name(in));
		report.is_cut = true;
	}
	if (status == 0 && report.is_cut) {
		*reading->whole = false;
		report.has_sites = false;
	}
	if (status == 0)
		status = emit(&report, reading, err);
	reading->flow->file = NULL;
	map_free(&report.hosts);
	free(report.app);
	return status;
}

static int read_reports(const struct reader_input *input, struct flow *flow, bool *whole,
			struct err *err)
{
	struct mpip_reader reading = {
		.flow = flow, .app = pick_word(input->pick, "app"), .whole = whole};

	profile_columns(&reading.columns, flow);
	return text_read_files(input->paths, read_file, &reading, err);
}

static bool is_report(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "@ mpiP\n") || str_starts(head, "@ mpiP\r\n");
}

static const struct param params[] = {READER_APP, {0}};
static const struct table_kind *const makes[] = {&kind_profile, NULL};

const struct reader reader_mpip = {
	.entry = {.name = "mpip",
		  .example = "mpip:app=lammps",
		  .summary = "mpiP reports, versions 3.1 to 3.5, concise ones too",
		  .feed = "LD_PRELOAD=libmpiP.so srun PROGRAM; traceconv "
			  "--from mpip --to profile *.mpiP",
		  .params = params},
	.makes = makes,
	.is_proof = is_report,
	.read = read_reports,
};
