/* sacct.c - Slurm's accounting as jobs */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "convert/reader/sacct_priv.h"
#include "convert/reader/text.h"
#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

static const char *const field_names[SACCT_NFIELDS][4] = {
	[SACCT_JOB] = {"JobID"},
	[SACCT_NAME] = {"JobName"},
	[SACCT_USER] = {"User"},
	[SACCT_PARTITION] = {"Partition"},
	[SACCT_SUBMIT] = {"Submit"},
	[SACCT_START] = {"Start"},
	[SACCT_END] = {"End"},
	[SACCT_ELAPSED_RAW] = {"ElapsedRaw"},
	[SACCT_ELAPSED] = {"Elapsed"},
	[SACCT_LIMIT_RAW] = {"TimelimitRaw"},
	[SACCT_LIMIT] = {"Timelimit"},
	[SACCT_STATE] = {"State"},
	[SACCT_NODES] = {"NNodes", "AllocNodes", "ReqNodes"},
	[SACCT_TRES] = {"AllocTRES", "ReqTRES"},
	[SACCT_TASKS] = {"NTasks"},
	[SACCT_NODELIST] = {"NodeList"},
};

/* A line of the map file: jobs whose name or program matches are of the application. */
struct app_rule {
	const char *pattern, *app;
};

struct reading {
	const struct reader_input *input;
	struct flow *flow;
	struct in *in;
	struct slurm_table table;
	int from[SACCT_NFIELDS]; /* columns of the listing; -1: absent */
	int job, submit, nodes, runtime, walltime, ranks, app, binary, user, partition, state,
		start, end, nodelist; /* of the flow */
	bool app_is_name, app_is_binary;
	VEC(struct app_rule) rules;
	/* The job whose steps follow: its row as it was. */
	VEC(char *) held;
	long held_line;
	bool is_held;
	char *step_program; /* of its first step; NULL: none yet */
	int64_t step_tasks; /* 0: not known */
	long nsizeless;
	struct arena arena, row;
};

/* ---- jobs ---- */

static const char *cell(const struct reading *reading, enum sacct_field field)
{
	return slurm_cell(&reading->table, reading->from[field]);
}

static int put_time(struct reading *reading, enum sacct_field field, int column, int64_t *ns,
		    struct err *err)
{
	int has = slurm_time(reading->input, cell(reading, field), ns, err);

	if (has == 1)
		flow_seconds(reading->flow, column, *ns);
	return has;
}

static int put_duration(struct reading *reading, enum sacct_field field, int column,
			struct err *err)
{
	int64_t seconds;
	int has = slurm_duration(cell(reading, field), &seconds, err);

	if (has == 1)
		flow_seconds(reading->flow, column, seconds * 1000000000);
	return has;
}

/* A plain number of seconds or minutes. 1; 0: none; -1. */
static int put_raw(struct reading *reading, enum sacct_field field, int column, int64_t unit_s,
		   struct err *err)
{
	const char *text = cell(reading, field);
	int64_t number;

	if (text == NULL || str_eq(text, "UNLIMITED") || str_eq(text, "Partition_Limit"))
		return 0;
	if (num_int(text, 0, SLURM_SECONDS_MOST / unit_s, &number) != 0)
		return err_set(err, "%s: '%s' is not a whole number", field_names[field][0], text);
	flow_seconds(reading->flow, column, number * unit_s * 1000000000);
	return 1;
}

static int put_times(struct reading *reading, const char *state, struct err *err)
{
	bool has_begun = state == NULL || !str_eq(state, "pending");
	bool has_ended = has_begun && (state == NULL || !str_eq(state, "running"));
	int64_t ns;
	int has = put_time(reading, SACCT_SUBMIT, reading->submit, &ns, err);

	if (has >= 0 && has_begun) {
		has = put_time(reading, SACCT_START, reading->start, &ns, err);
		if (has == 1)
			has = put_raw(reading, SACCT_ELAPSED_RAW, reading->runtime, 1, err);
		if (has == 0 && reading->from[SACCT_ELAPSED_RAW] < 0)
			has = put_duration(reading, SACCT_ELAPSED, reading->runtime, err);
	}
	if (has >= 0 && has_ended)
		has = put_time(reading, SACCT_END, reading->end, &ns, err);
	if (has >= 0)
		has = put_raw(reading, SACCT_LIMIT_RAW, reading->walltime, 60, err);
	if (has == 0 && reading->from[SACCT_LIMIT_RAW] < 0)
		has = put_duration(reading, SACCT_LIMIT, reading->walltime, err);
	return has < 0 ? -1 : 0;
}

