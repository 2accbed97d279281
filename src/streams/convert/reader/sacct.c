/* sacct.c - Slurm's accounting as jobs */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "convert/reader/requeue.h"
#include "convert/reader/sacct_priv.h"
#include "convert/reader/slurm_array.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"
#include "convert/reader/text.h"
#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

/* ---- jobs ---- */

/* What is allocated, else what is requested. */
static void read_tres(const struct sacct_reader *reading, struct slurm_tres *tres)
{
	const char *text = sacct_cell(reading, SACCT_TRES);

	slurm_tres_read(tres, text != NULL ? text : sacct_cell(reading, SACCT_REQUESTED_TRES));
}

/* The number of nodes: NNodes, else node=N of the trackable resources, else as many as NodeList
 * names. 0: not known. */
static int read_nodes(const struct sacct_reader *reading, const struct slurm_tres *tres,
		      int64_t *nodes, struct err *err)
{
	const char *text = sacct_cell(reading, SACCT_NODES);

	*nodes = 0;
	if (text != NULL && num_int(text, 0, INT32_MAX, nodes) != 0)
		return err_set(err, "'%s' is not a number of nodes", text);
	if (*nodes == 0 && tres->nodes > 0)
		*nodes = tres->nodes;
	if (*nodes == 0)
		*nodes = slurm_count_nodes(sacct_cell(reading, SACCT_NODELIST));
	return 0;
}

/* A job that started has as many nodes as its list: else another text made the row. */
static int check_nodes(const struct sacct_reader *reading, struct err *err)
{
	const char *text = sacct_cell(reading, SACCT_NODES),
		   *list = sacct_cell(reading, SACCT_NODELIST);
	int64_t nodes, listed = slurm_count_nodes(list);

	if (text == NULL || list == NULL || listed == 0 ||
	    num_int(text, 1, INT32_MAX, &nodes) != 0 || nodes == listed)
		return 0;
	return err_set(err, "the row contradicts itself: %lld nodes, and a list of %lld",
		       (long long)nodes, (long long)listed);
}

/* ReqMem "3000Mc" is for each CPU, "31000Mn" for each node, as sacct had it before 21.08. */
static void put_memory(const struct sacct_reader *reading, const struct slurm_tres *tres,
		       int64_t nodes, int64_t cpus)
{
	const char *text = sacct_cell(reading, SACCT_MEMORY);
	double bytes = tres->memory_bytes;
	char per;

	if (bytes < 0 && text != NULL && slurm_memory(text, &bytes, &per) == 0) {
		if (per == 'n')
			bytes *= (double)nodes;
		else if (per == 'c')
			bytes = cpus > 0 ? bytes * (double)cpus : -1;
	}
	if (bytes >= 0)
		flow_real(reading->flow, reading->memory, bytes);
}

static void put_resources(const struct sacct_reader *reading, const struct slurm_tres *tres,
			  int64_t nodes)
{
	const char *cpus = sacct_cell(reading, SACCT_CPUS),
		   *segment = sacct_cell(reading, SACCT_SEGMENT);
	int64_t ncpus = tres->cpus, number = reading->line.segment;

	if (ncpus < 0 && cpus != NULL)
		num_int(cpus, 0, INT32_MAX, &ncpus);
	if (reading->cpus >= 0 && ncpus >= 0)
		flow_int(reading->flow, reading->cpus, ncpus);
	if (reading->gpus >= 0 && tres->gpus >= 0)
		flow_int(reading->flow, reading->gpus, tres->gpus);
	if (reading->gpu_type >= 0)
		flow_text(reading->flow, reading->gpu_type, tres->gpu_type);
	if (reading->memory >= 0)
		put_memory(reading, tres, nodes, ncpus);
	if (segment != NULL)
		num_int(segment, 1, INT32_MAX, &number);
	if (reading->segment >= 0 && number > 0)
		flow_int(reading->flow, reading->segment, number);
	if (reading->account >= 0)
		flow_text(reading->flow, reading->account, sacct_cell(reading, SACCT_ACCOUNT));
	if (reading->features >= 0)
		flow_text(reading->flow, reading->features, sacct_cell(reading, SACCT_CONSTRAINTS));
	if (reading->reservation >= 0)
		flow_text(reading->flow, reading->reservation,
			  sacct_cell(reading, SACCT_RESERVATION));
}

