/* job.c - some equal jobs, with any column a user would set */
#include "workload/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "base/str.h"
#include "base/time.h"
#include "formats/hostlist.h"
#include "formats/table.h"
#include "model/kinds.h"

/* Parameters that are columns have the column's name, less its unit. */
#define COLUMN(name, kind, text)                                                                   \
	{                                                                                          \
		.key = name, .type = kind, .optional = true, .meaning = text                       \
	}
#define COUNT(name, low, text)                                                                     \
	{                                                                                          \
		.key = name, .type = PARAM_INT, .min = low, .max = 2147483647, .optional = true,   \
		.meaning = text                                                                    \
	}

static const struct param params[] = {
	{.key = "nodes",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 2147483647,
	 .unit = "nodes",
	 .meaning = "nodes of each job"},
	{.key = "count",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e9,
	 .def = "1",
	 .unit = "jobs",
	 .meaning = "number of jobs"},
	{.key = "first",
	 .type = PARAM_INT,
	 .min = 0,
	 .max = 1e15,
	 .def = "1",
	 .meaning = "number of the first job"},
	{.key = "name",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "text before the number in the job's name"},
	{.key = "runs",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e9,
	 .optional = true,
	 .meaning = "repetitions: all jobs once per run, with a column run"},
	{.key = "every",
	 .type = PARAM_DURATION,
	 .def = "0",
	 .unit = "s",
	 .meaning = "time between two submissions"},
	COLUMN("submit", PARAM_TEXT, "time of the first submission, in seconds or ISO 8601"),
	COLUMN("workload", PARAM_TEXT, "name of the workload"),
	COLUMN("app", PARAM_TEXT, "the application"),
	COLUMN("binary", PARAM_TEXT, "the executable's file name"),
	COLUMN("user", PARAM_TEXT, "who submits"),
	COLUMN("runtime", PARAM_DURATION, "time the job runs"),
	COLUMN("walltime", PARAM_DURATION, "requested time of a job"),
	COUNT("ranks_per_node", 1, "MPI ranks on each node"),
	COLUMN("pattern", PARAM_TEXT, "communication pattern"),
	COLUMN("bytes", PARAM_BYTES, "size of a message"),
	COUNT("iterations", 0, "iterations of the pattern; 0 means until the others end"),
	COLUMN("compute", PARAM_DURATION, "computation between two iterations"),
	{.key = "intensity",
	 .type = PARAM_REAL,
	 .max = 1e15,
	 .optional = true,
	 .unit = "flits/s",
	 .meaning = "traffic between each of its nodes and their routers, both ways"},
	{.key = "class",
	 .type = PARAM_WORD,
	 .optional = true,
	 .choices = "network-sensitive|network-insensitive|unprofiled",
	 .meaning = "network-sensitive, network-insensitive or unprofiled"},
	{.key = "sensitivity",
	 .type = PARAM_REAL,
	 .max = 1,
	 .optional = true,
	 .meaning = "0 (insensitive) to 1 (sensitive)"},
	COLUMN("io", PARAM_TEXT, "what I/O the job does"),
	COUNT("io_nodes", 0, "number of I/O nodes that the job requests"),
	COLUMN("io_pinned", PARAM_TEXT, "the I/O nodes that the job requests, a hostlist"),
	COLUMN("mapping", PARAM_TEXT,
	       "how ranks go to the nodes: in-order, random or leaf-round-robin"),
	COLUMN("start", PARAM_TEXT, "when it started, in seconds or ISO 8601"),
	COLUMN("end", PARAM_TEXT, "when it ends"),
	COLUMN("nodelist", PARAM_TEXT, "its nodes if it is already placed, a hostlist"),
	{0}};

/* The first parameter that is a column. */
enum { FIRST_COLUMN = 6 };

struct column_out {
	const struct param *param;
	const struct value *value;
	int place;
	int64_t ns; /* durations and points in time */
	bool is_time;
};

static bool is_point(const struct param *param)
{
	return str_eq(param->key, "submit") || str_eq(param->key, "start") ||
	       str_eq(param->key, "end");
}

static void column_name(const struct param *param, char name[64])
{
	const char *unit = is_point(param) || param->type == PARAM_DURATION ? "_s" : "";

	snprintf(name, 64, "%s%s", param->key, unit);
}

/* Fills at [nparams] with the columns that are given; their number, or -1. */
static int columns_open(const struct pick *pick, struct table_out *table, struct column_out *at,
			struct err *err)
{
	int n = 0;

