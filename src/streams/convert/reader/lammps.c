/* lammps.c - the timing breakdown in LAMMPS logs as a profile */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"
#include "model/profile.h"

/* A log may have several runs; their profile is one, weighted by time. */
struct log {
	struct in *in;
	int64_t ranks;          /* of the current run; −1: not known */
	double loop_s;          /* of the current run; −1: no run is open */
	double total_s, comm_s; /* of all runs that said how long they communicated */
	int64_t total_ranks;
};

/* "Loop time of 16.8226 on 2 procs for 400 steps with 6912 atoms"; procs are ranks times threads */
static int read_loop(struct log *log, char *line, struct err *err)
{
	char *words[8];
	int n = text_words(line, words, 8);

	if (n < 7 || !str_eq(words[4], "on") || num_real(words[3], 0, 1e12, &log->loop_s) != 0 ||
	    num_int(words[5], 1, INT32_MAX, &log->ranks) != 0)
		return in_error(log->in, err, "expected 'Loop time of S on N procs'");
	return 0;
}

/* "16.8% CPU use with 2 MPI tasks x 1 OpenMP threads" */
static int read_tasks(struct log *log, const char *text, struct err *err)
{
	char *copy = xstrdup(text), *words[1];
	int status = 0;

	if (text_words(copy, words, 1) < 1 || num_int(words[0], 1, INT32_MAX, &log->ranks) != 0)
		status = in_error(log->in, err, "expected 'N MPI tasks'");
	free(copy);
	return status;
}

/* "Comm | 13.424 | 13.454 | 13.484 | 0.8 | 79.98", or until 2015 "Comm  time (%) = 1.2 (3.4)" */
static int read_comm(struct log *log, char *line, struct err *err)
{
	char *cells[8], *open = strchr(line, '('), *text;
	double fraction;

	if (log->loop_s < 0)
		return in_error(log->in, err, "'Comm' before 'Loop time of'");
	if (strchr(line, '|') != NULL) {
		int n = str_split(line, '|', cells, 8);

		text = str_trim(cells[n - 1]);
	} else if (open != NULL && (open = strchr(open + 1, '(')) != NULL) {
		text = open + 1;
		text[strcspn(text, ")")] = '\0';
	} else {
		return 0;
	}
	if (text_percent(text, &fraction) != 0 || fraction > 1)
		return in_error(log->in, err, "'%s' is not a percentage", text);
	if (log->total_s > 0 && log->ranks != log->total_ranks)
		return in_error(log->in, err, "a run of %lld ranks follows one of %lld",
				(long long)log->ranks, (long long)log->total_ranks);
	log->total_ranks = log->ranks;
	log->comm_s += fraction * log->loop_s;
	log->total_s += log->loop_s;
	log->loop_s = -1;
	return 0;
}

static int read_line(struct log *log, char *line, struct err *err)
{
	const char *use;

	if (str_starts(line, "Loop time of "))
		return read_loop(log, line, err);
	if (log->loop_s >= 0 && (use = strstr(line, "CPU use with ")) != NULL &&
	    strstr(use, "MPI task") != NULL)
		return read_tasks(log, use + strlen("CPU use with "), err);
	if (str_starts(line, "Comm ") && (strchr(line, '|') != NULL || strstr(line, "time (%)")))
		return read_comm(log, line, err);
	return 0;
}

struct lammps_reader {
	struct flow *flow;
	struct profile_columns columns;
	const struct pick *pick;
};

static int emit(const struct log *log, const struct lammps_reader *reading, struct err *err)
{
	struct profile profile;

	profile_init(&profile);
	profile.app = pick_word(reading->pick, "app");
	profile.ranks = log->total_ranks;
	if (pick_has(reading->pick, "nodes"))
		profile.nodes = pick_int(reading->pick, "nodes");
	profile.runtime_s = log->total_s;
	profile.mpi_s = log->comm_s;
	/* the log's percentages have four digits; more would be the noise of the weighting */
	profile.mpi_fraction = (double)(int64_t)(log->comm_s / log->total_s * 1e6 + 0.5) / 1e6;
	reading->flow->file = in_name(log->in);
	reading->flow->line = 0;
	return profile_emit(&profile, &reading->columns, reading->flow, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	const struct lammps_reader *reading = context;
	struct log log = {.in = in, .ranks = -1, .loop_s = -1};
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) == 1)
		if (read_line(&log, line, err) != 0)
			return -1;
	if (status < 0)
		return -1;
	if (log.total_s <= 0)
		return in_error(in, err,
				"has no run with a timing breakdown ('Loop "
				"time of', and a row 'Comm')");
	status = emit(&log, reading, err);
	reading->flow->file = NULL;
	return status;
}

static int read_logs(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct lammps_reader reading = {.flow = flow, .pick = input->pick};

	(void)whole;
	profile_columns(&reading.columns, flow);
	return text_read_files(input->paths, read_file, &reading, err);
}

static const struct param params[] = {
	{.key = "app", .type = PARAM_TEXT, .def = "lammps", .meaning = "name of the application"},
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = INT32_MAX,
	 .optional = true,
	 .meaning = "number of nodes of the run, which the log does not contain"},
	{0}};
static const struct table_kind *const makes[] = {&kind_profile, NULL};

const struct reader reader_lammps = {
	.entry = {.name = "lammps",
		  .example = "lammps:nodes=4",
		  .summary = "LAMMPS logs: the row Comm of the timing breakdown",
		  .params = params},
	.makes = makes,
	.read = read_logs,
};
