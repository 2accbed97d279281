/* otf2_trace.c - the events of an OTF2 archive as rows of MPI calls, rank by rank */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/reader/otf2_reader.h"
#include "base/str.h"
#include "base/umap.h"

/*
 * What a receive's or a non-blocking collective's posting lacks is known when it completes. Rows
 * wait in the queue of their location until every row before them is known, so memory grows with
 * what is outstanding, not with the trace.
 */
struct queued {
	struct mpi_call call;
	bool is_open;        /* its call has not returned */
	bool is_outstanding; /* its completion is awaited */
};

/* One thread of the rank. Row number k (counted from 0) is at[k & (cap - 1)]. */
struct location {
	struct otf_reader *reader;
	struct trace *trace;
	int number;
	struct queued *at;
	size_t cap, head, tail;
	size_t first_open; /* the first row of the call that has not returned */
	bool ended;
	int64_t now, depth, start;            /* depth of MPI regions, start of the outermost one */
	int64_t off;                          /* since when nothing is measured; -1: it is */
	const struct otf2_function *function; /* the outermost one */
	enum buffer_location send_location, recv_location;
};

struct trace {
	struct otf2_input *input;
	struct trace_columns columns;
	int32_t rank;
	struct location *locations; /* [nlocations] */
	int nlocations;
	struct umap posted; /* request → location << 48 | row: what is outstanding */
};

enum { FIRST_ROWS = 1024, BATCH = 1024, ROW_BITS = 48 };

static struct queued *row_at(const struct location *location, size_t row)
{
	return &location->at[row & (location->cap - 1)];
}

static void grow(struct location *location)
{
	size_t cap = location->cap ? location->cap * 2 : FIRST_ROWS;
	struct queued *at = xmalloc(cap * sizeof(*at));

	for (size_t row = location->head; row < location->tail; row++)
		at[row & (cap - 1)] = *row_at(location, row);
	free(location->at);
	location->at = at;
	location->cap = cap;
}

/* A new row of the call that is open (or of this moment, outside any call). */
static struct queued *add_row(struct location *location, enum trace_op op)
{
	bool inside = location->depth > 0;
	struct queued *row;

	if (location->tail - location->head == location->cap)
		grow(location);
	row = row_at(location, location->tail++);
	*row = (struct queued){.is_open = inside};
	row->call = mpi_call_make(op, location->trace->rank,
				  inside ? location->start : location->now, location->now);
	row->call.send_location = location->send_location;
	row->call.recv_location = location->recv_location;
	if (inside)
		row->call.region = location->function->name;
	return row;
}

/* ---- events ---- */

static void set_message(const struct trace *trace, struct mpi_call *call,
			const struct otf_event *event)
{
	int32_t comm = trace->input->comm_of[event->comm];

	call->peer = event->peer;
	call->comm = comm >= 0 ? comm : -1;
	call->has_tag = true;
	call->tag = event->tag;
}

/* Requests are numbered as in the archive, as far as numbers go. */
static int64_t request_of(const struct otf_event *event)
{
	return (int64_t)(event->request & INT64_MAX);
}

static void post(struct location *location, const struct otf_event *event, enum trace_op op)
{
	struct queued *row = add_row(location, op);

	row->call.request = request_of(event);
	row->call.is_nonblocking = op == TRACE_COLLECTIVE;
	row->is_outstanding = true;
	umap_set(&location->trace->posted, event->request,
		 (int64_t)location->number << ROW_BITS | (int64_t)(location->tail - 1));
}

/* The posting of a request that is now complete; NULL: it was not traced. */
static struct queued *take_posted(struct trace *trace, const struct otf_event *event)
{
	int64_t where;
	struct queued *row;

	if (!umap_take(&trace->posted, event->request, &where))
		return NULL;
	row = row_at(&trace->locations[where >> ROW_BITS],
		     (size_t)(where & (((int64_t)1 << ROW_BITS) - 1)));
	row->is_outstanding = false;
	return row;
}

