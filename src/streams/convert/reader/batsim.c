/* batsim.c - Batsim's workloads (JSON) and the jobs of its results (CSV) as jobs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/requeue.h"
#include "convert/reader/reader.h"
#include "base/names.h"
#include "base/die.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/csv.h"
#include "formats/hostlist.h"
#include "formats/in.h"
#include "formats/json.h"

struct batsim_reader {
	struct flow *flow;
	const char *prefix; /* before the numbers of hosts */
	int job, submit, nodes, runtime, walltime, app, state, start, end, nodelist;
	struct requeue requeue;
};

static void declare(struct batsim_reader *reading)
{
	struct flow *flow = reading->flow;

	reading->job = flow_column(flow, "job");
	reading->submit = flow_column(flow, "submit_s");
	reading->nodes = flow_column(flow, "nodes");
	reading->runtime = flow_column(flow, "runtime_s");
	reading->walltime = flow_column(flow, "walltime_s");
	reading->app = flow_column(flow, "app");
	reading->state = flow_column(flow, "state");
	reading->start = flow_column(flow, "start_s");
	reading->end = flow_column(flow, "end_s");
	reading->nodelist = flow_column(flow, "nodelist");
}

/* Seconds, also with more than nine decimals or an exponent. 1; 0: -1, which is unknown;
 * -1: none. */
static int read_seconds(const char *text, int64_t *ns)
{
	double seconds;

	if (num_real(text, -1, 9e9, &seconds) != 0)
		return -1;
	if (seconds < 0)
		return seconds == -1 ? 0 : -1;
	if (num_seconds(text, ns) != 0)
		*ns = (int64_t)(seconds * 1e9 + 0.5);
	return 1;
}

static int put_seconds(struct batsim_reader *reading, int column, const char *key, const char *text,
		       struct err *err)
{
	int64_t ns;
	int has = text != NULL && *text != '\0' ? read_seconds(text, &ns) : 0;

	if (has == 1)
		flow_seconds(reading->flow, column, ns);
	return has < 0 ? err_set(err, "%s: '%s' is not a time in seconds", key, text) : 0;
}

static int put_nodes(struct batsim_reader *reading, const char *text, struct err *err)
{
	int64_t nodes;

	if (text == NULL || num_int(text, 1, INT32_MAX, &nodes) != 0)
		return err_set(err, "'%s' is not a number of resources of at least 1",
			       text != NULL ? text : "");
	flow_int(reading->flow, reading->nodes, nodes);
	return 0;
}

/* ---- workloads ---- */

/* Types of profiles that only a simulation knows the time of. */
static bool is_simulated(const char *type)
{
	static const char *const types[] = {"parallel", "ptask",        "composed",   "seq",
					    "msg_par",  "homogeneous",  "smpi",       "usage_trace",
					    "replay",   "data_staging", "send",       "recv",
					    "Parallel", "PTask",        "Sequential", "Composed",
					    "Replay",   "ForkJoin",     "TraceReplay"};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (str_starts(type, types[i]))
			return true;
	return false;
}

/* How long a profile takes: a delay says it; of the others only the simulation knows. */
static const char *profile_delay(struct batsim_reader *reading, const struct yaml *profiles,
				 const struct map *index, const char *name)
{
	int64_t at = name != NULL ? map_get(index, name, strlen(name)) : -1;
	const struct yaml *profile = at >= 0 ? profiles->items[at] : NULL;
	const char *type = yaml_text(profile, "type");

	if (type != NULL && (str_eq(type, "delay") || str_eq(type, "DelayProfile")))
		return yaml_text(profile, "delay");
	if (profile == NULL)
		flow_unknown(reading->flow, "profiles", name != NULL ? name : "none");
	else if (type == NULL || !is_simulated(type))
		flow_unknown(reading->flow, "types of profiles", type != NULL ? type : "none");
	return NULL;
}

static int put_job(struct batsim_reader *reading, const struct yaml *job,
		   const struct yaml *profiles, const struct map *index, struct err *err)
{
	const char *id = yaml_text(job, "id"), *profile = yaml_text(job, "profile");

	if (id == NULL || *id == '\0')
		return err_set(err, "a job without its id");
	flow_text(reading->flow, reading->job, requeue_name(&reading->requeue, id));
	flow_text(reading->flow, reading->app, profile);
	if (put_nodes(reading, yaml_text(job, "res"), err) != 0 ||
	    put_seconds(reading, reading->submit, "subtime", yaml_text(job, "subtime"), err) != 0 ||
	    put_seconds(reading, reading->walltime, "walltime", yaml_text(job, "walltime"), err) !=
		    0 ||
	    put_seconds(reading, reading->runtime, "delay",
			profile_delay(reading, profiles, index, profile), err) != 0)
		return -1;
	reading->flow->line = job->line;
	return flow_emit(reading->flow, err);
}

