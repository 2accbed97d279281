/* craypat.c - CrayPat text reports (pat_report, CrayPat-lite; tracing and sampling) as profiles */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "model/profile.h"

/*
 * Only Table 1 counts: other tables list an operation at 100 % of something else. Its rows are
 * "|  25.9% | 3.366537 | … | MPI" for a group, "||  18.0% | …" for a function of it.
 */
enum place { BEFORE, IN_HEADER, IN_ROWS, BEHIND };
enum { CELLS_MOST = 16 };

struct report {
	struct in *in;
	enum place place;
	char *app;
	int64_t ranks, nodes, ranks_of_a_node;
	bool is_sampled;        /* the values are samples, not seconds */
	bool next_line_is_path; /* "Current path to data file:" came before */
	bool in_mpi, has_mpi;   /* the rows are of a group of MPI; there was one */
	double total, mpi;      /* seconds or samples, mean of the ranks */
	double groups[MPI_NGROUPS];
	double process_s; /* CrayPat-lite; negative: not there */
};

struct craypat_reader {
	struct flow *flow;
	struct profile_columns columns;
	const struct pick *pick;
};

/* A number with commas between its thousands. */
static int read_number(const char *text, double *value)
{
	char plain[64];
	size_t n = 0;

	for (; *text != '\0'; text++) {
		if (n + 1 == sizeof(plain))
			return -1;
		if (*text != ',')
			plain[n++] = *text;
	}
	plain[n] = '\0';
	return num_real(plain, 0, 1e18, value);
}

/* The number that a text begins with, after blanks; negative: none. */
static double leading_number(const char *text)
{
	char word[64];
	size_t n;
	double value;

	text += strspn(text, " \t");
	n = strcspn(text, " \t");
	if (n == 0 || n >= sizeof(word))
		return -1;
	memcpy(word, text, n);
	word[n] = '\0';
	return read_number(word, &value) == 0 ? value : -1;
}

/* The program's name in "…/vasp_ncl+pat+44280-4214s.ap2  (RTS)". */
static void read_path(struct report *report, const char *line)
{
	char *name = text_program(line);

	if (name == NULL || report->app != NULL) {
		free(name);
		return;
	}
	name[strcspn(name, "+")] = '\0';
	report->app = name;
}

/* "Numbers of PEs per Node:  24  PEs on each of  32  Nodes"; alone it is the only node's. */
static void read_nodes(struct report *report, const char *text)
{
	const char *each = strstr(text, "on each of");
	double of_a_node = leading_number(text), nodes = each ? leading_number(each + 10) : 1;

	if (of_a_node > 0 && nodes > 0 && of_a_node * nodes == (double)report->ranks)
		report->nodes = (int64_t)nodes;
}

static void read_preamble(struct report *report, const char *line)
{
	static const char ranks[] = "Number of PEs (MPI ranks):",
			  nodes[] = "Numbers of PEs per Node:",
			  path[] = "Current path to data file:", time[] = "Avg Process Time:",
			  program[] = "Program invocation:";
	double value;

	if (report->next_line_is_path) {
		report->next_line_is_path = false;
		read_path(report, line);
	} else if (str_starts(line, ranks)) {
		value = leading_number(line + strlen(ranks));
		report->ranks = value >= 1 && value <= INT32_MAX ? (int64_t)value : -1;
	} else if (str_starts(line, nodes)) {
		read_nodes(report, line + strlen(nodes));
	} else if (str_starts(line, path)) {
		report->next_line_is_path = true;
	} else if (str_starts(line, program)) {
		read_path(report, line + strlen(program));
	} else if (str_starts(line, time)) {
		report->process_s = leading_number(line + strlen(time));
	}
}

static int read_title(struct report *report, const char *line, struct err *err)
{
	if (strstr(line, "Profile by Function") == NULL)
		return in_error(report->in, err,
				"Table 1 is '%.60s', expected a profile by function (pat_report -O "
				"profile or samp_profile)",
				line);
	report->place = IN_HEADER;
	return 0;
}

/* Cuts "| a | b |c" at its bars and trims the parts. */
static int split(char *line, char **cells)
{
	int n = str_split(line, '|', cells, CELLS_MOST);

	for (int i = 0; i < n; i++)
		cells[i] = str_trim(cells[i]);
	return n;
}

/* The first line of names: "Time% | Time | Imb. Time | … | Group". */
static int read_header(struct report *report, char *line, struct err *err)
{
	char *cells[CELLS_MOST];
	int n = split(line, cells);

	report->is_sampled = str_eq(cells[0], "Samp%");
	if (n < 3 || !(report->is_sampled || str_eq(cells[0], "Time%")) ||
	    !str_eq(cells[1], report->is_sampled ? "Samp" : "Time") ||
	    !str_starts(cells[n - 1], "Group"))
		return in_error(report->in, err,
				"Table 1 has another layout: expected 'Time%% | Time "
				"| … | Group' (pat_report without -s)");
	report->place = IN_ROWS;
	return 0;
}

static void put_function(struct report *report, const char *name, double value)
{
	report->groups[mpi_group(name)] += value;
}

