/* squeue.c - Slurm's queue as jobs that wait or run */
#include <stdio.h>
#include <string.h>

#include "convert/reader/slurm_array.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"
#include "convert/reader/text.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"

struct columns {
	int id, name, user, partition, state, submit, start, end, limit, nodes, list, reason;
	int eligible, dependency, account, cpus, memory, tres, tres_per_node, features, sharing,
		switches, switch_wait, segment; /* of the listing only */
};

struct squeue_reader {
	const struct reader_input *input;
	struct flow *flow;
	struct slurm_table table;
	struct columns from;
	long ncut; /* rows whose list of tasks is not whole */
	struct slurm_job_columns to;
};

static void find_columns(struct columns *at, const struct slurm_table *table)
{
	at->id = slurm_column(table, (const char *const[]){"JOBID", "JOBID_ARRAY", NULL});
	at->name = slurm_column(table, (const char *const[]){"NAME", NULL});
	at->user = slurm_column(table, (const char *const[]){"USER", NULL});
	at->partition = slurm_column(table, (const char *const[]){"PARTITION", NULL});
	at->state = slurm_column(table, (const char *const[]){"STATE", "ST", NULL});
	at->submit = slurm_column(table, (const char *const[]){"SUBMIT_TIME", NULL});
	at->eligible = slurm_column(table, (const char *const[]){"ELIGIBLE_TIME", NULL});
	at->dependency = slurm_column(table, (const char *const[]){"DEPENDENCY", NULL});
	at->start = slurm_column(table, (const char *const[]){"START_TIME", NULL});
	at->end = slurm_column(table, (const char *const[]){"END_TIME", NULL});
	at->limit = slurm_column(
		table, (const char *const[]){"TIME_LIMIT", "TIME_LIMI", "TIMELIMIT", NULL});
	at->nodes = slurm_column(table, (const char *const[]){"NODES", NULL});
	at->list = slurm_column(table, (const char *const[]){"NODELIST(REASON)", "NODELIST", NULL});
	at->reason = slurm_column(table, (const char *const[]){"REASON", NULL});
	at->account = slurm_column(table, (const char *const[]){"ACCOUNT", NULL});
	at->cpus = slurm_column(table, (const char *const[]){"CPUS", NULL});
	at->memory = slurm_column(table, (const char *const[]){"MIN_MEMORY", NULL});
	at->tres = slurm_column(table, (const char *const[]){"TRES_ALLOC", "TRES", NULL});
	at->tres_per_node =
		slurm_column(table, (const char *const[]){"TRES_PER_NODE", "GRES", NULL});
	at->features = slurm_column(table, (const char *const[]){"FEATURES", NULL});
	at->sharing = slurm_column(table, (const char *const[]){"OVER_SUBSCRIBE", "OVER_SUBSCRI",
								"OVERSUBSCRIBE", "SHARED", NULL});
	at->switches = slurm_column(table, (const char *const[]){"REQ_SWITCH", NULL});
	at->switch_wait = slurm_column(table, (const char *const[]){"WAIT4SWITCH", NULL});
	at->segment =
		slurm_column(table, (const char *const[]){"SEGMENT_SIZE", "SEGMENTSIZE", NULL});
}

static int get_time(struct squeue_reader *reading, int from, int64_t *to, struct err *err)
{
	return slurm_time(reading->input, slurm_cell(&reading->table, from), to, err) < 0 ? -1 : 0;
}

/* %R is a node list, or in parentheses why there is none. */
static void read_place(struct squeue_reader *reading, struct slurm_job *job)
{
	const char *list = slurm_cell(&reading->table, reading->from.list);
	const char *reason = slurm_cell(&reading->table, reading->from.reason);

	if (list != NULL && list[0] != '(') {
		job->nodelist = list;
	} else if (list != NULL && reason == NULL) {
		char *inner = (char *)list + 1;
		size_t n = strlen(inner);

		if (n > 0 && inner[n - 1] == ')')
			inner[n - 1] = '\0';
		reason = str_eq(inner, "null") ? NULL : inner;
	}
	job->reason = reason;
}

/* MIN_MEMORY is of a node or of a CPU, and squeue does not say which: it is not used. */
static void read_resources(const struct squeue_reader *reading, struct slurm_job *job)
{
	const struct slurm_table *table = &reading->table;
	const char *cpus = slurm_cell(table, reading->from.cpus);
	int64_t gpus = -1;

	job->account = slurm_cell(table, reading->from.account);
	job->features = slurm_cell(table, reading->from.features);
	slurm_tres_read(&job->tres, slurm_cell(table, reading->from.tres));
	if (job->tres.cpus < 0 && cpus != NULL)
		num_int(cpus, 0, INT32_MAX, &job->tres.cpus);
	if (job->tres.gpus < 0 && reading->from.tres_per_node >= 0) {
		slurm_gres_add(slurm_cell(table, reading->from.tres_per_node), &gpus,
			       job->tres.gpu_type);
		if (gpus >= 0)
			job->tres.gpus = gpus * job->nodes;
	}
}

/* What it asks for besides nodes. */
static int read_asks(const struct squeue_reader *reading, struct slurm_job *job, const char *id,
		     struct err *err)
{
	const struct slurm_table *table = &reading->table;
	const char *segment = slurm_cell(table, reading->from.segment);

