/* task_row.c - what a row of a graph stream says, read and written */
#include <string.h>

#include "base/num.h"
#include "model/kinds.h"
#include "model/task_graph.h"

static const char *const kind_names[] = {"compute", "mark", "send", "recv"};

enum { ID_MOST = (1 << 30) - 1 };

struct task_row task_row_make(const char *program, int32_t id, enum task_kind kind)
{
	return (struct task_row){.program = program,
				 .id = id,
				 .kind = kind,
				 .time_s = -1,
				 .flops = -1,
				 .memory_bytes = -1,
				 .bytes = -1,
				 .tag = -1};
}

const char *task_op_name(enum task_kind kind, enum collective_op collective)
{
	return kind == TASK_COLLECTIVE ? collective_name(collective) : kind_names[kind];
}

const char *task_stream_name(const struct task_row *row)
{
	if (row->stream != NULL)
		return row->stream;
	if (row->kind == TASK_COMPUTE || row->kind == TASK_MARK)
		return "compute";
	return row->kind != TASK_COLLECTIVE ? "p2p" : row->group != NULL ? row->group : "all";
}

/* ---- making rows ---- */

/* Declares the columns, or finds them. */
static void set_columns(struct task_columns *columns, struct flow *made, const struct flow *taken)
{
	const struct {
		const char *name;
		int *column;
	} all[] = {{"program", &columns->program},
		   {"id", &columns->id},
		   {"op", &columns->op},
		   {"after", &columns->after},
		   {"stream", &columns->stream},
		   {"time_s", &columns->time},
		   {"flops", &columns->flops},
		   {"memory_bytes", &columns->memory},
		   {"bytes", &columns->bytes},
		   {"group", &columns->group},
		   {"peer", &columns->peer},
		   {"tag", &columns->tag},
		   {"root", &columns->root},
		   {"priority", &columns->priority},
		   {"algorithm", &columns->algorithm},
		   {"name", &columns->name}};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		*all[i].column = made != NULL ? flow_column(made, all[i].name)
					      : flow_find(taken, all[i].name);
}

void task_columns_make(struct task_columns *columns, struct flow *flow)
{
	set_columns(columns, flow, NULL);
}

static void put_peer(const struct task_row *row, int column, struct flow *flow, char text[NUM_TEXT])
{
	size_t n = 0;

	if (!row->has_peer)
		return;
	if (row->is_relative && row->peer >= 0)
		text[n++] = '+';
	num_print_int(text + n, row->peer);
	flow_text(flow, column, text);
}

int task_row_emit(const struct task_row *row, const struct task_columns *columns, struct flow *flow,
		  struct err *err)
{
	struct buf after = {0};
	char peer[NUM_TEXT];
	int status;

	for (int i = 0; i < row->nafter; i++)
		buf_printf(&after, "%s%s%d", i > 0 ? "," : "", row->after[i].is_begin ? "^" : "",
			   row->after[i].id);
	flow_text(flow, columns->program, row->program);
	flow_int(flow, columns->id, row->id);
	flow_text(flow, columns->op, task_op_name(row->kind, row->collective));
	flow_text(flow, columns->after, after.text);
	flow_text(flow, columns->stream, row->stream);
	if (row->time_s >= 0)
		flow_real(flow, columns->time, row->time_s);
	if (row->flops >= 0)
		flow_real(flow, columns->flops, row->flops);
	if (row->memory_bytes >= 0)
		flow_real(flow, columns->memory, row->memory_bytes);
	if (row->bytes >= 0)
		flow_int(flow, columns->bytes, row->bytes);
	flow_text(flow, columns->group, row->group);
	put_peer(row, columns->peer, flow, peer);
	if (row->tag >= 0)
		flow_int(flow, columns->tag, row->tag);
	if (row->kind == TASK_COLLECTIVE && collective_is_rooted(row->collective))
		flow_int(flow, columns->root, row->root);
	if (row->priority != 0)
		flow_int(flow, columns->priority, row->priority);
	flow_text(flow, columns->algorithm, row->algorithm);
	flow_text(flow, columns->name, row->name);
	status = flow_emit(flow, err);
	buf_free(&after);
	return status;
}