/* The number of nodes: NNodes, else node=N of the trackable resources. 0: not known. */
static int read_nodes(const struct reading *reading, int64_t *nodes, struct err *err)
{
	const char *text = cell(reading, SACCT_NODES), *tres = cell(reading, SACCT_TRES), *at;
	char digits[20] = "";

	*nodes = 0;
	if (text == NULL && tres != NULL && (at = strstr(tres, "node=")) != NULL &&
	    (at == tres || at[-1] == ',')) {
		size_t n = strspn(at + 5, "0123456789");

		if (n < sizeof(digits)) {
			memcpy(digits, at + 5, n);
			digits[n] = '\0';
			text = digits;
		}
	}
	if (text != NULL && num_int(text, 0, INT32_MAX, nodes) != 0)
		return err_set(err, "'%s' is not a number of nodes", text);
	return 0;
}

/* The application by the map file, else the job's name or its program, as app= says. */
static const char *find_app(const struct reading *reading, const char *name, const char *program)
{
	for (size_t i = 0; i < reading->rules.n; i++) {
		const char *pattern = reading->rules.at[i].pattern;

		if ((name != NULL && fnmatch(pattern, name, 0) == 0) ||
		    (program != NULL && fnmatch(pattern, program, 0) == 0))
			return reading->rules.at[i].app;
	}
	return reading->app_is_name ? name : reading->app_is_binary ? program : NULL;
}

/* One job: the ids of an array's pending tasks, 5_[2-3%2], are several. */
static int put_job(struct reading *reading, const char *id, int64_t nodes, struct err *err)
{
	const char *name = cell(reading, SACCT_NAME), *state = cell(reading, SACCT_STATE);
	char word[32];

	flow_text(reading->flow, reading->job, id);
	flow_int(reading->flow, reading->nodes, nodes);
	if (state != NULL)
		flow_text(reading->flow, reading->state, state = slurm_job_state(state, word));
	if (put_times(reading, state, err) != 0)
		return -1;
	if (reading->step_tasks > 0 && reading->step_tasks % nodes == 0)
		flow_int(reading->flow, reading->ranks, reading->step_tasks / nodes);
	flow_text(reading->flow, reading->app, find_app(reading, name, reading->step_program));
	flow_text(reading->flow, reading->binary, reading->step_program);
	flow_text(reading->flow, reading->user, cell(reading, SACCT_USER));
	flow_text(reading->flow, reading->partition, cell(reading, SACCT_PARTITION));
	flow_text(reading->flow, reading->nodelist, cell(reading, SACCT_NODELIST));
	reading->flow->line = reading->held_line;
	return flow_emit(reading->flow, err);
}

/* "0-3,7,10-20:5%2": calls put_job for each; text is cut up. */
static int put_tasks(struct reading *reading, const char *job, char *text, int64_t nodes,
		     struct err *err)
{
	enum { TASKS_MOST = 4000001 }; /* Slurm's MaxArraySize is at most this */
	char *parts[1024];
	int n;

	text[strcspn(text, "%")] = '\0';
	n = str_split(text, ',', parts, 1024);
	for (int i = 0; i < n; i++) {
		char *colon = strchr(parts[i], ':'), *dash;
		int64_t first, last, step = 1;

		if (colon != NULL)
			*colon++ = '\0';
		dash = strchr(parts[i], '-');
		if (dash != NULL)
			*dash++ = '\0';
		if (num_int(parts[i], 0, TASKS_MOST, &first) != 0 ||
		    num_int(dash != NULL ? dash : parts[i], first, TASKS_MOST, &last) != 0 ||
		    (colon != NULL && num_int(colon, 1, TASKS_MOST, &step) != 0))
			return err_set(err,
				       "'%s_[…]' is not a list of array tasks such as 5_[0-3,7%%2]",
				       job);
		for (int64_t task = first; task <= last; task += step) {
			char id[128];

			snprintf(id, sizeof(id), "%s_%lld", job, (long long)task);
			if (put_job(reading, id, nodes, err) != 0)
				return -1;
		}
	}
	return 0;
}

/* The held job goes out, now that its steps are known. */
static int flush_job(struct reading *reading, struct err *err)
{
	char *id, *open;
	int64_t nodes;
	int status = 0;

	if (!reading->is_held)
		return 0;
	memcpy(reading->table.cells, reading->held.at, reading->held.n * sizeof(char *));
	reading->is_held = false;
	status = read_nodes(reading, &nodes, err);
	if (status == 0 && nodes == 0) {
		reading->nsizeless++;
	} else if (status == 0) {
		id = xstrdup(cell(reading, SACCT_JOB));
		open = strstr(id, "_[");
		if (open != NULL && str_ends(id, "]")) {
			*open = '\0';
			open[strlen(open + 2) + 1] = '\0';
			status = put_tasks(reading, id, open + 2, nodes, err);
		} else {
			status = put_job(reading, id, nodes, err);
		}
		free(id);
	}
	free(reading->step_program);
	reading->step_program = NULL;
	reading->step_tasks = 0;
	arena_reset(&reading->row);
	return status == 0 ? 0
			   : err_prefix(err, "%s:%ld: ", in_name(reading->in), reading->held_line);
}

