/* squeue.c - Slurm's queue as jobs that wait or run */
#include <stdio.h>
#include <string.h>

#include "convert/reader/slurm_fields.h"
#include "convert/reader/text.h"
#include "base/num.h"
#include "base/str.h"

struct columns {
	int id, name, user, partition, state, submit, start, end, limit, nodes, list, reason;
};

struct reading {
	const struct reader_input *input;
	struct flow *flow;
	struct slurm_table table;
	struct columns from, to;
};

static void find_columns(struct columns *at, const struct slurm_table *table)
{
	at->id = slurm_column(table, (const char *const[]){"JOBID", "JOBID_ARRAY", NULL});
	at->name = slurm_column(table, (const char *const[]){"NAME", NULL});
	at->user = slurm_column(table, (const char *const[]){"USER", NULL});
	at->partition = slurm_column(table, (const char *const[]){"PARTITION", NULL});
	at->state = slurm_column(table, (const char *const[]){"STATE", "ST", NULL});
	at->submit = slurm_column(table, (const char *const[]){"SUBMIT_TIME", NULL});
	at->start = slurm_column(table, (const char *const[]){"START_TIME", NULL});
	at->end = slurm_column(table, (const char *const[]){"END_TIME", NULL});
	at->limit = slurm_column(
		table, (const char *const[]){"TIME_LIMIT", "TIME_LIMI", "TIMELIMIT", NULL});
	at->nodes = slurm_column(table, (const char *const[]){"NODES", NULL});
	at->list = slurm_column(table, (const char *const[]){"NODELIST(REASON)", "NODELIST", NULL});
	at->reason = slurm_column(table, (const char *const[]){"REASON", NULL});
}

static void declare(struct columns *to, struct flow *flow)
{
	to->id = flow_column(flow, "job");
	to->submit = flow_column(flow, "submit_s");
	to->nodes = flow_column(flow, "nodes");
	to->limit = flow_column(flow, "walltime_s");
	to->name = flow_column(flow, "app");
	to->user = flow_column(flow, "user");
	to->partition = flow_column(flow, "partition");
	to->state = flow_column(flow, "state");
	to->reason = flow_column(flow, "reason");
	to->start = flow_column(flow, "start_s");
	to->end = flow_column(flow, "end_s");
	to->list = flow_column(flow, "nodelist");
}

static int put_time(struct reading *reading, int from, int to, struct err *err)
{
	int64_t ns;
	int has = slurm_time(reading->input, slurm_cell(&reading->table, from), &ns, err);

	if (has == 1)
		flow_seconds(reading->flow, to, ns);
	return has < 0 ? -1 : 0;
}

/* %R is a node list, or in parentheses why there is none. */
static void put_place(struct reading *reading)
{
	const char *list = slurm_cell(&reading->table, reading->from.list);
	const char *reason = slurm_cell(&reading->table, reading->from.reason);

	if (list != NULL && list[0] != '(') {
		flow_text(reading->flow, reading->to.list, list);
	} else if (list != NULL && reason == NULL) {
		char *inner = (char *)list + 1;
		size_t n = strlen(inner);

		if (n > 0 && inner[n - 1] == ')')
			inner[n - 1] = '\0';
		reason = str_eq(inner, "null") ? NULL : inner;
	}
	flow_text(reading->flow, reading->to.reason, reason);
}

static int read_row(struct reading *reading, struct err *err)
{
	const struct columns *from = &reading->from, *to = &reading->to;
	const struct slurm_table *table = &reading->table;
	const char *id = slurm_cell(table, from->id), *nodes = slurm_cell(table, from->nodes);
	const char *state = slurm_cell(table, from->state);
	char word[32];
	int64_t number;
	int has;

	if (table->ncells > table->ncolumns)
		return err_set(err,
			       "has %d fields, %d were wanted: put texts that may hold the "
			       "separator last, or leave them out",
			       table->ncells, table->ncolumns);
	if (id == NULL || nodes == NULL || num_int(nodes, 1, INT32_MAX, &number) != 0)
		return err_set(err, "a job's id and its number of nodes were wanted");
	flow_text(reading->flow, to->id, id);
	flow_int(reading->flow, to->nodes, number);
	flow_text(reading->flow, to->name, slurm_cell(table, from->name));
	flow_text(reading->flow, to->user, slurm_cell(table, from->user));
	flow_text(reading->flow, to->partition, slurm_cell(table, from->partition));
	if (state != NULL)
		flow_text(reading->flow, to->state, state = slurm_job_state(state, word));
	has = slurm_duration(slurm_cell(table, from->limit), &number, err);
	if (has == 1)
		flow_seconds(reading->flow, to->limit, number * 1000000000);
	if (has < 0 || put_time(reading, from->submit, to->submit, err) != 0)
		return -1;
	/* for a job that waits, these two are the backfill scheduler's guess */
	if (state == NULL || !str_eq(state, "pending"))
		if (put_time(reading, from->start, to->start, err) != 0 ||
		    put_time(reading, from->end, to->end, err) != 0)
			return -1;
	put_place(reading);
	reading->flow->line = in_lineno(table->in);
	return flow_emit(reading->flow, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct reading *reading = context;
	int status = slurm_open(&reading->table, in, "JOBID", err);

	reading->flow->file = in_name(in);
	if (status == 0) {
		find_columns(&reading->from, &reading->table);
		if (reading->from.nodes < 0)
			status = in_error(in, err, "has no column NODES (squeue's %%D)");
		while (status == 0 && (status = slurm_next(&reading->table, err)) == 1)
			if ((status = read_row(reading, err)) != 0)
				err_prefix(err, "%s:%ld: ", in_name(in), in_lineno(in));
	}
	reading->flow->file = NULL;
	slurm_close(&reading->table);
	return status;
}

static int read_queue(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct reading reading = {.input = input, .flow = flow};

	(void)whole;
	declare(&reading.to, flow);
	return text_read_files(input->paths, read_file, &reading, err);
}

static const struct table_kind *const makes[] = {&kind_jobs, NULL};

const struct reader reader_squeue = {
	.entry = {.name = "squeue",
		  .example = "squeue",
		  .summary =
			  "Slurm's queue: bars between the fields, or as squeue prints by itself",
		  .feed = "SLURM_TIME_FORMAT=%s squeue -r -o "
			  "'%i|%u|%P|%T|%V|%S|%e|%l|%D|%N|%r|%j'"},
	.makes = makes,
	.read = read_queue,
};