/* The application by the map file, else the job's name or its program, as app= says. */
static const char *find_app(const struct sacct_reader *reading, const char *name,
			    const char *program)
{
	for (size_t i = 0; i < reading->rules.n; i++) {
		const char *pattern = reading->rules.at[i].pattern;

		if ((name != NULL && fnmatch(pattern, name, 0) == 0) ||
		    (program != NULL && fnmatch(pattern, program, 0) == 0))
			return reading->rules.at[i].app;
	}
	return reading->app_is_name ? name : reading->app_is_binary ? program : NULL;
}

/* What is known of the held job before its tasks, or itself, go out. */
struct sized_job {
	struct sacct_reader *reading;
	struct slurm_tres tres;
	int64_t nodes;
};

/* What the line of submission says, for one of the components of a heterogeneous job. */
static void read_line(struct sacct_reader *reading, const char *id)
{
	const char *plus = strchr(id, '+');
	int64_t component = 0;

	if (plus != NULL)
		num_int(plus + 1, 0, INT32_MAX, &component);
	slurm_line_read(&reading->line, sacct_cell(reading, SACCT_LINE),
			sacct_cell(reading, SACCT_NAME), (int)component);
	/* of the tasks that wait, Slurm's own list has the limit as it is now */
	slurm_asks_array(&reading->line.asks, sacct_cell(reading, SACCT_JOB));
}

static void put_line(struct sacct_reader *reading)
{
	if (reading->depends < 0)
		return;
	slurm_asks_put(&reading->line.asks, &reading->asks, reading->flow);
	slurm_depends(reading->line.dependency, &reading->depends_text);
	if (reading->depends_text.n > 0)
		flow_text(reading->flow, reading->depends, reading->depends_text.text);
}

/* "20+1" is a component of the heterogeneous job 20. */
static void put_het_job(struct sacct_reader *reading, const char *id)
{
	size_t n = strcspn(id, "+");

	if (reading->het_job >= 0 && id[n] == '+')
		flow_text(reading->flow, reading->het_job, arena_strndup(&reading->row, id, n));
}

/* One job, or one task of an array. */
static int put_job(void *context, const char *id, struct err *err)
{
	const struct sized_job *job = context;
	struct sacct_reader *reading = job->reading;
	const char *name = sacct_cell(reading, SACCT_NAME),
		   *state = sacct_cell(reading, SACCT_STATE);
	char word[32];

	flow_text(reading->flow, reading->job, requeue_name(&reading->requeue, id));
	flow_int(reading->flow, reading->nodes, job->nodes);
	if (state != NULL)
		flow_text(reading->flow, reading->state,
			  state = slurm_job_state(reading->flow, state, word));
	if (sacct_put_times(reading, state, err) != 0)
		return -1;
	if (reading->step_tasks > 0 && reading->step_tasks % job->nodes == 0)
		flow_int(reading->flow, reading->ranks, reading->step_tasks / job->nodes);
	flow_text(reading->flow, reading->app, find_app(reading, name, reading->step_program));
	flow_text(reading->flow, reading->binary, reading->step_program);
	flow_text(reading->flow, reading->user, sacct_cell(reading, SACCT_USER));
	flow_text(reading->flow, reading->partition, sacct_cell(reading, SACCT_PARTITION));
	flow_text(reading->flow, reading->nodelist, sacct_cell(reading, SACCT_NODELIST));
	if (reading->state_reason >= 0)
		flow_text(reading->flow, reading->state_reason, sacct_cell(reading, SACCT_REASON));
	put_resources(reading, &job->tres, job->nodes);
	put_line(reading);
	put_het_job(reading, id);
	reading->flow->line = reading->held_line;
	return flow_emit(reading->flow, err);
}

