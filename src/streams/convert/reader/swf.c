/* swf.c - the Standard Workload Format of the Parallel Workloads Archive as jobs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/reader.h"
#include "convert/reader/text.h"
#include "base/die.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"

/* The 18 fields of a line, counted from 0. */
enum field {
	JOB,
	SUBMIT,
	WAIT,
	RUNTIME,
	PROCESSORS,
	CPU_TIME,
	MEMORY,
	REQUESTED_PROCESSORS,
	REQUESTED_TIME,
	REQUESTED_MEMORY,
	STATUS,
	USER,
	GROUP,
	APP,
	QUEUE,
	PARTITION,
	PRECEDING,
	THINK_TIME,
	NFIELDS
};
enum { FIELDS_MOST = NFIELDS + 8 }; /* some logs have more; a {…} list among them matters */

/* Names for numbers: "; Queue: 3 batch" and the like. */
enum label { LABEL_QUEUE, LABEL_PARTITION, LABEL_USER, LABEL_GROUP, LABEL_APP, LABEL_JOB, NLABELS };
static const char *const label_words[NLABELS] = {"Queue", "Partition", "User",
						 "Group", "App",       "Job"};

struct swf_reader {
	struct flow *flow;
	struct in *in;
	int64_t cores; /* processors of a node, from the parameter; 0: from the header */
	int64_t header_nodes, header_processors;
	int64_t unix_start_s; /* ; UnixStartTime: what the log's times count from */
	bool is_absolute, keeps_all, has_after;
	const char *host_prefix;
	struct map labels[NLABELS]; /* number → place in texts */
	VEC(const char *) texts;
	struct arena arena, row; /* row: until it is emitted */
	bool seen_row;
	long nsizeless, nnegative, first_negative;
	struct hostlist hosts;
	struct map host_seen;
	/* columns; those behind walltime only with all=yes */
	int job, submit, nodes, runtime, walltime, start, end, ranks, user, group, app, queue,
		partition, state, nodelist;
	int processors, requested, cpu_time, memory, requested_memory, depends, delay;
};

static void declare(struct swf_reader *reading)
{
	struct flow *flow = reading->flow;

	reading->job = flow_column(flow, "job");
	reading->submit = flow_column(flow, "submit_s");
	reading->nodes = flow_column(flow, "nodes");
	reading->ranks = flow_column(flow, "ranks_per_node");
	reading->runtime = flow_column(flow, "runtime_s");
	reading->walltime = flow_column(flow, "walltime_s");
	reading->app = flow_column(flow, "app");
	reading->user = flow_column(flow, "user");
	reading->group = flow_column(flow, "group");
	reading->queue = flow_column(flow, "queue");
	reading->partition = flow_column(flow, "partition");
	reading->state = flow_column(flow, "state");
	reading->start = flow_column(flow, "start_s");
	reading->end = flow_column(flow, "end_s");
	if (reading->host_prefix != NULL)
		reading->nodelist = flow_column(flow, "nodelist");
	if (reading->has_after) {
		reading->depends = flow_column(flow, "depends");
		reading->delay = flow_column(flow, "depends_delay_s");
	}
	if (!reading->keeps_all)
		return;
	reading->processors = flow_column(flow, "processors");
	reading->requested = flow_column(flow, "requested_processors");
	reading->cpu_time = flow_column(flow, "cpu_time_s");
	reading->memory = flow_column(flow, "memory_bytes");
	reading->requested_memory = flow_column(flow, "requested_memory_bytes");
}

/* ---- header lines ---- */

/* "3 batch (details)": a name for a number */
static void read_label(struct swf_reader *reading, enum label label, char *text)
{
	size_t n = strcspn(text, " \t");
	char *name, *details;

	if (n == 0 || text[n] == '\0')
		return;
	name = str_trim(text + n);
	details = strstr(name, " (");
	if (details != NULL)
		*details = '\0';
	map_set(&reading->labels[label], text, n, (int64_t)reading->texts.n);
	vec_push(&reading->texts, arena_strndup(&reading->arena, name, strlen(name)));
}

