/* philly.c - Microsoft's Philly: jobs with several attempts, each a separate placement */
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"
#include "convert/reader/json_file.h"
#include "convert/reader/requeue.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/text.h"

struct philly_reader {
	const struct reader_input *input;
	struct flow *flow;
	int job, user, partition, state, nodes, gpus, gpus_per_node, exclusive, submit, start, end,
		nodelist;
	struct requeue requeue;
	struct buf list, word;
	struct slurm_shares shares;
	long nsizeless;
};

static void declare(struct philly_reader *reading)
{
	struct flow *flow = reading->flow;

	reading->job = flow_column(flow, "job");
	reading->user = flow_column(flow, "user");
	reading->partition = flow_column(flow, "partition");
	reading->state = flow_column(flow, "state");
	reading->nodes = flow_column(flow, "nodes");
	reading->gpus = flow_column(flow, "gpus");
	reading->gpus_per_node = flow_column(flow, "gpus_per_node");
	reading->exclusive = flow_column(flow, "exclusive");
	reading->submit = flow_column(flow, "submit_s");
	reading->start = flow_column(flow, "start_s");
	reading->end = flow_column(flow, "end_s");
	reading->nodelist = flow_column(flow, "nodelist");
}

static int put_time(struct philly_reader *reading, const struct yaml *owner, const char *key,
		    int column, struct err *err)
{
	const char *text = yaml_text(owner, key);
	int64_t ns;
	int has;

	if (text == NULL || str_eq(text, "None") || str_eq(text, "null") || *text == '\0')
		return 0;
	has = slurm_time(reading->input, text, &ns, err);
	if (has == 1)
		flow_seconds(reading->flow, column, ns);
	return has < 0 ? err_prefix(err, "%s: ", key) : 0;
}

/* detail: [{ip, gpus: […]}, …] */
static int put_nodes(struct philly_reader *reading, const struct yaml *detail, struct err *err)
{
	int64_t gpus = 0;

	buf_clear(&reading->list);
	slurm_shares_clear(&reading->shares);
	for (size_t i = 0; i < detail->n; i++) {
		const struct yaml *item = detail->items[i], *of = yaml_get(item, "gpus");
		const char *ip = yaml_text(item, "ip");

		if (ip == NULL)
			return err_set(err, "detail: a node without its ip");
		buf_printf(&reading->list, "%s%s", i > 0 ? "," : "", ip);
		slurm_shares_add(&reading->shares,
				 of != NULL && of->type == YAML_LIST ? (int64_t)of->n : 0, 1);
		gpus += of != NULL && of->type == YAML_LIST ? (int64_t)of->n : 0;
	}
	flow_int(reading->flow, reading->nodes, (int64_t)detail->n);
	flow_int(reading->flow, reading->gpus, gpus);
	flow_text(reading->flow, reading->gpus_per_node, slurm_shares_text(&reading->shares));
	flow_text(reading->flow, reading->nodelist, buf_text(&reading->list));
	return 0;
}

/* Attempts before the last one failed, whatever became of the job. */
static int put_attempt(struct philly_reader *reading, const struct yaml *item,
		       const struct yaml *attempt, bool is_last, struct err *err)
{
	const struct yaml *detail = yaml_get(attempt, "detail");
	const char *status = yaml_text(item, "status"), *job = yaml_text(item, "jobid");

	if (job == NULL)
		return err_set(err, "a job without its jobid");
	if (detail == NULL || detail->type != YAML_LIST || detail->n == 0) {
		reading->nsizeless++;
		return 0;
	}
	buf_clear(&reading->word);
	for (; status != NULL && *status != '\0'; status++)
		buf_char(&reading->word,
			 (char)(*status >= 'A' && *status <= 'Z' ? *status + 32 : *status));
	flow_text(reading->flow, reading->job, requeue_name(&reading->requeue, job));
	flow_text(reading->flow, reading->user, yaml_text(item, "user"));
	flow_text(reading->flow, reading->partition, yaml_text(item, "vc"));
	flow_text(reading->flow, reading->state, is_last ? buf_text(&reading->word) : "failed");
	flow_text(reading->flow, reading->exclusive, "no");
	if (put_nodes(reading, detail, err) != 0 ||
	    put_time(reading, item, "submitted_time", reading->submit, err) != 0 ||
	    put_time(reading, attempt, "start_time", reading->start, err) != 0 ||
	    put_time(reading, attempt, "end_time", reading->end, err) != 0)
		return -1;
	return flow_emit(reading->flow, err);
}

static int put_job(struct philly_reader *reading, const struct yaml *item, struct err *err)
{
	const struct yaml *attempts = yaml_get(item, "attempts");

	if (item->type != YAML_MAP || attempts == NULL || attempts->type != YAML_LIST)
		return err_set(err, "expected a job with its attempts");
	reading->nsizeless += attempts->n == 0;
	for (size_t i = 0; i < attempts->n; i++)
		if (put_attempt(reading, item, attempts->items[i], i + 1 == attempts->n, err) != 0)
			return -1;
	return 0;
}

static int take_item(void *context, const char *key, const struct yaml *item, struct err *err)
{
	(void)key;
	return put_job(context, item, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct philly_reader *reading = context;

	return json_file_read(in, reading->flow, take_item, reading, err);
}

static int read_log(const struct reader_input *input, struct flow *flow, bool *whole,
		    struct err *err)
{
	struct philly_reader reading = {.input = input, .flow = flow};
	int status;

	(void)whole;
	declare(&reading);
	status = text_read_files(input->paths, read_file, &reading, err);
	if (status == 0 && reading.nsizeless > 0)
		warn("%ld jobs or attempts without nodes were left out", reading.nsizeless);
	requeue_end(&reading.requeue);
	buf_free(&reading.list);
	buf_free(&reading.word);
	slurm_shares_free(&reading.shares);
	return status;
}

/* A list of jobs with attempts. */
static bool is_philly(const char *head, size_t n)
{
	(void)n;
	return head[strspn(head, " \t\r\n")] == '[' && strstr(head, "\"attempts\"") != NULL &&
	       strstr(head, "\"jobid\"") != NULL;
}

static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_philly = {
	.entry = {.name = "philly",
		  .example = "philly",
		  .summary =
			  "Microsoft's Philly traces (cluster_job_log): each attempt of a job is "
			  "a placement"},
	.makes = makes,
	.is_proof = is_philly,
	.read = read_log,
};