/* The held job goes out, now that its steps are known. */
static int flush_job(struct sacct_reader *reading, struct err *err)
{
	struct sized_job job = {.reading = reading};
	int status = 0;

	if (!reading->is_held)
		return 0;
	memcpy(reading->table.cells, reading->held.at, reading->held.n * sizeof(char *));
	reading->is_held = false;
	read_tres(reading, &job.tres);
	read_line(reading, sacct_cell(reading, SACCT_JOB));
	status = read_nodes(reading, &job.tres, &job.nodes, err);
	if (status == 0)
		status = check_nodes(reading, err);
	if (status == 0 && job.nodes == 0)
		reading->nsizeless++;
	else if (status == 0)
		status = slurm_array_walk(sacct_cell(reading, SACCT_JOB), put_job, &job, err);
	free(reading->step_program);
	reading->step_program = NULL;
	reading->step_tasks = 0;
	arena_reset(&reading->row);
	if (status == 0)
		return 0;
	err_prefix(err, "%s:%ld: ", in_name(reading->in), reading->held_line);
	return flow_leave_out(reading->flow, err);
}

/* A copy of the row: its cells are in one line, in order. */
static void hold_job(struct sacct_reader *reading)
{
	char **cells = reading->table.cells;
	int n = reading->table.ncolumns;
	size_t length = (size_t)(cells[n - 1] - cells[0]) + strlen(cells[n - 1]) + 1;
	char *copy = arena_alloc(&reading->row, length);

	memcpy(copy, cells[0], length);
	reading->held.n = 0;
	for (int i = 0; i < n; i++)
		vec_push(&reading->held, copy + (cells[i] - cells[0]));
	reading->held_line = reading->table.line;
	reading->is_held = true;
}

/* A step "1.0" names the program and its ranks; 1.batch and 1.extern are not programs. */
static int read_step(struct sacct_reader *reading, const char *step, struct err *err)
{
	const char *name = sacct_cell(reading, SACCT_NAME),
		   *tasks = sacct_cell(reading, SACCT_TASKS);

	if (!reading->is_held || reading->step_program != NULL || step[0] < '0' || step[0] > '9')
		return 0;
	if (name != NULL)
		reading->step_program = text_program(name);
	if (tasks != NULL && num_int(tasks, 1, INT32_MAX, &reading->step_tasks) != 0)
		return slurm_row_error(&reading->table, err, "NTasks: '%s' is not a whole number",
				       tasks);
	return 0;
}

/* ---- files ---- */

static int find_columns(struct sacct_reader *reading, struct err *err)
{
	for (int field = 0; field < SACCT_NFIELDS; field++)
		reading->from[field] = slurm_column(&reading->table, sacct_field_names[field]);
	if (reading->from[SACCT_NODES] < 0 && reading->from[SACCT_TRES] < 0 &&
	    reading->from[SACCT_REQUESTED_TRES] < 0 && reading->from[SACCT_NODELIST] < 0)
		return in_error(
			reading->in, err,
			"has no column NNodes, and no other with the number of a job's nodes: see "
			"traceconv --list=readers for the command to run");
	return 0;
}

/* sacct without -P cuts what is wider than its column. A name or state without its end still says
 * something, and without resources a job is one without resources. */
static int check_cut(struct sacct_reader *reading, struct err *err)
{
	const struct slurm_table *table = &reading->table;

	if (table->sep == 0 && !table->is_ruled)
		return in_error(reading->in, err,
				"has no separator between its fields, and no dashes below their "
				"names: expected sacct -P");
	for (int field = 0; field < SACCT_NFIELDS && table->is_ruled; field++) {
		int column = reading->from[field];

		if (column < 0 || field == SACCT_NAME || field == SACCT_STATE ||
		    !slurm_is_cut(table, column))
			continue;
		if (field == SACCT_TRES || field == SACCT_REQUESTED_TRES || field == SACCT_LINE)
			table->cells[column][0] = '\0';
		else if (field != SACCT_JOB || strchr(table->cells[column], '.') == NULL)
			return slurm_row_error(
				&reading->table, err,
				"%s: '%s' was cut to the width of its column: expected "
				"sacct -P, or -o %s%%40",
				table->names[column], table->cells[column], table->names[column]);
	}
	return 0;
}