static void read_header_number(const char *text, int64_t min, int64_t max, int64_t *value)
{
	char digits[20];
	size_t n = strspn(text, "0123456789");

	if (n == 0 || n >= sizeof(digits))
		return;
	memcpy(digits, text, n);
	digits[n] = '\0';
	if (num_int(digits, min, max, value) != 0)
		*value = 0;
}

/* "; Key: value"; what is not understood is a comment. */
static void read_header(struct swf_reader *reading, char *line)
{
	char *key = line + strspn(line, "; \t"), *colon = strchr(key, ':'), *value;

	if (colon == NULL)
		return;
	*colon = '\0';
	value = str_trim(colon + 1);
	if (str_eq(key, "MaxNodes"))
		read_header_number(value, 1, INT32_MAX, &reading->header_nodes);
	else if (str_eq(key, "MaxProcs"))
		read_header_number(value, 1, INT32_MAX, &reading->header_processors);
	else if (str_eq(key, "UnixStartTime"))
		read_header_number(value, 0, 9000000000, &reading->unix_start_s);
	for (int i = 0; i < NLABELS; i++)
		if (str_eq(key, label_words[i]))
			read_label(reading, (enum label)i, value);
}

/* ---- fields ---- */

static bool is_unknown(const char *text)
{
	return text[0] == '-' && text[1] == '1' && (text[2] == '\0' || str_eq(text + 2, ".0"));
}

static int wrong_field(const struct swf_reader *reading, int field, const char *text,
		       const char *noun, struct err *err)
{
	return in_error(reading->in, err, "field %d: '%s' is not %s", field + 1, text, noun);
}

/* Seconds as nanoseconds, with any number of decimals; some generators write "-0.0" or "12.0". 1;
 * 0: unknown; -1. */
static int read_seconds(struct swf_reader *reading, char **fields, int field, int64_t *ns,
			struct err *err)
{
	const char *text = fields[field];
	double seconds;

	if (is_unknown(text))
		return 0;
	if (num_seconds(text, ns) != 0) {
		if (num_real(text, -9e9, 9e9, &seconds) != 0)
			return wrong_field(reading, field, text, "a time in seconds", err);
		*ns = (int64_t)(seconds * 1e9 + 0.5);
	}
	if (*ns < 0 && reading->nnegative++ == 0)
		reading->first_negative = in_lineno(reading->in);
	return *ns >= 0;
}

/* A count; "64.0" is one too. 1; 0: unknown (also 0, which means it in many logs); -1. */
static int read_count(const struct swf_reader *reading, char **fields, int field, int64_t *count,
		      struct err *err)
{
	const char *text = fields[field];
	double real;

	if (is_unknown(text) || str_eq(text, "0"))
		return 0;
	if (num_int(text, 0, INT32_MAX, count) == 0)
		return *count > 0;
	if (num_real(text, 0, INT32_MAX, &real) != 0 || real != (double)(int64_t)real)
		return wrong_field(reading, field, text, "a whole number, or -1 for unknown", err);
	*count = (int64_t)real;
	return *count > 0;
}

static void put_label(struct swf_reader *reading, int column, enum label label, const char *number)
{
	const struct map *labels = &reading->labels[label];
	int64_t at = labels->n > 0 ? map_get(labels, number, strlen(number)) : -1;

	if (at >= 0)
		flow_text(reading->flow, column, reading->texts.at[at]);
	else if (!is_unknown(number))
		flow_text(reading->flow, column, number);
}

static int put_state(struct swf_reader *reading, const char *status, struct err *err)
{
	static const char *const states[] = {"failed",         "completed",
					     "partial",        "partial-completed",
					     "partial-failed", "cancelled"};

	if (is_unknown(status))
		return 0;
	if (status[0] < '0' || status[0] > '5' || status[1] != '\0')
		return wrong_field(reading, STATUS, status, "a status from -1 to 5", err);
	flow_text(reading->flow, reading->state, states[status[0] - '0']);
	return 0;
}