static int read_workload(struct batsim_reader *reading, const char *path, struct err *err)
{
	struct map index = {0};
	struct yaml_file *file;
	const struct yaml *jobs, *profiles;
	int status = 0;

	if (json_open(&file, path, err) != 0)
		return -1;
	jobs = yaml_get(yaml_root(file), "jobs");
	profiles = yaml_get(yaml_root(file), "profiles");
	if (jobs == NULL || jobs->type != YAML_LIST) {
		status = yaml_error(file, yaml_root(file), err, "has no list 'jobs'");
	} else {
		for (size_t i = 0;
		     profiles != NULL && profiles->type == YAML_MAP && i < profiles->n; i++)
			map_add(&index, profiles->keys[i]->text, profiles->keys[i]->n, (int64_t)i);
		for (size_t i = 0; i < jobs->n && status == 0; i++) {
			struct err why;

			status = put_job(reading, jobs->items[i], profiles, &index, &why);
			if (status == 0)
				continue;
			yaml_error(file, jobs->items[i], err, "%s", why.msg);
			status = flow_leave_out(reading->flow, err);
		}
	}
	map_free(&index);
	yaml_close(file);
	return status;
}

/* ---- results ---- */

enum field {
	ID,
	SUBMITTED,
	REQUESTED,
	WALLTIME,
	STATE,
	STARTED,
	FINISHED,
	HOSTS,
	PROFILE,
	SUCCESS,
	NFIELDS
};
static const char *const field_names[NFIELDS] = {
	[ID] = "job_id",
	[SUBMITTED] = "submission_time",
	[REQUESTED] = "requested_number_of_resources",
	[WALLTIME] = "requested_time",
	[STATE] = "final_state",
	[STARTED] = "starting_time",
	[FINISHED] = "finish_time",
	[HOSTS] = "allocated_resources",
	[PROFILE] = "profile",
	[SUCCESS] = "success",
};

struct results {
	struct in *in;
	int column[NFIELDS]; /* −1: absent */
	int ncolumns;
	struct arena arena;
};

/* "0-3 7" as a node list. */
static int put_hosts(struct batsim_reader *reading, const char *text, struct buf *list,
		     struct err *err)
{
	if (text == NULL || *text == '\0')
		return 0;
	if (strspn(text, "0123456789- ,") != strlen(text))
		return err_set(err, "'%s' is not a list of resources such as 0-3 7", text);
	buf_clear(list);
	buf_printf(list, "%s[", reading->prefix);
	for (const char *p = text; *p != '\0'; p++)
		buf_char(list, *p == ' ' ? ',' : *p);
	buf_char(list, ']');
	flow_text(reading->flow, reading->nodelist, list->text);
	return 0;
}

static const char *state_of(const char *text)
{
	static const char *const states[][2] = {{"COMPLETED_SUCCESSFULLY", "completed"},
						{"COMPLETED_FAILED", "failed"},
						{"COMPLETED_WALLTIME_REACHED", "timeout"},
						{"COMPLETED_KILLED", "cancelled"},
						{"REJECTED", "rejected"}};

	for (size_t i = 0; text != NULL && i < sizeof(states) / sizeof(states[0]); i++)
		if (str_eq(text, states[i][0]))
			return states[i][1];
	return text;
}

static int put_result(struct batsim_reader *reading, const struct results *results, char **fields,
		      struct buf *list, struct err *err)
{
	const char *text[NFIELDS];
	int64_t start_ns, end_ns;