/* A row: a job, which is held until its steps are known, or a step. */
static int take_row(struct sacct_reader *reading, struct err *err)
{
	const char *id, *dot;

	if (sacct_settle(&reading->table, reading->from, err) != 0)
		return -1;
	id = sacct_cell(reading, SACCT_JOB);
	if (id == NULL || !isdigit((unsigned char)*id))
		return slurm_row_error(&reading->table, err, "a row without JobID");
	dot = strchr(id, '.');
	if (dot != NULL)
		return read_step(reading, dot + 1, err);
	/* the row's own cells are used up by the job that is held */
	if (reading->is_held) {
		char *cells[SLURM_CELLS];
		size_t size = (size_t)reading->table.ncolumns * sizeof(char *);

		memcpy(cells, reading->table.cells, size);
		if (flush_job(reading, err) != 0)
			return -1;
		memcpy(reading->table.cells, cells, size);
	}
	hold_job(reading);
	return 0;
}

static int read_rows(struct sacct_reader *reading, struct err *err)
{
	int status;

	while ((status = slurm_next(&reading->table, reading->flow, err)) == 1) {
		/* of a listing that is cut no column is to be trusted */
		if (check_cut(reading, err) != 0 ||
		    (take_row(reading, err) != 0 && flow_leave_out(reading->flow, err) != 0))
			return -1;
	}
	slurm_report_joined(&reading->table);
	return status == 0 ? flush_job(reading, err) : -1;
}

/* A column that the listing has something for; -1: it has not. */
static int declare_if(struct sacct_reader *reading, bool is_there, const char *name)
{
	return is_there ? flow_column(reading->flow, name) : -1;
}

/* The columns of resources, as the first listing has them. */
static void declare_resources(struct sacct_reader *reading)
{
	const int *from = reading->from;
	bool has_tres = from[SACCT_TRES] >= 0 || from[SACCT_REQUESTED_TRES] >= 0;

	reading->account = declare_if(reading, from[SACCT_ACCOUNT] >= 0, "account");
	reading->cpus = declare_if(reading, has_tres || from[SACCT_CPUS] >= 0, "cpus");
	reading->gpus = declare_if(reading, has_tres, "gpus");
	reading->gpu_type = declare_if(reading, has_tres, "gpu_type");
	reading->memory = declare_if(reading, has_tres || from[SACCT_MEMORY] >= 0, "memory_bytes");
	reading->state_reason = declare_if(reading, from[SACCT_REASON] >= 0, "state_reason");
	reading->features = declare_if(reading, from[SACCT_CONSTRAINTS] >= 0, "features");
	reading->reservation = declare_if(reading, from[SACCT_RESERVATION] >= 0, "reservation");
	reading->eligible = declare_if(reading, from[SACCT_ELIGIBLE] >= 0, "eligible_s");
	reading->segment =
		declare_if(reading, from[SACCT_SEGMENT] >= 0 || from[SACCT_LINE] >= 0, "segment");
	reading->het_job = flow_column(reading->flow, "het_job");
	reading->depends = declare_if(reading, from[SACCT_LINE] >= 0, "depends");
	if (from[SACCT_LINE] >= 0)
		slurm_asks_declare(&reading->asks, reading->flow);
	reading->is_declared = true;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct sacct_reader *reading = context;
	int status = slurm_open_as(&reading->table, in, "JobID",
				   pick_word(reading->input->pick, "columns"),
				   pick_word(reading->input->pick, "delimiter"), err);

	reading->in = in;
	reading->flow->file = in_name(in);
	if (status == 0)
		status = find_columns(reading, err);
	if (status == 0 && !reading->is_declared)
		declare_resources(reading);
	if (status == 0)
		status = read_rows(reading, err);
	reading->flow->file = NULL;
	slurm_close(&reading->table);
	return status;
}

