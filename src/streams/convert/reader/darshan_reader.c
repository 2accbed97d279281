/* darshan_reader.c - Darshan logs, binary or printed, as I/O traces, profiles and metrics */
#include "convert/reader/darshan_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/text.h"
#include "base/die.h"
#include "base/names.h"
#include "base/str.h"

/* One log that is read. */
struct darshan_conversion {
	const struct pick *pick;
	struct flow *flow;
	const char *path;
	char *app; /* from the command line; NULL: none */
	char jobid[32];
	struct darshan_job job;
	bool is_all; /* to metrics: every counter */
	struct darshan_metric_columns metrics;
	struct darshan_totals *totals;
	struct darshan_replay replay;
	/* to profile, from AutoPerf's records */
	int64_t nranks, nnodes;
	struct map nodes;
	double mpi_s, groups[MPI_NGROUPS]; /* sums over ranks */
};

static int take_job(void *context, const struct darshan_job *job, struct err *err)
{
	struct darshan_conversion *reading = context;
	struct flow *flow = reading->flow;

	(void)err;
	reading->job = *job;
	reading->app = text_program(job->exe);
	snprintf(reading->jobid, sizeof(reading->jobid), "%s", job->jobid);
	reading->job.jobid = reading->jobid;
	reading->job.exe = "";
	reading->replay.nprocs = job->nprocs;
	if (flow->kind != &kind_profile && reading->app != NULL)
		flow_meta(flow, "app", reading->app);
	return 0;
}

/* "MPI_ALLREDUCE_TOTAL_TIME" counts for its group; …_SYNC_TIME is part of it. */
static void add_times(struct darshan_conversion *reading, const struct darshan_record *record)
{
	static const char suffix[] = "_TOTAL_TIME";

	for (int i = 0; i < record->n; i++) {
		const struct darshan_counter *counter = &record->counters[i];
		char operation[64];
		size_t n = strlen(counter->name);

		if (counter->type != DARSHAN_REAL || !str_ends(counter->name, suffix) ||
		    n - strlen(suffix) >= sizeof(operation) || !(counter->real > 0))
			continue;
		n -= strlen(suffix);
		memcpy(operation, counter->name, n);
		operation[n] = '\0';
		reading->groups[mpi_group(operation)] += counter->real;
	}
}

static void add_profile(struct darshan_conversion *reading, const struct darshan_record *record)
{
	const struct darshan_counter *node = darshan_find(record, "MPI_PROCESSOR_NAME");

	/* the module's first record holds variances only */
	if (!str_eq(record->module, "APMPI") || node == NULL)
		return;
	reading->nranks++;
	reading->mpi_s += darshan_value(record, "MPI_TOTAL_COMM_TIME");
	add_times(reading, record);
	if (node->type == DARSHAN_TEXT && *node->text != '\0' &&
	    map_add(&reading->nodes, node->text, strlen(node->text), reading->nnodes) ==
		    reading->nnodes)
		reading->nnodes++;
}

static int take_record(void *context, const struct darshan_record *record, struct err *err)
{
	struct darshan_conversion *reading = context;

	if (reading->flow->kind == &kind_iotrace)
		return darshan_replay_record(&reading->replay, record, err);
	if (reading->flow->kind == &kind_profile)
		add_profile(reading, record);
	else if (reading->is_all)
		return darshan_emit_record(record, &reading->metrics, reading->flow, err);
	else
		darshan_totals_add(&reading->totals, record);
	return 0;
}

static int take_segment(void *context, const struct darshan_segment *segment, struct err *err)
{
	struct darshan_conversion *reading = context;

	if (reading->flow->kind != &kind_iotrace)
		return 0;
	return darshan_replay_segment(&reading->replay, segment, err);
}

static void take_note(void *context, const char *text)
{
	(void)context;
	warn("%s", text);
}

static int emit_profile(struct darshan_conversion *reading, struct err *err)
{
	struct profile_columns columns;
	struct profile profile;
	double all = reading->job.run_s * (double)reading->nranks;

	profile_columns(&columns, reading->flow);
	if (reading->nranks == 0)
		return flow_error(reading->flow, err,
				  "has no data of module APMPI: it does not say "
				  "how much time went into MPI");
	profile_init(&profile);
	profile.app =
		pick_has(reading->pick, "app") ? pick_word(reading->pick, "app") : reading->app;
	profile.binary = reading->app;
	profile.ranks = reading->nranks;
	profile.nodes = reading->nnodes > 0 ? reading->nnodes : -1;
	profile.runtime_s = reading->job.run_s;
	profile.mpi_s = reading->mpi_s / (double)reading->nranks;
	profile.mpi_fraction = all > 0 ? reading->mpi_s / all : 2;
	for (int i = 0; i < MPI_NGROUPS && all > 0; i++)
		profile.fractions[i] = reading->groups[i] / all;
	return profile_emit(&profile, &columns, reading->flow, err);
}