static int add_times(const struct swf_reader *reading, int64_t *ns, int64_t more_ns,
		     struct err *err)
{
	if (__builtin_add_overflow(*ns, more_ns, ns))
		return in_error(reading->in, err, "the times add up to more than 292 years");
	return 0;
}

static int put_times(struct swf_reader *reading, char **fields, struct err *err)
{
	int64_t unix_ns = reading->unix_start_s * 1000000000;
	int64_t submit_ns, wait_ns, runtime_ns, walltime_ns;
	int has_submit = read_seconds(reading, fields, SUBMIT, &submit_ns, err), has_wait,
	    has_runtime, has_walltime;

	if (has_submit < 0 || (has_wait = read_seconds(reading, fields, WAIT, &wait_ns, err)) < 0 ||
	    (has_runtime = read_seconds(reading, fields, RUNTIME, &runtime_ns, err)) < 0 ||
	    (has_walltime = read_seconds(reading, fields, REQUESTED_TIME, &walltime_ns, err)) < 0)
		return -1;
	if (has_submit && reading->is_absolute && add_times(reading, &submit_ns, unix_ns, err) != 0)
		return -1;
	if (has_submit)
		flow_seconds(reading->flow, reading->submit, submit_ns);
	if (has_runtime)
		flow_seconds(reading->flow, reading->runtime, runtime_ns);
	if (has_walltime)
		flow_seconds(reading->flow, reading->walltime, walltime_ns);
	if (!has_submit || !has_wait)
		return 0;
	if (add_times(reading, &submit_ns, wait_ns, err) != 0)
		return -1;
	flow_seconds(reading->flow, reading->start, submit_ns);
	if (!has_runtime)
		return 0;
	if (add_times(reading, &submit_ns, runtime_ns, err) != 0)
		return -1;
	flow_seconds(reading->flow, reading->end, submit_ns);
	return 0;
}

/* ---- sizes ---- */

/* "{1241,1241,1255}": the host of each processor, as Alea writes it. *nhosts: how many they are. */
static int put_hosts(struct swf_reader *reading, const char *list, int64_t *nhosts, struct err *err)
{
	char name[128];

	hostlist_clear(&reading->hosts);
	map_free(&reading->host_seen);
	reading->host_seen = (struct map){0};
	*nhosts = 0;
	for (const char *p = list + 1; *p != '}';) {
		size_t n = strcspn(p, ",}");
		int length;

		if (n == 0 || p[n] == '\0' || strspn(p, "0123456789") != n)
			return in_error(reading->in, err,
					"'%.40s…' is not a list of hosts such as {1,1,2}", list);
		if (map_get(&reading->host_seen, p, n) == -1) {
			map_add(&reading->host_seen, p, n, 1);
			length = snprintf(name, sizeof(name), "%s%.*s", reading->host_prefix,
					  (int)(n < 20 ? n : 20), p);
			if (length >= (int)sizeof(name))
				return err_set(err, "the prefix of hosts is too long");
			hostlist_add(&reading->hosts, name, (size_t)length);
			++*nhosts;
		}
		p += n + (p[n] == ',');
	}
	flow_text(reading->flow, reading->nodelist, hostlist_text(&reading->hosts));
	return 0;
}

static int64_t cores_of_a_node(const struct swf_reader *reading)
{
	int64_t nodes = reading->header_nodes, processors = reading->header_processors;

	if (reading->cores > 0)
		return reading->cores;
	return nodes > 0 && processors > nodes && processors % nodes == 0 ? processors / nodes : 1;
}

/* 1; 0: the log does not say how large the job is; -1. */
static int put_size(struct swf_reader *reading, char **fields, int nfields, struct err *err)
{
	int64_t cores = cores_of_a_node(reading), processors, nodes, nhosts;
	int has = read_count(reading, fields, PROCESSORS, &processors, err);

	if (has == 0)
		has = read_count(reading, fields, REQUESTED_PROCESSORS, &processors, err);
	if (has <= 0)
		return has;
	nodes = (processors + cores - 1) / cores;
	for (int i = NFIELDS; i < nfields && reading->host_prefix != NULL; i++)
		if (fields[i][0] == '{') {
			if (put_hosts(reading, fields[i], &nhosts, err) != 0)
				return -1;
			nodes = nhosts > 0 ? nhosts : nodes;
		}
	flow_int(reading->flow, reading->nodes, nodes);
	if (processors % nodes == 0 && (cores > 1 || processors > nodes))
		flow_int(reading->flow, reading->ranks, processors / nodes);
	return 1;
}