/* A copy of the row: its cells lie in one line, in order. */
static void hold_job(struct reading *reading)
{
	char **cells = reading->table.cells;
	int n = reading->table.ncolumns;
	size_t length = (size_t)(cells[n - 1] - cells[0]) + strlen(cells[n - 1]) + 1;
	char *copy = arena_alloc(&reading->row, length);

	memcpy(copy, cells[0], length);
	reading->held.n = 0;
	for (int i = 0; i < n; i++)
		vec_push(&reading->held, copy + (cells[i] - cells[0]));
	reading->held_line = in_lineno(reading->in);
	reading->is_held = true;
}

/* A step "1.0" tells the program and its ranks; 1.batch and 1.extern are no programs. */
static int read_step(struct reading *reading, const char *step, struct err *err)
{
	const char *name = cell(reading, SACCT_NAME), *tasks = cell(reading, SACCT_TASKS);

	if (!reading->is_held || reading->step_program != NULL || step[0] < '0' || step[0] > '9')
		return 0;
	if (name != NULL)
		reading->step_program = text_program(name);
	if (tasks != NULL && num_int(tasks, 1, INT32_MAX, &reading->step_tasks) != 0)
		return in_error(reading->in, err, "NTasks: '%s' is not a whole number", tasks);
	return 0;
}

/* ---- files ---- */

static int find_columns(struct reading *reading, struct err *err)
{
	for (int field = 0; field < SACCT_NFIELDS; field++)
		reading->from[field] = slurm_column(&reading->table, field_names[field]);
	if (reading->table.sep == 0)
		return in_error(reading->in, err,
				"has no separator between its fields: sacct -P was wanted");
	if (reading->from[SACCT_NODES] < 0 && reading->from[SACCT_TRES] < 0)
		return in_error(reading->in, err,
				"has no column NNodes: see traceconv --list=readers for the "
				"command to run");
	return 0;
}

static int read_rows(struct reading *reading, struct err *err)
{
	int status;

	while ((status = slurm_next(&reading->table, err)) == 1) {
		const char *id, *dot;

		if (sacct_settle(&reading->table, reading->from, err) != 0)
			return -1;
		id = cell(reading, SACCT_JOB);
		if (id == NULL)
			return in_error(reading->in, err, "a row without JobID");
		dot = strchr(id, '.');
		if (dot != NULL) {
			if (read_step(reading, dot + 1, err) != 0)
				return -1;
			continue;
		}
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
	}
	return status == 0 ? flush_job(reading, err) : -1;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct reading *reading = context;
	int status = slurm_open(&reading->table, in, "JobID", err);

	reading->in = in;
	reading->flow->file = in_name(in);
	if (status == 0)
		status = find_columns(reading, err);
	if (status == 0)
		status = read_rows(reading, err);
	reading->flow->file = NULL;
	slurm_close(&reading->table);
	return status;
}

/* Of the map file. */
static void take_rule(void *context, const char *pattern, const char *app)
{
	struct reading *reading = context;

	vec_push(&reading->rules,
		 (struct app_rule){arena_strndup(&reading->arena, pattern, strlen(pattern)),
				   arena_strndup(&reading->arena, app, strlen(app))});
}

static void declare(struct reading *reading)
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
	struct reading reading = {.input = input,
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
	free(reading.rules.at);
	free(reading.held.at);
	free(reading.step_program);
	arena_free(&reading.arena);
	arena_free(&reading.row);
	return status;
}

static const struct param params[] = {
	{.key = "app",
	 .type = PARAM_WORD,
	 .def = "name",
	 .choices = "name|binary|none",
	 .meaning = "what the application is: the job's name, the program of its first step, or "
		    "not known"},
	{.key = "map",
	 .type = PARAM_FILE,
	 .optional = true,
	 .meaning = "a file of lines 'PATTERN APPLICATION': the first pattern (of the shell) that "
		    "matches the job's name or its program says the application"},
	{0}};
static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_sacct = {
	.entry = {.name = "sacct",
		  .example = "sacct:app=binary",
		  .summary = "Slurm's accounting (sacct -P); steps tell a job's program and ranks",
		  .feed = "SLURM_TIME_FORMAT=%s sacct -P -a -S now-1day -o "
			  "JobID,User,Partition,Submit,Start,End,ElapsedRaw,TimelimitRaw,State,"
			  "NNodes,NTasks,NodeList,JobName",
		  .params = params},
	.makes = makes,
	.read = read_listings,
};