static void complete(struct location *location, const struct otf_event *event, enum trace_op op)
{
	add_row(location, op)->call.request = request_of(event);
}

static void on_message(struct location *location, const struct otf_event *event)
{
	static const struct {
		enum otf_event_type type;
		enum trace_op op;
	} ops[] = {{OTF_SEND, TRACE_SEND},
		   {OTF_ISEND, TRACE_ISEND},
		   {OTF_RECV, TRACE_RECV},
		   {OTF_PUT, TRACE_PUT},
		   {OTF_GET, TRACE_GET}};
	size_t i = 0;
	struct mpi_call *call;

	while (ops[i].type != event->type)
		i++;
	call = &add_row(location, ops[i].op)->call;
	set_message(location->trace, call, event);
	if (call->op == TRACE_RECV || call->op == TRACE_GET)
		call->recv_bytes =
			(int64_t)(event->type == OTF_RECV ? event->bytes : event->recv_bytes);
	else
		call->bytes = (int64_t)event->bytes;
	if (call->op == TRACE_ISEND)
		call->request = request_of(event);
	call->has_tag = call->op != TRACE_PUT && call->op != TRACE_GET;
}

static void on_irecv(struct location *location, const struct otf_event *event)
{
	struct queued *row = take_posted(location->trace, event);

	if (row != NULL) {
		set_message(location->trace, &row->call, event);
		row->call.recv_bytes = (int64_t)event->bytes;
	}
	complete(location, event, TRACE_WAIT);
}

static int on_collective(struct location *location, const struct otf_event *event, struct err *err)
{
	struct trace *trace = location->trace;
	struct queued *row = event->type == OTF_COLLECTIVE ? add_row(location, TRACE_CALL)
							   : take_posted(trace, event);
	int status = 0;

	if (row != NULL)
		status = otf2_set_collective(trace->input, event, trace->rank, &row->call, err);
	if (event->type == OTF_COLLECTIVE_COMPLETE)
		complete(location, event, TRACE_WAIT);
	return status < 0 ? -1 : 0;
}

static void on_enter(struct location *location, const struct otf_event *event)
{
	const struct otf2_function *function = otf2_function(location->trace->input, event->region);

	if (function->is_shown && location->depth == 0) {
		struct queued *row = add_row(location, TRACE_ENTER);

		row->is_open = false;
		row->call.start_ns = location->now;
		row->call.end_ns = location->now - 1;
		row->call.region = function->name;
	}
	if (!function->is_mpi)
		return;
	/* whatever this call does not say of its buffers is not known: nothing persists */
	location->send_location = event->send_location <= OTF_LOCATION_GPU
					  ? (enum buffer_location)event->send_location
					  : LOCATION_UNKNOWN;
	location->recv_location = event->recv_location <= OTF_LOCATION_GPU
					  ? (enum buffer_location)event->recv_location
					  : LOCATION_UNKNOWN;
	if (location->depth++ == 0) {
		location->start = location->now;
		location->function = function;
		location->first_open = location->tail;
	}
}

/* MPI_Sendrecv: a send that is begun, a receive, and the send's completion, with request 0
 * (Score-P counts from 1). */
static void split_sendrecv(struct location *location)
{
	struct queued *send = NULL, *row;
	bool receives = false;

	for (size_t i = location->first_open; i < location->tail; i++) {
		row = row_at(location, i);
		if (row->call.op == TRACE_SEND)
			send = row;
		receives = receives || row->call.op == TRACE_RECV;
	}
	if (send == NULL || !receives)
		return;
	send->call.op = TRACE_ISEND;
	send->call.request = 0;
	add_row(location, TRACE_WAIT)->call.request = 0;
}

static bool has_call_row(const struct location *location)
{
	for (size_t i = location->first_open; i < location->tail; i++)
		if (row_at(location, i)->is_open)
			return true;
	return false;
}

