/* chakra.c - Chakra execution traces: a file for each rank becomes its program of a graph */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/num.h"
#include "base/umap.h"
#include "convert/reader/chakra_node.h"
#include "convert/reader/reader.h"
#include "formats/in.h"
#include "formats/json.h"
#include "model/mpitrace.h"
#include "model/task_graph.h"

enum { BYTES_MOST = 1 << 30, RANKS_MOST = 1 << 24, ID_MOST = (1 << 30) - 1 };

/* A process group. */
struct group {
	const char *name;
	int32_t *ranks;
	int n;
};

struct state {
	const struct reader_input *input;
	struct flow *flow;
	struct task_columns columns;
	VEC(struct group) groups;
	struct map group_ids;
	VEC(int64_t) ranks; /* of each path */
	int64_t nranks;
	int64_t nunknown; /* dependencies on nodes that are not there */
	struct arena arena;
};

/* ---- process groups ---- */

static int take_ranks(struct state *state, const struct yaml_file *file, const struct yaml *list,
		      struct group *group, struct err *err)
{
	if (list->type != YAML_LIST || list->n == 0)
		return yaml_error(file, list, err, "group %s: expected a list of ranks",
				  group->name);
	group->ranks = xcalloc(list->n, sizeof(*group->ranks));
	group->n = (int)list->n;
	for (size_t i = 0; i < list->n; i++) {
		int64_t rank;

		if (list->items[i]->type != YAML_SCALAR ||
		    num_int(list->items[i]->text, 0, RANKS_MOST - 1, &rank) != 0)
			return yaml_error(file, list->items[i], err,
					  "group %s: expected a rank from 0 to %d", group->name,
					  RANKS_MOST - 1);
		group->ranks[i] = (int32_t)rank;
		state->nranks = rank >= state->nranks ? rank + 1 : state->nranks;
	}
	return 0;
}

static int read_groups(struct state *state, struct err *err)
{
	struct yaml_file *file;
	const struct yaml *root;
	int status = 0;

	if (!pick_has(state->input->pick, "groups"))
		return 0;
	if (json_open(&file, pick_word(state->input->pick, "groups"), err) != 0)
		return -1;
	root = yaml_root(file);
	if (root->type != YAML_MAP)
		status = yaml_error(file, root, err, "expected {\"NAME\": [RANK, …], …}");
	for (size_t i = 0; status == 0 && i < root->n; i++) {
		struct group group = {0};
		const char *name = root->keys[i]->text;

		if (*name == '\0' || strpbrk(name, ":|\t\n#") != NULL)
			status = yaml_error(file, root->keys[i], err,
					    "expected a name without colons, bars and tabs");
		group.name = arena_strndup(&state->arena, name, strlen(name));
		map_add(&state->group_ids, name, strlen(name), (int64_t)i);
		if (status == 0)
			status = take_ranks(state, file, root->items[i], &group, err);
		vec_push(&state->groups, group);
	}
	yaml_close(file);
	return status;
}

/* ---- ranks ---- */

/* The number before .et or .et.gz in a file's name; -1: there is none. */
static int64_t number_in(const char *path)
{
	const char *slash = strrchr(path, '/'), *end = NULL, *digits;
	const char *name = slash != NULL ? slash + 1 : path;
	uint64_t number;

	for (const char *at = name; (at = strstr(at, ".et")) != NULL; at++)
		end = at;
	if (end == NULL)
		return -1;
	digits = end;
	while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
		digits--;
	if (digits == end || num_digits(digits, (size_t)(end - digits), &number) != 0 ||
	    number >= RANKS_MOST)
		return -1;
	return (int64_t)number;
}

