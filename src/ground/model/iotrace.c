/* iotrace.c - I/O operations of ranks: what a row of an iotrace stream says, and whole traces */
#include "model/iotrace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static const char *const op_names[IO_NOPS] = {"open", "close", "read", "write", "sync", "barrier"};

void io_trace_free(struct io_trace *trace)
{
	free(trace->ops.at);
	free(trace->texts.at);
	map_free(&trace->text_of);
	trace_comms_free(&trace->comms);
	arena_free(&trace->arena);
	*trace = (struct io_trace){0};
}

int32_t io_trace_text(struct io_trace *trace, const char *text)
{
	size_t n = text != NULL ? strlen(text) : 0;
	int64_t place;

	if (n == 0)
		return -1;
	place = map_add(&trace->text_of, text, n, (int64_t)trace->texts.n);
	if (place == (int64_t)trace->texts.n)
		vec_push(&trace->texts, arena_strndup(&trace->arena, text, n));
	return (int32_t)place;
}

int io_trace_nranks(const struct io_trace *trace)
{
	int32_t greatest = trace->comms.nranks - 1;

	for (size_t i = 0; i < trace->ops.n; i++)
		if (trace->ops.at[i].rank > greatest)
			greatest = trace->ops.at[i].rank;
	return greatest + 1;
}

/* An operation and where it stood. */
struct placed {
	struct io_op op;
	size_t place;
	bool is_think;
};

static int by_rank_and_start(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->op.rank != y->op.rank)
		return x->op.rank > y->op.rank ? 1 : -1;
	if (!x->is_think && x->op.start_ns != y->op.start_ns)
		return x->op.start_ns > y->op.start_ns ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

void io_trace_sort(struct io_trace *trace)
{
	struct placed *placed = xcalloc(trace->ops.n + 1, sizeof(*placed));

	for (size_t i = 0; i < trace->ops.n; i++)
		placed[i] = (struct placed){trace->ops.at[i], i, trace->is_think};
	qsort(placed, trace->ops.n, sizeof(*placed), by_rank_and_start);
	for (size_t i = 0; i < trace->ops.n; i++)
		trace->ops.at[i] = placed[i].op;
	free(placed);
}

/* ---- taking rows ---- */

static int take_meta(struct io_trace *trace, const struct flow *flow, struct err *err)
{
	for (size_t i = trace->nmeta; i < flow->meta.n; i++) {
		const struct flow_meta *meta = &flow->meta.at[i];

		if (!str_eq(meta->key, "timing"))
			continue;
		if (!str_eq(meta->value, "start") && !str_eq(meta->value, "think"))
			return flow_error(flow, err, "##timing=%s: expected start or think",
					  meta->value);
		trace->is_think = str_eq(meta->value, "think");
	}
	return trace_meta_take(&trace->comms, flow, &trace->nmeta, err);
}

int io_trace_begin(struct io_trace *trace, struct io_columns *columns, const struct flow *flow,
		   struct err *err)
{
	columns->rank = flow_find(flow, "rank");
	columns->op = flow_find(flow, "op");
	columns->start = flow_find(flow, "start_s");
	columns->bytes = flow_find(flow, "bytes");
	columns->job = flow_find(flow, "job");
	columns->file = flow_find(flow, "file");
	columns->offset = flow_find(flow, "offset");
	columns->end = flow_find(flow, "end_s");
	columns->comm = flow_find(flow, "comm");
	columns->target = flow_find(flow, "target");
	trace->has_jobs = columns->job >= 0;
	trace->has_targets = columns->target >= 0;
	return take_meta(trace, flow, err);
}

static int take_op(struct io_op *op, const struct flow *flow, int column, struct err *err)
{
	char text[NUM_TEXT];
	const char *name = flow_get_text(flow, column, text);

	for (int kind = 0; name != NULL && kind < IO_NOPS; kind++)
		if (str_eq(op_names[kind], name)) {
			op->kind = kind;
			return 0;
		}
	return flow_error(flow, err, "op: '%s' is not open, close, read, write, sync or barrier",
			  name != NULL ? name : ".");
}

static int take_comm(const struct io_trace *trace, struct io_op *op, const struct flow *flow,
		     int column, struct err *err)
{
	char text[NUM_TEXT];
	const char *id = flow_get_text(flow, column, text);

	op->comm = -1;
	if (id == NULL)
		return 0;
	op->comm = (int32_t)map_get(&trace->comms.index, id, strlen(id));
	return op->comm >= 0 ? 0
			     : flow_error(flow, err, "comm: no line ##comm=%s:RANKS before", id);
}

static int take_size(const struct flow *flow, int column, int64_t missing, int64_t *size,
		     struct err *err)
{
	double value = (double)missing;

	if (flow_get_real(flow, column, 0, 9e18, &value, err) < 0)
		return -1;
	*size = (int64_t)value;
	return 0;
}