/* The outermost call returns (or the trace ends in it). */
static void end_call(struct location *location)
{
	const struct otf2_function *function = location->function;

	if (!has_call_row(location))
		add_row(location, function->is_init       ? TRACE_INIT
				  : function->is_finalize ? TRACE_FINALIZE
							  : TRACE_CALL);
	if (function->is_sendrecv)
		split_sendrecv(location);
	for (size_t i = location->first_open; i < location->tail; i++) {
		struct queued *row = row_at(location, i);

		if (row->is_open)
			row->call.end_ns = location->now;
		row->is_open = false;
	}
	location->depth = 0;
	location->first_open = location->tail;
	location->send_location = location->recv_location = LOCATION_UNKNOWN;
}

static void on_leave(struct location *location, const struct otf_event *event)
{
	const struct otf2_function *function = otf2_function(location->trace->input, event->region);

	if (function->is_shown && location->depth == 0) {
		struct queued *row = add_row(location, TRACE_LEAVE);

		row->is_open = false;
		row->call.start_ns = location->now;
		row->call.end_ns = location->now - 1;
		row->call.region = function->name;
	}
	if (!function->is_mpi || location->depth == 0)
		return;
	if (location->depth == 1)
		end_call(location);
	else
		location->depth--;
}

/* A time in which nothing was measured; end before the start: up to the end of the trace. */
static void add_gap(struct location *location, int64_t end)
{
	struct queued *row = add_row(location, TRACE_OFF);

	row->is_open = false;
	row->call.start_ns = location->off;
	row->call.end_ns = end;
	row->call.region = NULL;
}

static void on_measurement(struct location *location, const struct otf_event *event)
{
	if (event->is_on && location->off >= 0)
		add_gap(location, location->now);
	location->off = event->is_on ? -1 : location->now;
}

/* The location's events are over. */
static void end_location(struct location *location)
{
	location->ended = true;
	if (location->depth > 0)
		end_call(location);
	if (location->off >= 0)
		add_gap(location, location->off - 1);
}

static int on_event(void *context, const struct otf_event *event, struct err *err)
{
	struct location *location = context;

	location->now = otf_ns(location->trace->input->otf, event->ticks);
	switch (event->type) {
	case OTF_ENTER:
		on_enter(location, event);
		return 0;
	case OTF_LEAVE:
		on_leave(location, event);
		return 0;
	case OTF_MEASUREMENT:
		on_measurement(location, event);
		return 0;
	case OTF_IRECV_REQUEST:
		post(location, event, TRACE_IRECV);
		return 0;
	case OTF_COLLECTIVE_REQUEST:
		post(location, event, TRACE_COLLECTIVE);
		return 0;
	case OTF_ISEND_COMPLETE:
		complete(location, event, TRACE_WAIT);
		return 0;
	case OTF_CANCELLED:
		take_posted(location->trace, event);
		complete(location, event, TRACE_CANCEL);
		return 0;
	case OTF_IRECV:
		on_irecv(location, event);
		return 0;
	case OTF_COLLECTIVE:
	case OTF_COLLECTIVE_COMPLETE:
		return on_collective(location, event, err);
	default:
		on_message(location, event);
		return 0;
	}
}

/* ---- rows in order ---- */

/* A non-blocking collective that never completed: its function's name says which it was. */
static void name_collective(struct mpi_call *call)
{
	char name[64];
	size_t n = 0;
	int op = -1;

	if (call->region != NULL && str_starts(call->region, "MPI_I"))
		for (const char *p = call->region + 5; *p != '\0' && n < sizeof(name); p++)
			name[n++] = *p >= 'A' && *p <= 'Z' ? (char)(*p - 'A' + 'a') : *p;
	if (n > 0)
		op = collective_find(name, n);
	if (op < 0)
		call->op = TRACE_CALL;
	else
		call->collective = op;
}

static int emit(struct trace *trace, struct queued *row, struct err *err)
{
	if (row->is_outstanding && row->call.op == TRACE_COLLECTIVE)
		name_collective(&row->call);
	return mpi_call_emit(&row->call, &trace->input->comms, &trace->columns, trace->input->flow,
			     err);
}

