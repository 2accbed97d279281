/* scontrol_job.c - scontrol show job, and the lines of jobcomp/filetxt, as jobs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "convert/reader/slurm_array.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_record.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"

struct scontrol_job_reader {
	const struct reader_input *input;
	struct flow *flow;
	struct slurm_record record;
	struct slurm_job_columns columns;
	struct slurm_shares cpus, gpus, memory;
	struct buf id;
	char *user;
	char word[32];
	bool is_jobcomp;
	long nsizeless;
};

static const char *value(const struct scontrol_job_reader *reading, const char *key)
{
	return slurm_record_value(&reading->record, key);
}

static const char *either(const struct scontrol_job_reader *reading, const char *key,
			  const char *other)
{
	const char *text = value(reading, key);

	return text != NULL ? text : value(reading, other);
}

/* ---- what it has on each node: Nodes=cn[02-03] CPU_IDs=0-1,8-9 Mem=8000 GRES=gpu:a100:1(IDX:0) */

/* How many numbers are in "0-1,8-9"; -1: it is no such list. */
static int64_t count_ids(const char *ids)
{
	char *copy = xstrdup(ids), *parts[1024];
	int n = str_split(copy, ',', parts, 1024);
	int64_t count = 0;

	for (int i = 0; i < n && count >= 0; i++) {
		char *dash = strchr(parts[i], '-');
		int64_t first, last;

		if (dash != NULL)
			*dash++ = '\0';
		if (num_int(parts[i], 0, INT32_MAX, &first) != 0 ||
		    num_int(dash != NULL ? dash : parts[i], first, INT32_MAX, &last) != 0)
			count = -1;
		else
			count += last - first + 1;
	}
	free(copy);
	return count;
}

static void read_shares(struct scontrol_job_reader *reading, struct slurm_job *job)
{
	int64_t nnodes = 0, total = 0, number;
	bool has_gpus = false, has_cpus = true;
	double bytes;
	char per;

	slurm_shares_clear(&reading->cpus);
	slurm_shares_clear(&reading->gpus);
	slurm_shares_clear(&reading->memory);
	for (size_t i = 0; i < reading->record.pairs.n; i++) {
		const struct slurm_pair *pair = &reading->record.pairs.at[i];

		if (str_eq(pair->key, "Nodes")) {
			nnodes = slurm_count_nodes(pair->value);
		} else if (str_eq(pair->key, "CPU_IDs") && nnodes > 0) {
			number = count_ids(pair->value);
			has_cpus = has_cpus && number >= 0; /* long lists are cut */
			slurm_shares_add(&reading->cpus, number, nnodes);
		} else if (str_eq(pair->key, "Mem") && nnodes > 0 &&
			   slurm_memory(pair->value, &bytes, &per) == 0) {
			slurm_shares_add(&reading->memory, (int64_t)bytes, nnodes);
		} else if ((str_eq(pair->key, "GRES") || str_eq(pair->key, "GRES_IDX")) &&
			   nnodes > 0) {
			number = 0;
			slurm_gres_add(pair->value, &number, job->tres.gpu_type);
			slurm_shares_add(&reading->gpus, number, nnodes);
			total += number * nnodes;
			has_gpus = true;
		}
	}
	job->cpus_per_node = has_cpus ? slurm_shares_text(&reading->cpus) : NULL;
	job->memory_per_node = slurm_shares_text(&reading->memory);
	if (has_gpus && total > 0)
		job->gpus_per_node = slurm_shares_text(&reading->gpus);
	if (has_gpus && total > job->tres.gpus)
		job->tres.gpus = total;
}

/* ---- a job ---- */