/* ---- a stream of its own ---- */

static int out_begin(void *state, struct flow *flow, struct err *err)
{
	struct task_out *out = state;

	(void)err;
	for (size_t i = 0; i < flow->columns.n; i++)
		table_out_column(out->table, flow->columns.at[i]);
	return 0;
}

static void out_meta(struct task_out *out)
{
	for (; out->nmeta < out->flow.meta.n; out->nmeta++)
		table_out_meta(out->table, out->flow.meta.at[out->nmeta].key,
			       out->flow.meta.at[out->nmeta].value);
}

static int out_row(void *state, struct flow *flow, struct err *err)
{
	struct task_out *out = state;
	char text[NUM_TEXT];

	(void)err;
	out_meta(out);
	for (size_t i = 0; i < flow->cells.n; i++)
		table_out_text(out->table, (int)i, flow_get_text(flow, (int)i, text));
	table_out_emit(out->table);
	return 0;
}

void task_out_open(struct task_out *out, struct table_out *table)
{
	static const struct taker taker = {.begin = out_begin, .row = out_row};

	out->table = table;
	out->nmeta = 0;
	flow_init(&out->flow, &kind_graph, &taker, out);
	task_columns_make(&out->columns, &out->flow);
}

int task_out_close(struct task_out *out, struct err *err)
{
	int status = flow_end(&out->flow, true, err);

	out_meta(out);
	flow_free(&out->flow);
	return status;
}

/* ---- reading rows ---- */

void task_columns_find(struct task_columns *columns, const struct flow *flow)
{
	set_columns(columns, NULL, flow);
}

static int take_op(struct task_row *row, const char *name, const struct flow *flow, struct err *err)
{
	int op;

	if (name == NULL)
		return flow_error(flow, err, "op is missing");
	for (int i = 0; i < TASK_COLLECTIVE; i++)
		if (str_eq(name, kind_names[i])) {
			row->kind = (enum task_kind)i;
			return 0;
		}
	op = collective_find(name, strlen(name));
	if (op < 0 || op >= COLLECTIVE_CREATE)
		return flow_error(flow, err,
				  "op: '%s' is not compute, mark, send, recv or a collective "
				  "operation",
				  name);
	row->kind = TASK_COLLECTIVE;
	row->collective = (enum collective_op)op;
	return 0;
}

static int take_after(struct task_row *row, const char *text, struct task_taking *taking,
		      const struct flow *flow, struct err *err)
{
	taking->after.n = 0;
	while (text != NULL) {
		struct task_after after = {.is_begin = *text == '^'};
		const char *digits = text + after.is_begin;
		size_t n = strcspn(digits, ",");
		uint64_t id;

		if (n == 0 || num_digits(digits, n, &id) != 0 || id > ID_MOST)
			return flow_error(flow, err,
					  "after: '%.40s' is not a list of ids such as 3,^7", text);
		after.id = (int32_t)id;
		vec_push(&taking->after, after);
		text = digits[n] == ',' ? digits + n + 1 : NULL;
	}
	row->after = taking->after.at;
	row->nafter = (int)taking->after.n;
	return 0;
}

static int take_peer(struct task_row *row, const char *text, const struct flow *flow,
		     struct err *err)
{
	bool is_plus;
	int64_t peer;

	if (text == NULL)
		return 0;
	is_plus = *text == '+';
	row->is_relative = is_plus || *text == '-';
	if (num_int(text + is_plus, row->is_relative ? -ID_MOST : 0, ID_MOST, &peer) != 0 ||
	    (is_plus && (text[1] < '0' || text[1] > '9')))
		return flow_error(flow, err,
				  "peer: '%s' is not a rank, or +1 or -1, a neighbour in the group",
				  text);
	row->peer = (int32_t)peer;
	row->has_peer = true;
	return 0;
}