/* A row without its leading bars; level 1: a group, 2: a function, 0: the total. */
static int read_row(struct report *report, int level, char *line, struct err *err)
{
	char *cells[CELLS_MOST];
	int n = split(line, cells);
	const char *name = cells[n - 1];
	double value;

	if (n < 3 || !str_ends(cells[0], "%"))
		return 0; /* another line of names */
	if (read_number(cells[1], &value) != 0)
		return in_error(report->in, err, "'%s' is not a time or a number of samples",
				cells[1]);
	if (level == 0 && str_eq(name, "Total"))
		report->total = value;
	if (level == 1) {
		report->in_mpi = str_eq(name, "MPI") || str_eq(name, "MPI_SYNC");
		if (report->in_mpi) {
			report->has_mpi = true;
			report->mpi += value;
		}
	}
	if (level == 2 && report->in_mpi)
		put_function(report, name, value);
	return 0;
}

static int read_table(struct report *report, char *line, struct err *err)
{
	int level = 0;

	if (report->place == IN_HEADER)
		return *line == '\0' ? 0 : read_header(report, line, err);
	if (*line == '\0' && report->total > 0) {
		report->place = BEHIND;
		return 0;
	}
	if (line[0] >= '3' && line[0] <= '9' && line[1] == '|')
		return 0; /* deeper levels: "3||  1.0% | …" */
	while (*line == '|') {
		level++;
		line++;
	}
	if (level > 0 && (*line == '-' || *line == '='))
		return 0;
	return level <= 2 ? read_row(report, level, line, err) : 0;
}

static int read_lines(struct report *report, struct err *err)
{
	char *line;
	int status;

	while (report->place != BEHIND && (status = in_line(report->in, &line, NULL, err)) != 0) {
		if (status < 0)
			return -1;
		line = str_trim(line);
		if (str_starts(line, "Table 1:")) {
			if (read_title(report, line, err) != 0)
				return -1;
		} else if (str_starts(line, "Table ") || str_starts(line, "Notes for table 2")) {
			if (report->place == IN_ROWS)
				report->place = BEHIND;
		} else if (report->place == BEFORE) {
			read_preamble(report, line);
		} else if (read_table(report, line, err) != 0) {
			return -1;
		}
	}
	if (report->total <= 0)
		return in_error(report->in, err,
				"has no Table 1 with a row 'Total': expected a CrayPat report");
	return 0;
}

static int64_t given_or(const struct pick *pick, const char *key, int64_t found)
{
	return pick_has(pick, key) ? pick_int(pick, key) : found;
}

static int emit(const struct report *report, const struct craypat_reader *reading, struct err *err)
{
	const char *app = pick_word(reading->pick, "app");
	struct profile profile;
	double listed = 0;

	profile_init(&profile);
	profile.app = app != NULL ? app : report->app;
	profile.binary = report->app;
	profile.ranks = given_or(reading->pick, "ranks", report->ranks);
	profile.nodes = given_or(reading->pick, "nodes", report->nodes);
	if (profile.app == NULL || profile.ranks < 1)
		return flow_error(reading->flow, err, "the report does not say its %s: give %s",
				  profile.app == NULL ? "program" : "number of MPI ranks",
				  profile.app == NULL ? "craypat:app=NAME" : "craypat:ranks=N");
	if (!report->has_mpi)
		warn("%s: Table 1 has no group MPI: the time in MPI is below the report's "
		     "threshold, and taken as 0",
		     in_name(report->in));
	profile.runtime_s = report->is_sampled ? report->process_s : report->total;
	profile.mpi_fraction = report->mpi / report->total;
	if (profile.runtime_s >= 0)
		profile.mpi_s = profile.mpi_fraction * profile.runtime_s;
	/* what the report hides for being small is in the groups' totals: it counts as other */
	for (int i = 0; i < MPI_OTHER; i++) {
		profile.fractions[i] = report->groups[i] / report->total;
		listed += profile.fractions[i];
	}
	profile.fractions[MPI_OTHER] =
		profile.mpi_fraction > listed ? profile.mpi_fraction - listed : 0;
	return profile_emit(&profile, &reading->columns, reading->flow, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct craypat_reader *reading = context;
	struct report report = {.in = in, .ranks = -1, .nodes = -1, .process_s = -1};
	int status = read_lines(&report, err);

	reading->flow->file = in_name(in);
	reading->flow->line = 0;
	if (status == 0)
		status = emit(&report, reading, err);
	reading->flow->file = NULL;
	free(report.app);
	return status;
}

static int read_reports(const struct reader_input *input, struct flow *flow, bool *whole,
			struct err *err)
{
	struct craypat_reader reading = {.flow = flow, .pick = input->pick};

	(void)whole;
	profile_columns(&reading.columns, flow);
	return text_read_files(input->paths, read_file, &reading, err);
}

static bool is_report(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "CrayPat/X:");
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "name of the application; default: the program's, from the path of "
		    "the data file"},
	{.key = "ranks",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = INT32_MAX,
	 .optional = true,
	 .meaning = "number of MPI ranks, for a report without it"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = INT32_MAX,
	 .optional = true,
	 .meaning = "nodes, likewise"},
	{0}};
static const struct table_kind *const makes[] = {&kind_profile, NULL};

const struct reader reader_craypat = {
	.entry = {.name = "craypat",
		  .example = "craypat:app=vasp",
		  .summary =
			  "CrayPat text reports, of tracing and of sampling: Table 1, the groups "
			  "MPI and MPI_SYNC together",
		  .feed = "pat_report DATA | traceconv --from craypat --to profile",
		  .params = params},
	.makes = makes,
	.is_proof = is_report,
	.read = read_reports,
};