int io_trace_take(struct io_trace *trace, const struct io_columns *columns, const struct flow *flow,
		  struct err *err)
{
	char text[NUM_TEXT];
	struct io_op op = {.comm = -1};
	int64_t rank = -1;
	int has_end;

	if (trace->nmeta < flow->meta.n && take_meta(trace, flow, err) != 0)
		return -1;
	if (flow_get_int(flow, columns->rank, 0, INT32_MAX - 1, &rank, err) < 0 ||
	    take_op(&op, flow, columns->op, err) != 0 ||
	    flow_get_seconds(flow, columns->start, &op.start_ns, err) < 0 ||
	    take_size(flow, columns->bytes, 0, &op.bytes, err) != 0 ||
	    take_size(flow, columns->offset, -1, &op.offset, err) != 0 ||
	    take_comm(trace, &op, flow, columns->comm, err) != 0)
		return -1;
	has_end = flow_get_seconds(flow, columns->end, &op.end_ns, err);
	if (has_end < 0)
		return -1;
	op.has_end = has_end == 1;
	op.rank = (int32_t)rank;
	if (rank < 0)
		return flow_error(flow, err, "rank is missing");
	if (op.offset > INT64_MAX - op.bytes)
		return flow_error(flow, err, "offset: the operation ends beyond 2^63 bytes");
	if (op.has_end && !trace->is_think && op.end_ns < op.start_ns)
		return flow_error(flow, err, "end_s: the operation ends before it starts");
	op.file = io_trace_text(trace, flow_get_text(flow, columns->file, text));
	op.job = io_trace_text(trace, flow_get_text(flow, columns->job, text));
	op.target = io_trace_text(trace, flow_get_text(flow, columns->target, text));
	vec_push(&trace->ops, op);
	return 0;
}

/* ---- making rows ---- */

static void emit_meta(const struct io_trace *trace, const struct flow *like, struct flow *flow)
{
	struct buf text = {0};

	for (size_t i = 0; like != NULL && i < like->meta.n; i++) {
		const char *key = like->meta.at[i].key;

		if (!str_eq(key, "comm") && !str_eq(key, "ranks") && !str_eq(key, "timing"))
			flow_meta(flow, key, like->meta.at[i].value);
	}
	flow_meta(flow, "timing", trace->is_think ? "think" : "start");
	buf_printf(&text, "%d", io_trace_nranks(trace));
	if (io_trace_nranks(trace) > 0)
		flow_meta(flow, "ranks", buf_text(&text));
	for (size_t i = 0; i < trace->comms.at.n; i++)
		flow_meta(flow, "comm", trace_comm_text(&trace->comms.at.at[i], &text));
	buf_free(&text);
}

static const char *text_at(const struct io_trace *trace, int32_t number)
{
	return number >= 0 ? trace->texts.at[number] : NULL;
}

static int emit_op(const struct io_trace *trace, const struct io_op *op,
		   const struct io_columns *columns, struct flow *flow, struct err *err)
{
	flow_int(flow, columns->rank, op->rank);
	flow_text(flow, columns->op, op_names[op->kind]);
	flow_seconds(flow, columns->start, op->start_ns);
	flow_int(flow, columns->bytes, op->bytes);
	flow_text(flow, columns->file, text_at(trace, op->file));
	if (op->offset >= 0)
		flow_int(flow, columns->offset, op->offset);
	if (op->has_end)
		flow_seconds(flow, columns->end, op->end_ns);
	if (op->comm >= 0)
		flow_text(flow, columns->comm, trace->comms.at.at[op->comm].id);
	if (columns->job >= 0)
		flow_text(flow, columns->job, text_at(trace, op->job));
	if (columns->target >= 0)
		flow_text(flow, columns->target, text_at(trace, op->target));
	return flow_emit(flow, err);
}

int io_trace_emit(const struct io_trace *trace, const struct flow *like, struct flow *flow,
		  struct err *err)
{
	struct io_columns columns = {.job = -1, .target = -1};

	emit_meta(trace, like, flow);
	columns.rank = flow_column(flow, "rank");
	columns.op = flow_column(flow, "op");
	columns.start = flow_column(flow, "start_s");
	columns.end = flow_column(flow, "end_s");
	columns.bytes = flow_column(flow, "bytes");
	columns.file = flow_column(flow, "file");
	columns.offset = flow_column(flow, "offset");
	columns.comm = flow_column(flow, "comm");
	if (trace->has_jobs)
		columns.job = flow_column(flow, "job");
	if (trace->has_targets)
		columns.target = flow_column(flow, "target");
	for (size_t i = 0; i < trace->ops.n; i++)
		if (emit_op(trace, &trace->ops.at[i], &columns, flow, err) != 0)
			return -1;
	return 0;
}