	for (int i = 0; i < NFIELDS; i++)
		text[i] = results->column[i] >= 0 ? fields[results->column[i]] : NULL;
	if (text[ID] == NULL || *text[ID] == '\0')
		return err_set(err, "a job without its id");
	flow_text(reading->flow, reading->job, requeue_name(&reading->requeue, text[ID]));
	flow_text(reading->flow, reading->app, text[PROFILE]);
	if (text[STATE] != NULL || text[SUCCESS] == NULL)
		flow_text(reading->flow, reading->state, state_of(text[STATE]));
	else /* files before final_state */
		flow_text(reading->flow, reading->state,
			  str_eq(text[SUCCESS], "1") ? "completed" : "failed");
	if (put_nodes(reading, text[REQUESTED], err) != 0 ||
	    put_seconds(reading, reading->submit, field_names[SUBMITTED], text[SUBMITTED], err) !=
		    0 ||
	    put_seconds(reading, reading->walltime, field_names[WALLTIME], text[WALLTIME], err) !=
		    0 ||
	    put_seconds(reading, reading->start, field_names[STARTED], text[STARTED], err) != 0 ||
	    put_seconds(reading, reading->end, field_names[FINISHED], text[FINISHED], err) != 0 ||
	    put_hosts(reading, text[HOSTS], list, err) != 0)
		return -1;
	if (text[STARTED] != NULL && text[FINISHED] != NULL &&
	    read_seconds(text[STARTED], &start_ns) == 1 &&
	    read_seconds(text[FINISHED], &end_ns) == 1 && end_ns >= start_ns)
		flow_seconds(reading->flow, reading->runtime, end_ns - start_ns);
	reading->flow->line = in_lineno(results->in);
	return flow_emit(reading->flow, err);
}

static int find_columns(struct results *results, const char *line, size_t n, struct err *err)
{
	char **names;

	results->ncolumns = csv_split(line, n, &results->arena, &names);
	for (int i = 0; i < NFIELDS; i++) {
		results->column[i] = -1;
		for (int j = 0; j < results->ncolumns; j++)
			if (str_eq(names[j], field_names[i]))
				results->column[i] = j;
	}
	if (results->column[ID] < 0 || results->column[REQUESTED] < 0)
		return in_error(results->in, err,
				"has no columns job_id and requested_number_of_resources: expected "
				"Batsim's jobs.csv, or a workload in JSON");
	return 0;
}

static int read_result_lines(struct batsim_reader *reading, struct results *results,
			     struct err *err)
{
	struct buf list = {0};
	char *line, **fields;
	size_t n;
	int status = in_line(results->in, &line, &n, err);

	if (status == 1)
		status = find_columns(results, line, n, err) == 0 ? 1 : -1;
	while (status == 1 && (status = in_line(results->in, &line, &n, err)) == 1) {
		if (n == 0)
			continue;
		arena_reset(&results->arena);
		if (csv_split(line, n, &results->arena, &fields) != results->ncolumns)
			status =
				in_error(results->in, err, "expected %d fields", results->ncolumns);
		else if (put_result(reading, results, fields, &list, err) != 0)
			status = err_prefix(err, "%s:%ld: ", in_name(results->in),
					    in_lineno(results->in));
		if (status < 0 && flow_leave_out(reading->flow, err) == 0)
			status = 1;
	}
	buf_free(&list);
	return status;
}

static int read_results(struct batsim_reader *reading, const char *path, struct err *err)
{
	struct results results = {0};
	int status;

	if (in_open(&results.in, path, err) != 0)
		return -1;
	status = read_result_lines(reading, &results, err);
	arena_free(&results.arena);
	in_close(results.in);
	return status;
}

static int read_paths(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct batsim_reader reading = {.flow = flow, .prefix = pick_word(input->pick, "hosts")};
	char head[64];
	size_t n;

	(void)whole;
	declare(&reading);
	for (char *const *path = input->paths; *path != NULL; path++) {
		bool is_json;

		if (in_head(*path, head, sizeof(head) - 1, &n, err) != 0)
			return -1;
		is_json = head[strspn(head, " \t\r\n")] == '{';
		flow->file = str_eq(*path, "-") ? "standard input" : *path;
		if ((is_json ? read_workload(&reading, *path, err)
			     : read_results(&reading, *path, err)) != 0)
			return -1;
	}
	flow->file = NULL;
	requeue_end(&reading.requeue);
	return 0;
}

static bool is_results(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "job_id,") &&
	       strstr(head, ",requested_number_of_resources,") != NULL;
}

static const struct param params[] = {{.key = "hosts",
				       .type = PARAM_TEXT,
				       .def = "n",
				       .meaning = "prefix of host numbers: resource 5 is "
						  "the node n5"},
				      {0}};
static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_batsim = {
	.entry = {.name = "batsim",
		  .example = "batsim:hosts=n",
		  .summary = "Batsim's workloads (JSON; a delay is the running "
			     "time), and the jobs.csv of its results",
		  .params = params},
	.makes = makes,
	.is_proof = is_results,
	.read = read_paths,
};