static int take_int(const struct flow *flow, int column, int64_t min, int64_t max, int32_t *value,
		    struct err *err)
{
	int64_t number = *value;

	if (flow_get_int(flow, column, min, max, &number, err) < 0)
		return -1;
	*value = (int32_t)number;
	return 0;
}

/* What an operation can't do without, and what it has no use for. */
static int check_row(const struct task_row *row, const struct flow *flow, struct err *err)
{
	const char *name = task_op_name(row->kind, row->collective);
	bool is_compute = row->kind == TASK_COMPUTE;
	bool has_work = row->time_s >= 0 || row->flops >= 0 || row->memory_bytes >= 0;
	bool is_message = row->kind == TASK_SEND || row->kind == TASK_RECV;

	if (is_compute && !has_work)
		return flow_error(flow, err, "%s: expected time_s, flops or memory_bytes", name);
	if (!is_compute && has_work)
		return flow_error(flow, err,
				  "%s: time_s, flops and memory_bytes are of compute alone", name);
	if (row->time_s >= 0 && (row->flops >= 0 || row->memory_bytes >= 0))
		return flow_error(flow, err, "%s: expected time_s, or work, not both", name);
	if (row->kind == TASK_SEND && (!row->has_peer || row->bytes < 0))
		return flow_error(flow, err, "%s: expected peer and bytes", name);
	if (row->kind == TASK_COLLECTIVE && row->bytes < 0 && row->collective != COLLECTIVE_BARRIER)
		return flow_error(flow, err, "%s: expected bytes", name);
	if (row->has_peer && !is_message)
		return flow_error(flow, err, "%s: it has no peer", name);
	return 0;
}

int task_row_take(struct task_row *row, const struct task_columns *columns,
		  struct task_taking *taking, const struct flow *flow, struct err *err)
{
	const char *program = flow_get_text(flow, columns->program, taking->texts[0]);
	double bytes = -1;
	int32_t id = -1;

	*row = task_row_make(program, -1, TASK_COMPUTE);
	if (program == NULL)
		return flow_error(flow, err, "program is missing");
	if (take_int(flow, columns->id, 0, ID_MOST, &id, err) != 0)
		return -1;
	if (id < 0)
		return flow_error(flow, err, "id is missing");
	row->id = id;
	row->stream = flow_get_text(flow, columns->stream, taking->texts[1]);
	row->group = flow_get_text(flow, columns->group, taking->texts[2]);
	row->algorithm = flow_get_text(flow, columns->algorithm, taking->texts[3]);
	row->name = flow_get_text(flow, columns->name, taking->texts[4]);
	if (take_op(row, flow_get_text(flow, columns->op, taking->texts[5]), flow, err) != 0 ||
	    take_after(row, flow_get_text(flow, columns->after, taking->texts[6]), taking, flow,
		       err) != 0 ||
	    take_peer(row, flow_get_text(flow, columns->peer, taking->texts[7]), flow, err) != 0 ||
	    flow_get_real(flow, columns->time, 0, 4.6e6, &row->time_s, err) < 0 ||
	    flow_get_real(flow, columns->flops, 0, 1e30, &row->flops, err) < 0 ||
	    flow_get_real(flow, columns->memory, 0, 1e30, &row->memory_bytes, err) < 0 ||
	    flow_get_real(flow, columns->bytes, 0, 1e18, &bytes, err) < 0 ||
	    flow_get_int(flow, columns->tag, 0, UINT32_MAX, &row->tag, err) < 0 ||
	    take_int(flow, columns->root, 0, ID_MOST, &row->root, err) != 0 ||
	    take_int(flow, columns->priority, INT16_MIN, INT16_MAX, &row->priority, err) != 0)
		return -1;
	row->bytes = bytes < 0 ? -1 : (int64_t)bytes;
	return check_row(row, flow, err);
}