/* By the numbers in their names where all have one; else in their order. */
static int number_ranks(struct state *state, struct err *err)
{
	struct umap seen = {0};
	bool has_numbers = true;
	int64_t path;

	for (int i = 0; state->input->paths[i] != NULL; i++)
		has_numbers &= number_in(state->input->paths[i]) >= 0;
	for (int i = 0; state->input->paths[i] != NULL; i++) {
		int64_t rank = has_numbers ? number_in(state->input->paths[i]) : i;

		if (umap_get(&seen, (uint64_t)rank, &path)) {
			umap_free(&seen);
			return err_set(err, "%s: rank %" PRId64 " is that of %s, too",
				       state->input->paths[i], rank, state->input->paths[path]);
		}
		umap_set(&seen, (uint64_t)rank, i);
		vec_push(&state->ranks, rank);
		state->nranks = rank >= state->nranks ? rank + 1 : state->nranks;
	}
	umap_free(&seen);
	if (!pick_has(state->input->pick, "ranks"))
		return 0;
	if (pick_int(state->input->pick, "ranks") < state->nranks)
		return err_set(err, "ranks: there are at least %" PRId64, state->nranks);
	state->nranks = pick_int(state->input->pick, "ranks");
	return 0;
}

/* ##ranks, ##group, ##program: idle is whose file is not there. */
static void put_head(struct state *state)
{
	int32_t *has = xcalloc((size_t)state->nranks + 1, sizeof(*has));
	struct buf text = {0};
	int nidle = 0;

	buf_printf(&text, "%" PRId64, state->nranks);
	flow_meta(state->flow, "ranks", text.text);
	for (size_t i = 0; i < state->groups.n; i++) {
		buf_clear(&text);
		buf_printf(&text, "%s:", state->groups.at[i].name);
		trace_ranks_print(state->groups.at[i].ranks, state->groups.at[i].n, &text);
		flow_meta(state->flow, "group", text.text);
	}
	for (size_t i = 0; i < state->ranks.n; i++) {
		has[state->ranks.at[i]] = 1;
		buf_clear(&text);
		buf_printf(&text, "rank%" PRId64 ":%" PRId64, state->ranks.at[i],
			   state->ranks.at[i]);
		flow_meta(state->flow, "program", text.text);
	}
	for (int32_t i = 0; i < state->nranks; i++)
		if (!has[i])
			has[nidle++] = i;
	if (nidle > 0) {
		buf_clear(&text);
		buf_str(&text, "idle:");
		trace_ranks_print(has, nidle, &text);
		flow_meta(state->flow, "program", text.text);
	}
	buf_free(&text);
	free(has);
}

/* ---- nodes ---- */

/* What a file's nodes have in common. */
struct file {
	struct state *state;
	char program[32];
	struct umap ids;
	VEC(struct task_after) after;
};

static int wrong(const struct file *file, const struct chakra_node *node, struct err *err,
		 const char *what)
{
	return err_set(err, "%s: node %" PRIu64 ": %s", file->state->flow->file, node->id, what);
}

/* Those that are there. A real trace names others: they count as met. */
static void set_after(struct file *file, const struct chakra_node *node, struct task_row *row)
{
	int64_t other;

	file->after.n = 0;
	for (size_t i = 0; i < node->deps.n; i++)
		if (umap_get(&file->ids, node->deps.at[i], &other))
			vec_push(&file->after,
				 (struct task_after){.id = (int32_t)node->deps.at[i]});
		else
			file->state->nunknown++;
	row->after = file->after.at;
	row->nafter = (int)file->after.n;
}

/* Bytes of so many elements, of all ranks where a rank's share is meant. */
static int set_bytes(struct file *file, const struct chakra_node *node, bool is_share, int nranks,
		     struct task_row *row, struct err *err)
{
	int64_t element = pick_int(file->state->input->pick, "element"), bytes;

	if (node->comm_size < 0)
		return wrong(file, node, err, "expected comm_size");
	if (__builtin_mul_overflow(node->comm_size, element, &bytes) ||
	    __builtin_mul_overflow(bytes, is_share ? nranks : 1, &bytes) ||
	    bytes > INT64_C(1000000000000000000))
		return wrong(file, node, err, "comm_size: too many bytes");
	row->bytes = bytes;
	return 0;
}