static int emit(struct darshan_conversion *reading, struct err *err)
{
	if (reading->flow->kind == &kind_profile)
		return emit_profile(reading, err);
	if (reading->flow->kind == &kind_metrics)
		return reading->is_all ? 0
				       : darshan_totals_emit(reading->totals, &reading->job,
							     &reading->metrics, reading->flow, err);
	darshan_replay_finish(&reading->replay);
	if (reading->replay.nmixed > 0)
		warn("%s: %lld records of files both read and written were left out", reading->path,
		     (long long)reading->replay.nmixed);
	return io_trace_emit(&reading->replay.trace, NULL, reading->flow, err);
}

typedef int read_fn(const char *path, const struct darshan_taker *taker, void *context,
		    struct err *err);

static int read_one(const struct reader_input *input, const char *path, read_fn *read,
		    struct flow *flow, struct err *err)
{
	static const struct darshan_taker taker = {take_job, take_record, take_segment, take_note};
	const struct pick *pick = input->pick;
	struct darshan_conversion reading = {.pick = pick,
					     .flow = flow,
					     .path = path,
					     .is_all = pick_bool(pick, "all"),
					     .replay.is_mpiio = pick_is(pick, "layer", "mpiio"),
					     .replay.skips_mixed = !pick_bool(pick, "mixed"),
					     .replay.skips_dxt = !pick_bool(pick, "dxt"),
					     .replay.is_think = pick_is(pick, "timing", "think"),
					     .replay.per_record = pick_int(pick, "most")};
	int status;

	flow->file = str_eq(path, "-") ? "standard input" : path;
	flow->line = 0;
	if (flow->kind == &kind_metrics)
		darshan_metric_columns(&reading.metrics, flow);
	status = read(path, &taker, &reading, err);
	if (status == 0)
		status = emit(&reading, err);
	flow->file = NULL;
	free(reading.app);
	map_free(&reading.nodes);
	darshan_totals_free(reading.totals);
	darshan_replay_free(&reading.replay);
	return status;
}

static int read_all(const struct reader_input *input, read_fn *read, struct flow *flow,
		    struct err *err)
{
	for (char *const *path = input->paths; *path != NULL; path++) {
		if (path > input->paths && flow->kind != &kind_profile)
			return err_set(err,
				       "%s: a second log: those of several runs "
				       "don't make one %s stream",
				       *path, flow->kind->name);
		if (read_one(input, *path, read, flow, err) != 0)
			return -1;
	}
	return 0;
}

static int read_logs(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	(void)whole;
	return read_all(input, darshan_read_log, flow, err);
}

static int read_texts(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	(void)whole;
	return read_all(input, darshan_read_text, flow, err);
}

static bool is_text(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "# darshan log version: ");
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "to profile: name of the application; default: the program's file "
		    "name"},
	{.key = "all",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "to metrics: every counter of every record instead of sums"},
	{.key = "layer",
	 .type = PARAM_WORD,
	 .def = "posix",
	 .choices = "posix|mpiio",
	 .meaning = "to iotrace: the operations of POSIX and STDIO, or those of MPI-IO above them"},
	{.key = "dxt",
	 .type = PARAM_BOOL,
	 .def = "yes",
	 .meaning = "to iotrace: operations as extended tracing recorded them, where it did"},
	{.key = "mixed",
	 .type = PARAM_BOOL,
	 .def = "yes",
	 .meaning = "to iotrace: include files that were both read and written"},
	{.key = "timing",
	 .type = PARAM_WORD,
	 .def = "start",
	 .choices = "start|think",
	 .meaning = "to iotrace: when operations start, or the think time before them"},
	{.key = "most",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1 << 24,
	 .def = "10000",
	 .unit = "operations",
	 .meaning = "to iotrace: maximum number of reads and writes per record; more are "
		    "joined"},
	{0}};
static const struct table_kind *const makes[] = {&kind_iotrace, &kind_profile, &kind_metrics, NULL};

const struct reader reader_darshan = {
	.entry = {.name = "darshan",
		  .example = "darshan:timing=think",
		  .summary = "binary Darshan logs, 3.00 to 3.41",
		  .feed = "traceconv --from darshan --to iotrace $(darshan-config --log-path)/"
			  "2026/11/21/*_id123*.darshan",
		  .paper = "Khetawat 2022, §2.6.2",
		  .params = params},
	.makes = makes,
	.is_proof = darshan_is_log,
	.read = read_logs,
};

const struct reader reader_darshan_parser = {
	.entry = {.name = "darshan-parser",
		  .example = "darshan-parser:layer=mpiio",
		  .summary = "output of darshan-parser",
		  .feed = "darshan-parser LOG | traceconv --from darshan-parser --to metrics",
		  .params = params},
	.makes = makes,
	.is_proof = is_text,
	.read = read_texts,
};

const struct reader reader_darshan_dxt = {
	.entry = {.name = "darshan-dxt",
		  .example = "darshan-dxt:layer=mpiio",
		  .summary = "output of darshan-dxt-parser",
		  .feed = "darshan-dxt-parser LOG | traceconv --from darshan-dxt --to iotrace",
		  .params = params},
	.makes = makes,
	.read = read_texts,
};
