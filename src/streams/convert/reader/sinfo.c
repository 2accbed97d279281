/* sinfo.c - Slurm's sinfo as the states of nodes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/slurm_fields.h"
#include "convert/reader/slurm_rows.h"
#include "convert/reader/slurm_states.h"
#include "convert/reader/text.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/hostlist.h"

/* Columns of the listing. */
struct columns {
	int list, state, partition, features, sockets, cores, cpus, cpu_states, memory, used, gres,
		gres_used, weight, reason;
};

struct sinfo_reader {
	const struct reader_input *input;
	struct flow *flow;
	struct slurm_node_columns to;
	struct slurm_node now;        /* what the row says whose list is walked */
	struct map seen;              /* of a node: its place among the rows */
	VEC(struct slurm_node) nodes; /* texts in the arena */
	VEC(long) lines;
	struct arena arena;
};

static const char *keep(struct sinfo_reader *reading, const char *text)
{
	return text != NULL ? arena_strndup(&reading->arena, text, strlen(text)) : NULL;
}

/* A node is listed once per partition: the later rows add theirs. */
static void add_partition(struct sinfo_reader *reading, struct slurm_node *node, const char *name)
{
	size_t n = name != NULL ? strlen(name) : 0, size;
	char *both;

	if (n == 0)
		return;
	if (node->partitions == NULL) {
		node->partitions = keep(reading, name);
		return;
	}
	for (const char *at = node->partitions; *at != '\0'; at += strcspn(at, ",")) {
		at += *at == ',';
		if (strcspn(at, ",") == n && strncmp(at, name, n) == 0)
			return;
	}
	size = strlen(node->partitions) + n + 2;
	both = arena_alloc(&reading->arena, size);
	snprintf(both, size, "%s,%s", node->partitions, name);
	node->partitions = both;
}

static int take_node(void *context, const char *name, size_t n, struct err *err)
{
	struct sinfo_reader *reading = context;
	int64_t at = map_get(&reading->seen, name, n);
	struct slurm_node node = reading->now;

	(void)err;
	if (at >= 0) {
		add_partition(reading, &reading->nodes.at[at], reading->now.partitions);
		return 0;
	}
	map_add(&reading->seen, name, n, (int64_t)reading->nodes.n);
	node.name = arena_strndup(&reading->arena, name, n);
	vec_push(&reading->nodes, node);
	vec_push(&reading->lines, reading->flow->line);
	return 0;
}

static int64_t number_of(const struct slurm_table *table, int column)
{
	const char *text = slurm_cell(table, column);
	int64_t number;

	/* "16+" of a row for nodes that differ says nothing of one */
	return text != NULL && num_int(text, 0, INT32_MAX, &number) == 0 ? number : -1;
}

static double memory_of(const struct slurm_table *table, int column)
{
	const char *text = slurm_cell(table, column);
	double bytes;
	char per;

	/* sinfo -N -l prints 2000000 as 200000: a field that is full may have been cut */
	if (text != NULL && table->sep == 0 && strlen(text) >= strlen(table->names[column]) &&
	    str_eq(table->names[column], "MEMORY"))
		return -1;
	return text != NULL && slurm_memory(text, &bytes, &per) == 0 ? bytes : -1;
}

/* "24/40/0/64": allocated, idle, other, total. */
static void read_cpu_states(struct slurm_node *node, const char *text)
{
	char *copy, *parts[4];

	if (text == NULL)
		return;
	copy = xstrdup(text);
	if (str_split(copy, '/', parts, 4) == 4) {
		num_int(parts[0], 0, INT32_MAX, &node->cpus_used);
		num_int(parts[3], 0, INT32_MAX, &node->cpus);
	}
	free(copy);
}

/* Texts are kept, numbers are of each node of the row. */
static void read_row(struct sinfo_reader *reading, const struct slurm_table *table,
		     const struct columns *from)
{
	struct slurm_node *node = &reading->now;
	const char *partition = slurm_cell(table, from->partition);
	const char *reason = slurm_cell(table, from->reason);

	slurm_node_clear(node);
	if (partition != NULL) { /* the default one has a star */
		size_t n = strlen(partition);

		n -= n > 1 && partition[n - 1] == '*';
		node->partitions = arena_strndup(&reading->arena, partition, n);
	}
	node->features = keep(reading, slurm_cell(table, from->features));
	node->reason = reason != NULL && !str_eq(reason, "none") ? keep(reading, reason) : NULL;
	node->cpus = number_of(table, from->cpus);
	node->sockets = number_of(table, from->sockets);
	node->cores = number_of(table, from->cores);
	if (node->cores > 0 && node->sockets > 0)
		node->cores *= node->sockets;
	else
		node->cores = -1;
	node->weight = number_of(table, from->weight);
	node->memory_bytes = memory_of(table, from->memory);
	node->memory_used_bytes = memory_of(table, from->used);
	read_cpu_states(node, slurm_cell(table, from->cpu_states));
	if (from->gres >= 0)
		node->gpus = 0;
	slurm_gres_add(slurm_cell(table, from->gres), &node->gpus, node->gpu_type);
	slurm_gres_add(slurm_cell(table, from->gres_used), &node->gpus_used, (char[64]){""});
}