	slurm_asks_sharing(&job->asks, slurm_cell(table, reading->from.sharing));
	slurm_asks_switches(&job->asks, slurm_cell(table, reading->from.switches));
	slurm_asks_array(&job->asks, id);
	if (segment != NULL)
		num_int(segment, 1, INT32_MAX, &job->segment);
	return slurm_duration(slurm_cell(table, reading->from.switch_wait),
			      &job->asks.switch_wait_s, err) < 0
		       ? -1
		       : 0;
}

static int read_times(struct squeue_reader *reading, struct slurm_job *job, struct err *err)
{
	const struct columns *from = &reading->from;
	int64_t seconds;
	int has = slurm_duration(slurm_cell(&reading->table, from->limit), &seconds, err);

	if (has == 1)
		job->walltime_ns = seconds * 1000000000;
	job->dependency = slurm_cell(&reading->table, from->dependency);
	return has < 0 || get_time(reading, from->submit, &job->submit_ns, err) != 0 ||
			       get_time(reading, from->eligible, &job->eligible_ns, err) != 0 ||
			       get_time(reading, from->start, &job->start_ns, err) != 0 ||
			       get_time(reading, from->end, &job->end_ns, err) != 0
		       ? -1
		       : 0;
}

/* What slurm_array_walk calls for a job, or for each task of an array that waits. */
struct job_put {
	struct squeue_reader *reading;
	struct slurm_job job;
};

static int put_job(void *context, const char *id, struct err *err)
{
	struct job_put *put = context;
	char het[32];
	size_t n = strcspn(id, "+");

	put->job.id = id;
	if (n < sizeof(het) && id[n] == '+') {
		memcpy(het, id, n);
		het[n] = '\0';
		put->job.het_job = het;
	}
	slurm_job_put(&put->job, &put->reading->to, put->reading->flow);
	return flow_emit(put->reading->flow, err);
}

static int read_row(void *context, struct err *err)
{
	struct squeue_reader *reading = context;
	const struct columns *from = &reading->from;
	struct slurm_table *table = &reading->table;
	const char *id = slurm_cell(table, from->id), *nodes = slurm_cell(table, from->nodes);
	const char *state = slurm_cell(table, from->state);
	struct job_put put = {.reading = reading};
	struct slurm_job *job = &put.job;
	char word[32];

	while (table->ncells > table->ncolumns && table->has_names)
		*(table->cells[--table->ncells] - 1) = table->sep;
	if (table->ncells > table->ncolumns)
		return err_set(err,
			       "has %d fields, expected %d: put texts that may hold "
			       "the separator last, or leave them out",
			       table->ncells, table->ncolumns);
	slurm_job_clear(job);
	if (id == NULL || nodes == NULL || num_int(nodes, 1, INT32_MAX, &job->nodes) != 0)
		return err_set(err, "expected a job's id and its number of nodes");
	job->name = slurm_cell(table, from->name);
	job->user = slurm_cell(table, from->user);
	job->partition = slurm_cell(table, from->partition);
	if (state != NULL)
		job->state = slurm_job_state(reading->flow, state, word);
	if (read_times(reading, job, err) != 0 || read_asks(reading, job, id, err) != 0)
		return -1;
	read_place(reading, job);
	read_resources(reading, job);
	if (strstr(id, "_[") != NULL && (!str_ends(id, "]") || strstr(id, "...") != NULL)) {
		reading->ncut++; /* by the width of its column */
		return put_job(&put, id, err);
	}
	return slurm_array_walk(id, put_job, &put, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct squeue_reader *reading = context;
	int status = slurm_open_as(&reading->table, in, "JOBID",
				   pick_word(reading->input->pick, "columns"),
				   pick_word(reading->input->pick, "delimiter"), err);

	reading->flow->file = in_name(in);
	if (status == 0) {
		find_columns(&reading->from, &reading->table);
		if (reading->from.nodes < 0)
			status = in_error(in, err, "has no column NODES (squeue's %%D)");
		else
			status = slurm_read_rows(&reading->table, reading->flow, read_row, reading,
						 err);
	}
	reading->flow->file = NULL;
	slurm_close(&reading->table);
	return status;
}

static int read_queue(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct squeue_reader reading = {.input = input, .flow = flow};
	int status;

	(void)whole;
	slurm_job_declare(&reading.to, flow);
	status = text_read_files(input->paths, read_file, &reading, err);
	slurm_job_end(&reading.to);
	if (status == 0 && reading.ncut > 0)
		warn("%ld lists of array tasks were cut by squeue: each is "
		     "one row here (squeue -r lists every task)",
		     reading.ncut);
	return status;
}

static bool is_queue(const char *head, size_t n)
{
	(void)n;
	return slurm_is_listing(head, "JOBID ", "JOBID|", "NODES");
}

static const struct param params[] = {SLURM_LISTING_PARAMS, {0}};
static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_squeue = {
	.entry = {.name = "squeue",
		  .example = "squeue",
		  .summary = "Slurm's queue: fields separated by bars, or squeue's default "
			     "layout",
		  .params = params,
		  .feed = "SLURM_TIME_FORMAT=%s squeue -r -o "
			  "'%i|%u|%a|%P|%T|%V|%S|%e|%l|%D|%C|%b|%f|%h|%N|%r|%E|%j'"},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_queue,
	.read = read_queue,
};