static int set_collective(struct file *file, const struct chakra_node *node, struct task_row *row,
			  struct err *err)
{
	static const enum collective_op ops[] = {
		COLLECTIVE_ALLREDUCE, COLLECTIVE_REDUCE,         COLLECTIVE_ALLGATHER,
		COLLECTIVE_GATHER,    COLLECTIVE_SCATTER,        COLLECTIVE_BCAST,
		COLLECTIVE_ALLTOALL,  COLLECTIVE_REDUCE_SCATTER, COLLECTIVE_REDUCE_SCATTER,
		COLLECTIVE_BARRIER};
	struct state *state = file->state;
	int64_t type = node->comm_type < 0 ? 0 : node->comm_type, group = -1;
	int nranks = (int)state->nranks;
	bool is_share;

	if (type >= (int64_t)(sizeof(ops) / sizeof(*ops)))
		return wrong(file, node, err, "comm_type: expected 0 … 9");
	if (node->pg_name.n > 0 && state->groups.n > 0) {
		group = map_get(&state->group_ids, node->pg_name.at, node->pg_name.n);
		if (group < 0)
			return wrong(file, node, err, "pg_name: no group of that name in groups=");
		row->group = state->groups.at[group].name;
		nranks = state->groups.at[group].n;
	}
	row->kind = TASK_COLLECTIVE;
	row->collective = ops[type];
	is_share =
		pick_is(state->input->pick, "size", "input") &&
		(row->collective == COLLECTIVE_ALLGATHER || row->collective == COLLECTIVE_GATHER);
	if (row->collective == COLLECTIVE_BARRIER)
		return 0;
	return set_bytes(file, node, is_share, nranks, row, err);
}

static int set_message(struct file *file, const struct chakra_node *node, struct task_row *row,
		       struct err *err)
{
	bool is_send = node->type == CHAKRA_SEND;
	int64_t peer = is_send ? node->dst : node->src;

	row->kind = is_send ? TASK_SEND : TASK_RECV;
	if (peer < 0 || peer >= file->state->nranks)
		return wrong(file, node, err,
			     is_send ? "comm_dst is not one of the ranks: ranks= says how many"
				     : "comm_src is not one of the ranks: ranks= says how many");
	row->has_peer = true;
	row->peer = (int32_t)peer;
	row->tag = node->tag < 0 ? 0 : node->tag & UINT32_MAX;
	return set_bytes(file, node, false, 1, row, err);
}

/* Microseconds, where they are not 0; else the work. */
static void set_work(const struct chakra_node *node, struct task_row *row)
{
	bool is_memory = node->type == CHAKRA_LOAD || node->type == CHAKRA_STORE;

	if (node->micros > 0)
		row->time_s = (double)node->micros / 1e6;
	else if (is_memory && node->tensor_size > 0)
		row->memory_bytes = (double)node->tensor_size;
	else if (!is_memory && node->num_ops > 0)
		row->flops = (double)node->num_ops;
	else
		row->time_s = 0;
	if (is_memory)
		row->stream = "memory";
	if (node->is_cpu_op > 0)
		row->stream = "cpu";
}

static int put_node(struct file *file, const struct chakra_node *node, struct err *err)
{
	struct state *state = file->state;
	struct task_row row = task_row_make(file->program, (int32_t)node->id, TASK_COMPUTE);
	bool is_cpu = node->is_cpu_op > 0;
	char *name =
		arena_strndup(&state->arena, node->name.at, node->name.n < 64 ? node->name.n : 64);
	int status = 0;

	set_after(file, node, &row);
	row.name = name;
	if (node->priority > 0)
		row.priority = (int32_t)(node->priority < INT16_MAX ? node->priority : INT16_MAX);
	/* the CPU's call of a collective comes before the node that communicates */
	if (node->type == CHAKRA_COLLECTIVE && !is_cpu)
		status = set_collective(file, node, &row, err);
	else if ((node->type == CHAKRA_SEND || node->type == CHAKRA_RECV) && !is_cpu)
		status = set_message(file, node, &row, err);
	else if (node->type == CHAKRA_METADATA)
		row.kind = TASK_MARK;
	else if (node->type < CHAKRA_METADATA || node->type > CHAKRA_COLLECTIVE)
		return wrong(file, node, err, "type: expected 1 … 7");
	else
		set_work(node, &row);
	if (status != 0)
		return -1;
	return task_row_emit(&row, &state->columns, state->flow, err);
}