/* The location whose next row is the earliest; NULL: no row is there. */
static struct location *earliest(struct trace *trace)
{
	struct location *best = NULL;

	for (int i = 0; i < trace->nlocations; i++) {
		struct location *location = &trace->locations[i];

		if (location->head < location->tail &&
		    (best == NULL || row_at(location, location->head)->call.start_ns <
					     row_at(best, best->head)->call.start_ns))
			best = location;
	}
	return best;
}

/* Whether no location can still come up with a row before `start`. */
static bool is_settled(const struct trace *trace, const struct location *but, int64_t start)
{
	for (int i = 0; i < trace->nlocations; i++) {
		const struct location *location = &trace->locations[i];
		int64_t least = location->depth > 0 ? location->start : location->now;

		if (location != but && !location->ended && location->head == location->tail &&
		    (least < start || location->now == 0))
			return false;
	}
	return true;
}

/* Emits the rows that are known; all of them when every location has ended. */
static int emit_rows(struct trace *trace, bool ended, struct err *err)
{
	struct location *location;

	while ((location = earliest(trace)) != NULL) {
		struct queued *row = row_at(location, location->head);

		if (!ended && (row->is_open || row->is_outstanding ||
			       !is_settled(trace, location, row->call.start_ns)))
			break;
		if (emit(trace, row, err) != 0)
			return -1;
		location->head++;
	}
	return 0;
}

/* The location that is the farthest behind; NULL: all have ended. */
static struct location *hindmost(struct trace *trace)
{
	struct location *last = NULL;

	for (int i = 0; i < trace->nlocations; i++)
		if (!trace->locations[i].ended &&
		    (last == NULL || trace->locations[i].now < last->now))
			last = &trace->locations[i];
	return last;
}

static int read_rows(struct trace *trace, struct err *err)
{
	struct location *location;

	while ((location = hindmost(trace)) != NULL) {
		int status = otf_reader_read(location->reader, BATCH, err);

		if (status < 0)
			return -1;
		if (status == 0)
			end_location(location);
		if (emit_rows(trace, false, err) != 0)
			return -1;
	}
	return emit_rows(trace, true, err);
}

static int read_rank(struct trace *trace, struct err *err)
{
	struct otf *otf = trace->input->otf;
	int status = 0;

	trace->nlocations = otf_nlocations(otf, trace->rank);
	trace->locations = xcalloc((size_t)trace->nlocations, sizeof(*trace->locations));
	for (int i = 0; status == 0 && i < trace->nlocations; i++) {
		struct location *location = &trace->locations[i];

		location->trace = trace;
		location->number = i;
		location->off = -1;
		status = otf_reader_open(&location->reader, otf, trace->rank,
					 otf_location(otf, trace->rank, i),
					 OTF_ALL & ~(unsigned)OTF_PROGRAM, on_event, location, err);
	}
	if (status == 0)
		status = read_rows(trace, err);
	for (int i = 0; i < trace->nlocations; i++) {
		otf_reader_close(trace->locations[i].reader);
		free(trace->locations[i].at);
	}
	free(trace->locations);
	umap_clear(&trace->posted);
	return status;
}

static void write_meta(struct otf2_input *input)
{
	struct buf text = {0};

	buf_printf(&text, "%d", input->comms.nranks);
	flow_meta(input->flow, "ranks", buf_text(&text));
	for (size_t i = 0; i < input->comms.at.n; i++)
		flow_meta(input->flow, "comm", trace_comm_text(&input->comms.at.at[i], &text));
	buf_free(&text);
}

int otf2_read_trace(struct otf2_input *input, struct err *err)
{
	struct trace trace = {.input = input};
	int status = 0;

	write_meta(input);
	trace_columns_make(&trace.columns, input->flow);
	for (; status == 0 && trace.rank < otf_nranks(input->otf); trace.rank++)
		status = read_rank(&trace, err);
	umap_free(&trace.posted);
	return status;
}