/* ---- everything else, with all=yes ---- */

/* Kilobytes (of 1024) for each processor. */
static int put_memory(struct swf_reader *reading, char **fields, int field, int column,
		      struct err *err)
{
	double kilobytes;

	if (is_unknown(fields[field]))
		return 0;
	if (num_real(fields[field], 0, 1e18, &kilobytes) != 0)
		return wrong_field(reading, field, fields[field], "a size in kilobytes", err);
	flow_real(reading->flow, column, kilobytes * 1024);
	return 0;
}

/* The job that must have ended before (some logs: "1&2&3"), and how long after it this one is
 * submitted. */
static int put_after(struct swf_reader *reading, char **fields, struct err *err)
{
	const char *text = fields[PRECEDING];
	struct buf names = {0};
	int64_t ns;
	int has = 0;

	if (is_unknown(text) || str_eq(text, "0"))
		return 0;
	while (*text != '\0') {
		size_t n = strcspn(text, "&");
		int64_t at = map_get(&reading->labels[LABEL_JOB], text, n);

		if (names.n > 0)
			buf_char(&names, ',');
		if (at >= 0)
			buf_str(&names, reading->texts.at[at]);
		else
			buf_add(&names, text, n);
		text += n + (text[n] == '&');
	}
	flow_text(reading->flow, reading->depends,
		  arena_strndup(&reading->row, buf_text(&names), names.n));
	buf_free(&names);
	has = read_seconds(reading, fields, THINK_TIME, &ns, err);
	if (has > 0)
		flow_seconds(reading->flow, reading->delay, ns);
	return has < 0 ? -1 : 0;
}

static int put_rest(struct swf_reader *reading, char **fields, struct err *err)
{
	int64_t count, ns;
	int has = read_count(reading, fields, PROCESSORS, &count, err);

	if (has > 0)
		flow_int(reading->flow, reading->processors, count);
	if (has >= 0 && (has = read_count(reading, fields, REQUESTED_PROCESSORS, &count, err)) > 0)
		flow_int(reading->flow, reading->requested, count);
	if (has >= 0 && (has = read_seconds(reading, fields, CPU_TIME, &ns, err)) > 0)
		flow_seconds(reading->flow, reading->cpu_time, ns);
	if (has < 0)
		return -1;
	if (put_memory(reading, fields, MEMORY, reading->memory, err) != 0)
		return -1;
	return put_memory(reading, fields, REQUESTED_MEMORY, reading->requested_memory, err);
}

static int read_row(struct swf_reader *reading, char *line, size_t n, struct err *err)
{
	char *fields[FIELDS_MOST];
	int nfields = text_words_of(line, n, fields, FIELDS_MOST), has_size;

	if (nfields == 0)
		return 0;
	if (nfields < NFIELDS)
		return in_error(reading->in, err, "has %d fields, expected at least %d", nfields,
				NFIELDS);
	has_size = put_size(reading, fields, nfields, err);
	if (has_size < 0 || put_times(reading, fields, err) != 0 ||
	    put_state(reading, fields[STATUS], err) != 0)
		return -1;
	if (has_size == 0) {
		flow_skip(reading->flow);
		reading->nsizeless++;
		return 0;
	}
	if (is_unknown(fields[JOB]))
		return wrong_field(reading, JOB, fields[JOB], "a job's number", err);
	put_label(reading, reading->job, LABEL_JOB, fields[JOB]);
	put_label(reading, reading->user, LABEL_USER, fields[USER]);
	put_label(reading, reading->group, LABEL_GROUP, fields[GROUP]);
	put_label(reading, reading->app, LABEL_APP, fields[APP]);
	put_label(reading, reading->queue, LABEL_QUEUE, fields[QUEUE]);
	put_label(reading, reading->partition, LABEL_PARTITION, fields[PARTITION]);
	if (reading->has_after && put_after(reading, fields, err) != 0)
		return -1;
	if (reading->keeps_all && put_rest(reading, fields, err) != 0)
		return -1;
	reading->flow->line = in_lineno(reading->in);
	if (flow_emit(reading->flow, err) != 0)
		return -1;
	arena_reset(&reading->row);
	return 0;
}