static void read_id(struct scontrol_job_reader *reading, struct slurm_job *job)
{
	const char *array = value(reading, "ArrayJobId"), *task = value(reading, "ArrayTaskId");
	const char *het = value(reading, "HetJobId"), *offset = value(reading, "HetJobOffset");

	buf_clear(&reading->id);
	if (het == NULL) { /* up to 19.05 they were packed jobs */
		het = value(reading, "PackJobId");
		offset = value(reading, "PackJobOffset");
	}
	if (het != NULL && offset != NULL)
		buf_printf(&reading->id, "%s+%s", het, offset);
	else if (array != NULL && task != NULL)
		buf_printf(&reading->id, strpbrk(task, ",-%") != NULL ? "%s_[%s]" : "%s_%s", array,
			   task);
	else if (value(reading, "JobId") != NULL)
		buf_str(&reading->id, value(reading, "JobId"));
	job->het_job = het;
	job->id = buf_text(&reading->id);
}

static int get_time(const struct scontrol_job_reader *reading, const char *key, int64_t *ns,
		    struct err *err)
{
	return slurm_time(reading->input, value(reading, key), ns, err) < 0
		       ? err_prefix(err, "%s: ", key)
		       : 0;
}

/* TimeLimit is a duration; jobcomp's is minutes, as a number alone is elsewhere too. */
static int read_times(struct scontrol_job_reader *reading, struct slurm_job *job, struct err *err)
{
	int64_t seconds;
	int has = slurm_duration(value(reading, "TimeLimit"), &seconds, err);

	if (has < 0)
		return err_prefix(err, "TimeLimit: ");
	if (has == 1)
		job->walltime_ns = seconds * 1000000000;
	job->dependency = value(reading, "Dependency");
	return get_time(reading, "SubmitTime", &job->submit_ns, err) != 0 ||
			       get_time(reading, "EligibleTime", &job->eligible_ns, err) != 0 ||
			       get_time(reading, "StartTime", &job->start_ns, err) != 0 ||
			       get_time(reading, "EndTime", &job->end_ns, err) != 0
		       ? -1
		       : 0;
}

/* "4", "4-4", "2-8" (at least, at most): the least. */
static void read_number(const char *text, int64_t *number)
{
	size_t n = text != NULL ? strspn(text, "0123456789") : 0;
	uint64_t value;

	if (num_digits(text, n, &value) == 0 && value <= INT32_MAX)
		*number = (int64_t)value;
}

static void read_resources(struct scontrol_job_reader *reading, struct slurm_job *job)
{
	const char *tres = either(reading, "AllocTRES", "ReqTRES");
	int64_t gpus = -1;

	if (tres == NULL)
		tres = either(reading, "TRES", "Tres");
	slurm_tres_read(&job->tres, tres);
	read_number(either(reading, "NumNodes", "NodeCnt"), &job->nodes);
	if (job->nodes <= 0 && job->nodelist != NULL)
		job->nodes = slurm_count_nodes(job->nodelist);
	if (job->nodes <= 0)
		job->nodes = job->tres.nodes;
	if (job->tres.cpus < 0)
		read_number(either(reading, "NumCPUs", "ProcCnt"), &job->tres.cpus);
	read_number(value(reading, "NumTasks"), &job->tasks);
	read_number(value(reading, "SegmentSize"), &job->segment);
	read_shares(reading, job);
	if (job->tres.gpus <= 0) {
		slurm_gres_add(value(reading, "TresPerNode"), &gpus, job->tres.gpu_type);
		if (gpus > 0)
			job->tres.gpus = gpus * (job->nodes > 0 ? job->nodes : 1);
		gpus = -1;
		slurm_gres_add(value(reading, "TresPerJob"), &gpus, job->tres.gpu_type);
		if (gpus > 0)
			job->tres.gpus = gpus;
	}
	slurm_asks_sharing(&job->asks, either(reading, "OverSubscribe", "Shared"));
	slurm_asks_switches(&job->asks, value(reading, "Switches"));
	slurm_asks_array(&job->asks, value(reading, "ArrayTaskId"));
	read_number(value(reading, "ArrayTaskThrottle"), &job->asks.array_limit);
}

/* What slurm_array_walk calls for a job, or for each task of an array that waits. */
struct job_put {
	struct scontrol_job_reader *reading;
	struct slurm_job *job;
};

