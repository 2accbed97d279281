/* sinfo.c - Slurm's sinfo as the states of nodes */
#include <stdlib.h>
#include <string.h>

#include "convert/reader/slurm_fields.h"
#include "convert/reader/text.h"
#include "base/names.h"
#include "base/str.h"
#include "formats/hostlist.h"

struct reading {
	struct flow *flow;
	int node, state; /* columns of the flow */
	const char *now; /* state of the row whose list is walked */
	struct map seen; /* a node in several partitions comes once */
};

static int put_node(void *context, const char *name, size_t n, struct err *err)
{
	struct reading *reading = context;

	if (map_get(&reading->seen, name, n) != -1)
		return 0;
	map_add(&reading->seen, name, n, 1);
	flow_text(reading->flow, reading->node, name);
	flow_text(reading->flow, reading->state, reading->now);
	return flow_emit(reading->flow, err);
}

static int read_rows(struct reading *reading, struct slurm_table *table, struct err *err)
{
	int list = slurm_column(table, (const char *const[]){"NODELIST", "NODE", NULL});
	int state = slurm_column(table, (const char *const[]){"STATE", "STATECOMPACT", NULL});
	int status;

	if (state < 0)
		return in_error(table->in, err, "has no column STATE (sinfo's %%T)");
	while ((status = slurm_next(table, err)) == 1) {
		const char *names = slurm_cell(table, list), *text = slurm_cell(table, state);
		char word[32];

		if (names == NULL) /* a partition without such nodes */
			continue;
		if (text == NULL)
			return in_error(table->in, err, "'%s' has no state", names);
		reading->now = slurm_node_state(text, word);
		reading->flow->line = in_lineno(table->in);
		if (hostlist_walk(names, put_node, reading, err) != 0)
			return err_prefix(err, "%s:%ld: ", in_name(table->in),
					  in_lineno(table->in));
	}
	return status;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct reading *reading = context;
	struct slurm_table table;
	int status = slurm_open(&table, in, "NODELIST", err);

	reading->flow->file = in_name(in);
	if (status == 0)
		status = read_rows(reading, &table, err);
	reading->flow->file = NULL;
	slurm_close(&table);
	return status;
}

static int read_nodes(const struct reader_input *input, struct flow *flow, bool *whole,
		      struct err *err)
{
	struct reading reading = {.flow = flow};
	int status;

	(void)whole;
	reading.node = flow_column(flow, "node");
	reading.state = flow_column(flow, "state");
	status = text_read_files(input->paths, read_file, &reading, err);
	map_free(&reading.seen);
	return status;
}

static const struct table_kind *const makes[] = {&kind_nodes, NULL};

const struct reader reader_sinfo = {
	.entry = {.name = "sinfo",
		  .example = "sinfo",
		  .summary = "Slurm's sinfo: the states of nodes, each once",
		  .feed = "sinfo -N -o '%N|%T'"},
	.makes = makes,
	.read = read_nodes,
};