/* Of the map file. */
static void take_rule(void *context, const char *pattern, const char *app)
{
	struct sacct_reader *reading = context;

	vec_push(&reading->rules,
		 (struct app_rule){arena_strndup(&reading->arena, pattern, strlen(pattern)),
				   arena_strndup(&reading->arena, app, strlen(app))});
}

static void declare(struct sacct_reader *reading)
{
	struct flow *flow = reading->flow;

	reading->job = flow_column(flow, "job");
	reading->submit = flow_column(flow, "submit_s");
	reading->nodes = flow_column(flow, "nodes");
	reading->ranks = flow_column(flow, "ranks_per_node");
	reading->runtime = flow_column(flow, "runtime_s");
	reading->walltime = flow_column(flow, "walltime_s");
	reading->app = flow_column(flow, "app");
	reading->binary = flow_column(flow, "binary");
	reading->user = flow_column(flow, "user");
	reading->partition = flow_column(flow, "partition");
	reading->state = flow_column(flow, "state");
	reading->start = flow_column(flow, "start_s");
	reading->end = flow_column(flow, "end_s");
	reading->nodelist = flow_column(flow, "nodelist");
}

static int read_listings(const struct reader_input *input, struct flow *flow, bool *whole,
			 struct err *err)
{
	struct sacct_reader reading = {.input = input,
				       .flow = flow,
				       .app_is_name = pick_is(input->pick, "app", "name"),
				       .app_is_binary = pick_is(input->pick, "app", "binary")};
	const char *map = pick_word(input->pick, "map");
	int status = map == NULL ? 0
				 : text_read_pairs(map, "a pattern and an application", take_rule,
						   &reading, err);

	(void)whole;
	declare(&reading);
	if (status == 0)
		status = text_read_files(input->paths, read_file, &reading, err);
	if (status == 0 && reading.nsizeless > 0)
		warn("%ld jobs without nodes were left out", reading.nsizeless);
	requeue_end(&reading.requeue);
	slurm_line_free(&reading.line);
	buf_free(&reading.depends_text);
	free(reading.rules.at);
	free(reading.held.at);
	free(reading.step_program);
	arena_free(&reading.arena);
	arena_free(&reading.row);
	return status;
}

/* A line of names that begins with JobID, and a delimiter: scontrol has JobId=, squeue JOBID. */
static bool is_listing(const char *head, size_t n)
{
	const char *at = head + 5;

	(void)n;
	if (!str_starts(head, "JobID"))
		return false;
	at += str_starts(at, "Raw") ? 3 : 0;
	/* without -P: names, then dashes */
	if (*at == ' ')
		return str_starts(at + strcspn(at, "\n"), "\n----");
	return *at != '\0' && strchr(" =\n\r", *at) == NULL && !isalnum((unsigned char)*at);
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_WORD,
	 .def = "name",
	 .choices = "name|binary|none",
	 .meaning = "the application: the job's name, the program of its first step, or "
		    "unknown"},
	SLURM_LISTING_PARAMS,
	{.key = "map",
	 .type = PARAM_FILE,
	 .optional = true,
	 .meaning = "a file of lines 'PATTERN APPLICATION': the first shell pattern that "
		    "matches the job's name or program gives the application"},
	{0}};
static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_sacct = {
	.entry = {.name = "sacct",
		  .example = "sacct:app=binary",
		  .summary = "Slurm's accounting (sacct -P); steps give a job's program "
			     "and ranks",
		  .feed = "SLURM_TIME_FORMAT=%s sacct -P -a -S now-1day -o "
			  "JobID,User,Partition,Submit,Start,End,ElapsedRaw,TimelimitRaw,State,"
			  "NNodes,NTasks,Account,AllocTRES,ReqTRES,Constraints,Reservation,"
			  "NodeList,JobName",
		  .params = params},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_listing,
	.read = read_listings,
};