	for (const struct param *param = params + FIRST_COLUMN; param->key != NULL; param++) {
		struct column_out column = {.param = param, .value = pick_value(pick, param->key)};
		char name[64];
		int status;

		if (!column.value->is_set)
			continue;
		column.is_time = is_point(param) || param->type == PARAM_DURATION;
		if (param->type == PARAM_DURATION)
			column.ns = llround(column.value->real * 1e9);
		if (is_point(param)) {
			status = time_parse(column.value->text, &column.ns);
			if (status != 0)
				return err_set(err,
					       "job: %s: '%s' is not a time in seconds "
					       "or ISO 8601 with its zone",
					       param->key, column.value->text);
		}
		column_name(param, name);
		column.place = table_out_column(table, name);
		at[n++] = column;
	}
	return n;
}

static void column_write(const struct column_out *column, struct table_out *table, int64_t later_ns)
{
	if (column->is_time)
		table_out_seconds(table, column->place, column->ns + later_ns);
	else if (column->param->type == PARAM_INT)
		table_out_int(table, column->place, column->value->number);
	else if (column->param->type == PARAM_REAL || column->param->type == PARAM_BYTES)
		table_out_real(table, column->place, column->value->real);
	else
		table_out_text(table, column->place, column->value->text);
}

static int count_node(void *context, const char *name, size_t n, struct err *err)
{
	(void)name;
	(void)n;
	(void)err;
	(*(int64_t *)context)++;
	return 0;
}

/* Jobs that are placed already are placed as a scheduler would have done. */
static int check_placed(const struct pick *pick, const struct column_out *columns, int ncolumns,
			struct err *err)
{
	const struct column_out *start = NULL, *end = NULL;
	int64_t nnodes = 0;

	for (int i = 0; i < ncolumns; i++) {
		start = str_eq(columns[i].param->key, "start") ? &columns[i] : start;
		end = str_eq(columns[i].param->key, "end") ? &columns[i] : end;
	}
	if (start != NULL && end != NULL && end->ns < start->ns)
		return err_set(err, "job: end is before start");
	if (!pick_has(pick, "nodelist"))
		return 0;
	if (pick_int(pick, "count") > 1)
		return err_set(err, "job: nodelist: %" PRId64 " jobs can't all have the same nodes",
			       pick_int(pick, "count"));
	if (hostlist_walk(pick_word(pick, "nodelist"), count_node, &nnodes, err) != 0)
		return err_prefix(err, "job: nodelist: ");
	if (nnodes != pick_int(pick, "nodes"))
		return err_set(err, "job: nodelist: has %" PRId64 " nodes, nodes= says %" PRId64,
			       nnodes, pick_int(pick, "nodes"));
	return 0;
}

/* The jobs of one run; run 0: there is no such column. */
static void write_run(const struct pick *pick, struct table_out *table,
		      const struct column_out *columns, int ncolumns, int64_t run)
{
	const char *prefix = pick_has(pick, "name") ? pick_word(pick, "name") : "";
	int64_t count = pick_int(pick, "count"), first = pick_int(pick, "first");
	int64_t every_ns = llround(pick_real(pick, "every") * 1e9);
	char name[512];

	for (int64_t i = 0; i < count; i++) {
		if (run > 0)
			table_out_int(table, table_out_column(table, "run"), run);
		snprintf(name, sizeof(name), "%.480s%" PRId64, prefix, first + i);
		table_out_text(table, table_out_column(table, "job"), name);
		table_out_int(table, table_out_column(table, "nodes"), pick_int(pick, "nodes"));
		for (int c = 0; c < ncolumns; c++)
			column_write(&columns[c], table,
				     str_eq(columns[c].param->key, "submit") ? i * every_ns : 0);
		table_out_emit(table);
	}
}

static int write(const struct pick *pick, struct workload_input *input, struct err *err)
{
	struct column_out columns[sizeof(params) / sizeof(params[0])];
	struct table_out *table = table_out_new(input->out, &kind_jobs);
	int64_t runs = pick_has(pick, "runs") ? pick_int(pick, "runs") : 0;
	int n;

	workload_record(input, table);
	if (runs > 0)
		table_out_column(table, "run");
	table_out_column(table, "job");
	table_out_column(table, "nodes");
	n = columns_open(pick, table, columns, err);
	if (n >= 0 && check_placed(pick, columns, n, err) != 0)
		n = -1;
	if (n >= 0 && pick_real(pick, "every") != 0 && !pick_has(pick, "submit"))
		n = err_set(err, "job: every= needs submit=, the time of the first submission");
	if (n >= 0 && pick_real(pick, "every") * (double)pick_int(pick, "count") > 9e9)
		n = err_set(err, "job: every: the last submission is later than a time can be");
	for (int64_t run = runs > 0; run <= runs && n >= 0; run++)
		write_run(pick, table, columns, n, run);
	table_out_end(table, n >= 0);
	return n < 0 ? -1 : 0;
}

const struct workload workload_job = {
	.entry = {.name = "job",
		  .example = "job:nodes=16,count=4,runtime=600",
		  .summary = "equal jobs, each with the columns that are given",
		  .params = params},
	.write = write,
};