/* Some logs name their columns in a first line without ';'. */
static bool is_names(const char *line)
{
	line += strspn(line, " \t");
	return (*line >= 'a' && *line <= 'z') || (*line >= 'A' && *line <= 'Z');
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct swf_reader *reading = context;
	char *line;
	size_t n;
	int status;

	reading->in = in;
	reading->flow->file = in_name(in);
	while ((status = in_line(in, &line, &n, err)) == 1) {
		if (line[strspn(line, " \t")] == ';')
			read_header(reading, line);
		else if (in_lineno(in) == 1 && is_names(line))
			continue;
		else if (read_row(reading, line, n, err) != 0 &&
			 (flow_leave_out(reading->flow, err) != 0))
			return -1;
	}
	reading->flow->file = NULL;
	if (status == 0 && !reading->flow->has_rows && reading->flow->nskipped > 0)
		return err_set(err, "%s", reading->flow->skip_why); /* it is no such log */
	return status;
}

static int read_logs(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct swf_reader reading = {
		.flow = flow,
		.cores = pick_has(input->pick, "cores") ? pick_int(input->pick, "cores") : 0,
		.is_absolute = pick_bool(input->pick, "absolute"),
		.keeps_all = pick_bool(input->pick, "all"),
		.has_after = pick_bool(input->pick, "all") || pick_bool(input->pick, "after"),
		.host_prefix = pick_word(input->pick, "hosts"),
	};
	int status;

	(void)whole;
	declare(&reading);
	status = text_read_files(input->paths, read_file, &reading, err);
	if (status == 0 && reading.nsizeless > 0)
		warn("%ld jobs whose number of processors is not known were left out",
		     reading.nsizeless);
	if (status == 0 && reading.nnegative > 0)
		warn("%ld negative times that are not -1 were taken as "
		     "unknown; the first is in line %ld",
		     reading.nnegative, reading.first_negative);
	for (int i = 0; i < NLABELS; i++)
		map_free(&reading.labels[i]);
	map_free(&reading.host_seen);
	hostlist_free(&reading.hosts);
	free(reading.texts.at);
	arena_free(&reading.arena);
	arena_free(&reading.row);
	return status;
}

static const struct param params[] = {
	{.key = "cores",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 1e6,
	 .optional = true,
	 .unit = "processors",
	 .meaning = "processors per node; default: MaxProcs over MaxNodes if the header "
		    "has both, else 1"},
	{.key = "absolute",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "times since the epoch: add the header's UnixStartTime"},
	{.key = "hosts",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "a {1241,1241,1242} behind the 18 fields (Alea) names the host of each "
		    "processor: the nodelist, with this before the numbers"},
	{.key = "after",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "the preceding job and the think time as depends and depends_delay_s: jobs "
		    "that are placed anew arrive that long after its end"},
	{.key = "all",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "also these and the fields that none of our tools reads"},
	{0}};
/* A header of comments that names what the archive's logs begin with. */
static bool is_log(const char *head, size_t n)
{
	(void)n;
	return head[0] == ';' &&
	       (strstr(head, "UnixStartTime:") != NULL || strstr(head, "MaxProcs:") != NULL ||
		strstr(head, "MaxNodes:") != NULL);
}

static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_swf = {
	.entry = {.name = "swf",
		  .example = "swf:cores=4,all",
		  .summary =
			  "job logs in the Standard Workload Format (Parallel Workloads Archive)",
		  .params = params},
	.makes = makes,
	.is_proof = is_log,
	.read = read_logs,
};