static int put_job(void *context, const char *id, struct err *err)
{
	struct job_put *put = context;

	put->job->id = id;
	slurm_job_put(put->job, &put->reading->columns, put->reading->flow);
	put->reading->flow->line = put->reading->record.line;
	return flow_emit(put->reading->flow, err);
}

/*
 * A record of several lines has all fields behind the one with the name, and each of them once:
 * what a name with line ends brought would be a record, or fields, of its own.
 */
static int check_block(const struct scontrol_job_reader *reading, struct err *err)
{
	static const char *const once[] = {"JobId", "UserId", "JobState", "NumNodes", "NodeList"};
	const struct slurm_record *record = &reading->record;

	for (size_t k = 0; k < sizeof(once) / sizeof(*once); k++) {
		int n = 0;

		for (size_t i = 0; i < record->pairs.n; i++)
			n += str_eq(record->pairs.at[i].key, once[k]);
		if (n > 1)
			return err_set(err, "%s= is there %d times, a name may hold line ends",
				       once[k], n);
	}
	return 0;
}

static int put_record(void *context, struct err *err)
{
	struct scontrol_job_reader *reading = context;
	struct slurm_job job;
	struct job_put put = {reading, &job};
	const char *user = value(reading, "UserId"), *state = value(reading, "JobState");

	slurm_job_clear(&job);
	if (check_block(reading, err) != 0)
		return -1;
	read_id(reading, &job);
	free(reading->user);
	reading->user = user != NULL ? xstrndup(user, strcspn(user, "(")) : NULL;
	job.user = reading->user;
	job.name = either(reading, "JobName", "Name");
	job.account = value(reading, "Account");
	job.partition = value(reading, "Partition");
	job.reason = value(reading, "Reason");
	job.nodelist = value(reading, "NodeList");
	job.features = value(reading, "Features");
	job.reservation = either(reading, "Reservation", "ReservationName");
	if (state != NULL)
		job.state = slurm_job_state(reading->flow, state, reading->word);
	if (read_times(reading, &job, err) != 0)
		return -1;
	read_resources(reading, &job);
	if (job.id[0] == '\0' || job.nodes <= 0) {
		reading->nsizeless++;
		return 0;
	}
	return slurm_array_walk(job.id, put_job, &put, err);
}

static int read_jobs(const struct reader_input *input, struct flow *flow, bool *whole,
		     struct err *err)
{
	struct scontrol_job_reader reading = {
		.input = input,
		.flow = flow,
		.record = {.first_key = "JobId", .nothing = "No jobs", .has_names = true}};
	int status;

	(void)whole;
	slurm_job_declare(&reading.columns, flow);
	status = slurm_records_read(&reading.record, input->paths, flow, put_record, &reading, err);
	if (status == 0 && reading.nsizeless > 0)
		warn("%ld jobs without nodes were left out", reading.nsizeless);
	slurm_job_end(&reading.columns);
	slurm_shares_free(&reading.cpus);
	slurm_shares_free(&reading.gpus);
	slurm_shares_free(&reading.memory);
	buf_free(&reading.id);
	free(reading.user);
	return status;
}

static bool is_job(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "JobId=") && strstr(head, " JobName=") != NULL;
}

static bool is_jobcomp(const char *head, size_t n)
{
	(void)n;
	return str_starts(head, "JobId=") && strstr(head, " Name=") != NULL &&
	       strstr(head, " JobName=") == NULL;
}

static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_scontrol_job = {
	.entry = {.name = "scontrol-job",
		  .example = "scontrol-job",
		  .summary = "Slurm's scontrol show job, one or several lines per job; -d"
			     " adds what a job has on each node",
		  .feed = "SLURM_TIME_FORMAT=%s scontrol -d show job"},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_job,
	.read = read_jobs,
};

const struct reader reader_jobcomp = {
	.entry = {.name = "jobcomp",
		  .example = "jobcomp",
		  .summary = "the log of Slurm's jobcomp/filetxt",
		  .feed = "cat /var/log/slurm_jobcomp.log"},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_jobcomp,
	.read = read_jobs,
};
