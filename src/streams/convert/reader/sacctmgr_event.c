/* sacctmgr_event.c - sacctmgr show event as the times in which nodes were out of service */
#include <string.h>

#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"
#include "convert/reader/text.h"

struct event_reader {
	const struct reader_input *input;
	struct flow *flow;
	struct slurm_table table;
	int from_node, from_start, from_end, from_state, from_reason; /* of the listing */
	int node, start, end, state, reason;                          /* of the flow */
};

static void find_columns(struct event_reader *reading)
{
#define FIND(...) slurm_column(&reading->table, (const char *const[]){__VA_ARGS__, NULL})
	reading->from_node = FIND("NodeName", "Node Name");
	reading->from_start = FIND("TimeStart", "Start");
	reading->from_end = FIND("TimeEnd", "End");
	reading->from_state = FIND("State");
	reading->from_reason = FIND("Reason");
#undef FIND
}

/* Bars in a reason, where it is the last column, are its own. 0; -1: not a row. */
static int mend_reason(struct slurm_table *table, int reason, struct err *err)
{
	if (table->ncells < table->ncolumns ||
	    (table->ncells > table->ncolumns && reason != table->ncolumns - 1))
		return err_set(err, "has %d fields, expected %d, with Reason last", table->ncells,
			       table->ncolumns);
	while (table->ncells > table->ncolumns)
		*(table->cells[--table->ncells] - 1) = table->sep;
	return 0;
}

/* Events of the whole cluster name no node: they are of all its nodes, and left out. */
static int read_row(void *context, struct err *err)
{
	struct event_reader *reading = context;
	const char *node = slurm_cell(&reading->table, reading->from_node), *state, *reason;
	int64_t start_ns, end_ns = 0;
	char word[32];
	int has, has_end;

	if (mend_reason(&reading->table, reading->from_reason, err) != 0)
		return -1;
	if (node == NULL)
		return 0;
	has = slurm_time(reading->input, slurm_cell(&reading->table, reading->from_start),
			 &start_ns, err);
	has_end = slurm_time(reading->input, slurm_cell(&reading->table, reading->from_end),
			     &end_ns, err);
	if (has < 0 || has_end < 0)
		return -1;
	if (has == 0)
		return err_set(err, "the node '%s' has no TimeStart", node);
	if (has_end == 1 && end_ns < start_ns)
		return err_set(err, "the event of '%s' ends before it starts", node);
	state = slurm_cell(&reading->table, reading->from_state);
	reason = slurm_cell(&reading->table, reading->from_reason);
	flow_text(reading->flow, reading->node, node);
	flow_seconds(reading->flow, reading->start, start_ns);
	if (has_end == 1 && end_ns > 0)
		flow_seconds(reading->flow, reading->end, end_ns);
	if (state != NULL)
		flow_text(reading->flow, reading->state,
			  slurm_node_state(reading->flow, state, word));
	if (reason != NULL)
		flow_text(reading->flow, reading->reason, reason);
	return flow_emit(reading->flow, err);
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct event_reader *reading = context;
	int status = slurm_open_as(&reading->table, in, "NodeName",
				   pick_word(reading->input->pick, "columns"),
				   pick_word(reading->input->pick, "delimiter"), err);

	reading->flow->file = in_name(in);
	if (status == 0) {
		find_columns(reading);
		if (reading->from_start < 0)
			status = in_error(in, err, "has no column TimeStart");
		else
			status = slurm_read_rows(&reading->table, reading->flow, read_row, reading,
						 err);
	}
	reading->flow->file = NULL;
	slurm_close(&reading->table);
	return status;
}

static int read_events(const struct reader_input *input, struct flow *flow, bool *whole,
		       struct err *err)
{
	struct event_reader reading = {.input = input, .flow = flow};

	(void)whole;
	reading.node = flow_column(flow, "node");
	reading.start = flow_column(flow, "start_s");
	reading.end = flow_column(flow, "end_s");
	reading.state = flow_column(flow, "state");
	reading.reason = flow_column(flow, "reason");
	return text_read_files(input->paths, read_file, &reading, err);
}

static bool is_events(const char *head, size_t n)
{
	(void)n;
	return slurm_is_listing(head, "NodeName|", "Cluster|", "TimeStart");
}

static const struct param params[] = {SLURM_LISTING_PARAMS, {0}};
static const struct table_kind *const makes[] = {&kind_events, NULL};

const struct reader reader_sacctmgr_event = {
	.entry = {.name = "sacctmgr-event",
		  .example = "sacctmgr-event",
		  .summary = "Slurm's accounting of when nodes were out of service",
		  .params = params,
		  .feed = "SLURM_TIME_FORMAT=%s sacctmgr -P show event "
			  "format=NodeName,Start,End,State,Reason"},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_events,
	.read = read_events,
};