static void find_columns(struct columns *from, const struct slurm_table *table)
{
#define FIND(...) slurm_column(table, (const char *const[]){__VA_ARGS__, NULL})
	*from = (struct columns){
		.list = FIND("NODELIST", "NODE", "NODES_NAMES"),
		.state = FIND("STATE", "STATECOMPACT", "STATELONG", "STATECOMPLETE"),
		.partition = FIND("PARTITION", "PARTITIONNAME"),
		.features = FIND("ACTIVE_FEATURES", "AVAIL_FEATURES", "FEATURES"),
		.sockets = FIND("SOCKETS"),
		.cores = FIND("CORES"),
		.cpus = FIND("CPUS"),
		.cpu_states = FIND("CPUS(A/I/O/T)"),
		.memory = FIND("MEMORY"),
		.used = FIND("ALLOCMEM"),
		.gres = FIND("GRES"),
		.gres_used = FIND("GRES_USED"),
		.weight = FIND("WEIGHT"),
		.reason = FIND("REASON")};
#undef FIND
}

/* Bars in a reason, where it is the last column, are its own. */
static int mend_reason(struct slurm_table *table, int reason, struct err *err)
{
	if (table->ncells > table->ncolumns && reason != table->ncolumns - 1)
		return slurm_row_error(table, err,
				       "has %d fields, expected %d: ask for the reason (%%E) last",
				       table->ncells, table->ncolumns);
	while (table->ncells > table->ncolumns)
		*(table->cells[--table->ncells] - 1) = table->sep;
	return 0;
}

static int read_rows(struct sinfo_reader *reading, struct slurm_table *table, struct err *err)
{
	struct columns from;
	int status;

	find_columns(&from, table);
	if (from.state < 0)
		return in_error(table->in, err, "has no column STATE (sinfo's %%T)");
	while ((status = slurm_next(table, reading->flow, err)) == 1) {
		const char *names, *text;
		char word[32];

		if (mend_reason(table, from.reason, err) != 0) {
			if (flow_leave_out(reading->flow, err) != 0)
				return -1;
			continue;
		}
		names = slurm_cell(table, from.list);
		text = slurm_cell(table, from.state);
		if (names == NULL) /* a partition without such nodes */
			continue;
		reading->flow->line = table->line;
		if (text != NULL) {
			read_row(reading, table, &from);
			reading->now.state =
				keep(reading, slurm_node_state(reading->flow, text, word));
		}
		if (text == NULL) {
			slurm_row_error(table, err, "'%s' has no state", names);
		} else {
			if (hostlist_walk(names, take_node, reading, err) == 0)
				continue;
			err_prefix(err, "%s:%ld: ", in_name(table->in), table->line);
		}
		if (flow_leave_out(reading->flow, err) != 0)
			return -1;
	}
	return status;
}

static int read_file(void *context, struct in *in, struct err *err)
{
	struct sinfo_reader *reading = context;
	struct slurm_table table;
	int status =
		slurm_open_as(&table, in, "NODELIST", pick_word(reading->input->pick, "columns"),
			      pick_word(reading->input->pick, "delimiter"), err);

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
	struct sinfo_reader reading = {.input = input, .flow = flow};
	int status;

	(void)whole;
	slurm_node_declare(&reading.to, flow);
	status = text_read_files(input->paths, read_file, &reading, err);
	for (size_t i = 0; i < reading.nodes.n && status == 0; i++) {
		slurm_node_put(&reading.nodes.at[i], &reading.to, flow);
		flow->line = reading.lines.at[i];
		status = flow_emit(flow, err);
	}
	map_free(&reading.seen);
	vec_free(&reading.nodes);
	vec_free(&reading.lines);
	arena_free(&reading.arena);
	return status;
}

static bool is_nodes(const char *head, size_t n)
{
	(void)n;
	return slurm_is_listing(head, "NODELIST", "PARTITION ", "STATE");
}

static const struct param params[] = {SLURM_LISTING_PARAMS, {0}};
static const struct table_kind *const makes[] = {&kind_nodes, NULL};

const struct reader reader_sinfo = {
	.entry = {.name = "sinfo",
		  .example = "sinfo",
		  .summary = "Slurm's sinfo: the states of nodes, each once",
		  .params = params,
		  .feed = "sinfo -N -o '%N|%P|%T|%c|%X|%Y|%m|%C|%G|%f|%w|%E'"},
	.sees_empty = true,
	.makes = makes,
	.is_proof = is_nodes,
	.read = read_nodes,
};