/* The messages behind the first, which describes the trace: take is called for each. */
static int each_node(struct file *file, const char *text, size_t n,
		     int (*take)(struct file *file, const struct chakra_node *node,
				 struct err *err),
		     struct err *err)
{
	struct chakra_bytes bytes = {(const unsigned char *)text, (const unsigned char *)text + n};
	struct chakra_bytes message;
	struct chakra_node node = {0};
	int status, nmessages = 0;

	while ((status = chakra_message(&bytes, &message)) == 1 || status < 0) {
		if (status < 0) {
			err_set(err, "%s: truncated, or not a Chakra trace",
				file->state->flow->file);
			break;
		}
		if (nmessages++ == 0)
			continue;
		status = chakra_node_read(&node, message, err);
		if (status != 0) {
			err_prefix(err, "%s: ", file->state->flow->file);
			break;
		}
		status = take(file, &node, err);
		if (status != 0)
			break;
	}
	vec_free(&node.deps);
	return status;
}

static int note_id(struct file *file, const struct chakra_node *node, struct err *err)
{
	int64_t other;

	if (node->id > ID_MOST)
		return wrong(file, node, err, "expected an id below 2^30");
	if (umap_get(&file->ids, node->id, &other))
		return wrong(file, node, err, "it was there before");
	umap_set(&file->ids, node->id, 1);
	return 0;
}

static int read_rank(struct state *state, int i, struct err *err)
{
	struct file file = {.state = state};
	struct in *in;
	char *text;
	size_t n;
	int status;

	if (in_open(&in, state->input->paths[i], err) != 0)
		return -1;
	state->flow->file = in_name(in);
	snprintf(file.program, sizeof(file.program), "rank%" PRId64, state->ranks.at[i]);
	status = in_all(in, &text, &n, BYTES_MOST, err);
	if (status == 0) {
		status = each_node(&file, text, n, note_id, err);
		if (status == 0)
			status = each_node(&file, text, n, put_node, err);
		free(text);
	}
	umap_free(&file.ids);
	vec_free(&file.after);
	state->flow->file = NULL;
	in_close(in);
	return status;
}

static int read(const struct reader_input *input, struct flow *flow, bool *whole, struct err *err)
{
	struct state state = {.input = input, .flow = flow};
	int status;

	(void)whole;
	task_columns_make(&state.columns, flow);
	status = read_groups(&state, err);
	if (status == 0)
		status = number_ranks(&state, err);
	if (status == 0)
		put_head(&state);
	for (int i = 0; status == 0 && input->paths[i] != NULL; i++)
		status = read_rank(&state, i, err);
	if (status == 0 && state.nunknown > 0)
		warn("%" PRId64 " dependencies on nodes that are not in the trace count as met",
		     state.nunknown);
	for (size_t i = 0; i < state.groups.n; i++)
		free(state.groups.at[i].ranks);
	vec_free(&state.groups);
	vec_free(&state.ranks);
	map_free(&state.group_ids);
	arena_free(&state.arena);
	return status;
}

static const struct param params[] = {
	{.key = "groups",
	 .type = PARAM_FILE,
	 .optional = true,
	 .meaning = "JSON with the ranks of each process group: {\"5\": [0, 2]}; without it nodes "
		    "mean all ranks"},
	{.key = "ranks",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = RANKS_MOST,
	 .optional = true,
	 .meaning = "how many there are; default: as the files and groups say"},
	{.key = "size",
	 .type = PARAM_WORD,
	 .choices = "whole|input",
	 .def = "whole",
	 .meaning = "comm_size is that of all blocks together; or of the rank's own input"},
	{.key = "element",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 64,
	 .def = "1",
	 .meaning = "bytes of what comm_size counts"},
	{0}};
static const struct table_kind *const makes[] = {&kind_graph, NULL};

const struct reader reader_chakra = {
	.entry = {.name = "chakra",
		  .example = "chakra",
		  .summary = "Chakra execution traces (.et), a file for each rank",
		  .params = params},
	.makes = makes,
	.read = read,
};
