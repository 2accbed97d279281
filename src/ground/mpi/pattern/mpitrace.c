/* mpitrace.c - the replay of recorded MPI calls */
#include <stdlib.h>
#include <string.h>

#include "mpi/pattern/pattern.h"
#include "base/die.h"
#include "base/str.h"
#include "base/umap.h"
#include "formats/table.h"
#include "model/kinds.h"
#include "model/mpitrace.h"

static const struct param params[] = {
	{.key = "path", .type = PARAM_FILE, .meaning = "the trace, an mpitrace stream"},
	{.key = "compute",
	 .type = PARAM_REAL,
	 .max = 1e6,
	 .def = "1",
	 .meaning = "factor for the gaps between calls"},
	{.key = "loop",
	 .type = PARAM_TEXT,
	 .optional = true,
	 .meaning = "the user region whose time and computation --ranks has apart"},
	{.key = "gaps",
	 .type = PARAM_WORD,
	 .choices = "calls|records",
	 .def = "calls",
	 .meaning = "computation is the time between MPI calls; or, as TraceR counts, each call's "
		    "and region's beginning less the last record before it, and calls that move "
		    "no data cost nothing (otf2:regions=all brings the records)"},
	{0}};

/* An event in 32 bytes. Collectives: peer is the root's place, tag the operation, and of a
 * non-blocking one its number from 1, above OP_BITS. */
struct event {
	int64_t bytes;
	int64_t gap_ns : 48; /* since the last call's end: at most GAP_MOST */
	uint64_t kind : 8;
	uint64_t has_tag : 1;
	uint64_t send_location : 2, recv_location : 2;
	int32_t peer, tag, comm;
	int32_t request;
};
_Static_assert(sizeof(struct event) <= 32, "a trace is held whole");

#define GAP_MOST ((INT64_C(1) << 47) - 1) /* 39 hours */

struct replay {
	struct trace_comms comms;
	size_t *first; /* [nranks + 1] into events */
	VEC(struct event) events;
	double compute;
	bool counts_records; /* gaps end at every record */
	const char *loop;    /* the region that is measured; or NULL */
};

/* In a key: the tag, above it the communicator and the pass. */
enum {
	OP_BITS = 8,
	NUMBER_MOST = (1 << 23) - 1,
	COMM_AT = 32,
	PASS_AT = 53,
	PASS_BITS = 7,
	COMMS_MOST = (1 << (PASS_AT - COMM_AT)) - 1
};
_Static_assert(PASS_AT + PASS_BITS <= PATTERN_KEY_BITS, "the program's part is above");

/* ---- reading ---- */

struct loading {
	struct replay *replay;
	int32_t rank; /* whose rows are being read */
	int64_t end_ns;
	int64_t pending_ns; /* computation that the next event will have before it */
	bool has_begun, has_loop;
	int nranks;        /* of the job */
	int64_t nomitted;  /* calls of collectives whose ranks are not known: inter-communicators */
	struct umap begun; /* non-blocking operations of the rank, by communicator and kind */
};

/*
 * Several may be in flight, and their steps on different ranks in different orders: the n-th of a
 * kind in a communicator is the same call on each of its ranks.
 */
static int32_t next_number(struct loading *loading, const struct mpi_call *call)
{
	uint64_t key = (uint64_t)(uint32_t)(call->comm + 1) << OP_BITS | (uint64_t)call->collective;
	int64_t n = 0;

	umap_get(&loading->begun, key, &n);
	umap_set(&loading->begun, key, n + 1);
	return (int32_t)(n % NUMBER_MOST) + 1;
}

/* One of a single rank, or of unknown ranks, is a call that sends nothing. */
static void set_collective(struct event *event, const struct mpi_call *call,
			   struct loading *loading)
{
	const struct trace_comms *comms = &loading->replay->comms;
	int n = call->comm < 0 ? loading->nranks : trace_comm_size(comms, call->comm);
	int place = call->comm < 0 ? call->rank : trace_comm_place(comms, call->comm, call->rank);
	bool is_rooted = collective_is_rooted(call->collective);
	int root = 0;

	if (is_rooted)
		root = call->comm < 0 ? call->root
				      : trace_comm_place(comms, call->comm, call->root);
	event->kind = OP_NOTHING;
	loading->nomitted += place < 0 || root < 0;
	if (place < 0 || root < 0 || n < 2)
		return;
	event->kind = call->is_nonblocking ? OP_ICOLLECTIVE : OP_COLLECTIVE;
	event->bytes = collective_bytes(call->collective, n, is_rooted && call->root == call->rank,
					call->bytes, call->recv_bytes);
	event->peer = root;
	event->tag = (int32_t)call->collective;
	if (call->is_nonblocking)
		event->tag |= next_number(loading, call) << OP_BITS;
}

/* The call as an event; -1: nothing to be done. */
static int set_event(struct event *event, const struct mpi_call *call, struct loading *loading)
{
	static const uint8_t kinds[TRACE_NOPS] = {
		[TRACE_SEND] = OP_SEND,        [TRACE_ISEND] = OP_ISEND,
		[TRACE_RECV] = OP_RECV,        [TRACE_IRECV] = OP_IRECV,
		[TRACE_WAIT] = OP_WAIT,        [TRACE_CANCEL] = OP_CANCEL,
		[TRACE_PUT] = OP_PUT,          [TRACE_GET] = OP_GET,
		[TRACE_CALL] = OP_NOTHING,     [TRACE_INIT] = OP_NOTHING,
		[TRACE_FINALIZE] = OP_NOTHING,
	};
	bool is_recv = call->op == TRACE_RECV || call->op == TRACE_IRECV || call->op == TRACE_GET;

	*event = (struct event){.kind = kinds[call->op],
				.peer = call->peer,
				.tag = call->tag,
				.has_tag = call->has_tag,
				.comm = call->comm,
				.request = (int32_t)call->request,
				.send_location = call->send_location,
				.recv_location = call->recv_location,
				.bytes = is_recv ? call->recv_bytes : call->bytes};
	if (event->bytes < 0)
		event->bytes = 0;
	if (call->op == TRACE_ENTER || call->op == TRACE_LEAVE || call->op == TRACE_OFF)
		return -1;
	if (call->op == TRACE_COLLECTIVE)
		set_collective(event, call, loading);
	return 0;
}

static int check_call(const struct mpi_call *call, const struct loading *loading,
		      const struct flow *flow, struct err *err)
{
	const struct trace_comms *comms = &loading->replay->comms;
	bool needs_peer = call->op == TRACE_SEND || call->op == TRACE_ISEND ||
			  call->op == TRACE_PUT || call->op == TRACE_GET;

	if (call->rank < loading->rank)
		return flow_error(flow, err,
				  "rank %d comes after rank %d: expected rows rank by rank",
				  call->rank, loading->rank);
	if (call->rank >= loading->nranks || call->peer >= loading->nranks)
		return flow_error(flow, err, "rank %d is not among the %d of the job",
				  call->rank >= loading->nranks ? call->rank : call->peer,
				  loading->nranks);
	if (call->root >= loading->nranks)
		return flow_error(flow, err, "root: rank %d is not among the %d of the job",
				  call->root, loading->nranks);
	if (call->op == TRACE_COLLECTIVE && collective_is_rooted(call->collective) &&
	    call->root >= 0 && call->comm >= 0 && comms->at.at[call->comm].remote == NULL &&
	    trace_comm_place(comms, call->comm, call->root) < 0)
		return flow_error(flow, err, "root: rank %d is not in the communicator %.200s",
				  call->root, comms->at.at[call->comm].id);
	if (needs_peer && call->peer < 0)
		return flow_error(flow, err, "peer: to whom is not known");
	if (call->request > INT32_MAX)
		return flow_error(flow, err, "request: %lld is too large",
				  (long long)call->request);
	return 0;
}

static void push_event(struct loading *loading, struct event *event)
{
	const struct event longest = {.kind = OP_COMPUTE, .gap_ns = GAP_MOST};

	for (; loading->pending_ns > GAP_MOST; loading->pending_ns -= GAP_MOST)
		vec_push(&loading->replay->events, longest);
	event->gap_ns = loading->pending_ns;
	loading->pending_ns = 0;
	vec_push(&loading->replay->events, *event);
}

/* Rows of the next rank follow; what was computed behind the last call stays the rank's. */
static void end_rank(struct loading *loading)
{
	struct event rest = {.kind = OP_COMPUTE};

	if (loading->pending_ns > 0)
		push_event(loading, &rest);
	loading->replay->first[++loading->rank] = loading->replay->events.n;
	umap_clear(&loading->begun);
	loading->has_begun = false;
}

static int take_call(struct loading *loading, const struct mpi_call *call, const struct flow *flow,
		     struct err *err)
{
	bool is_region = call->op == TRACE_ENTER || call->op == TRACE_LEAVE;
	bool counts_records = loading->replay->counts_records;
	bool is_loop;
	struct event event;
	int64_t end = call->end_ns >= call->start_ns ? call->end_ns : call->start_ns;

	if (check_call(call, loading, flow, err) != 0)
		return -1;
	while (loading->rank < call->rank)
		end_rank(loading);
	is_loop = is_region && loading->replay->loop != NULL &&
		  str_eq(call->region, loading->replay->loop);
	if (is_region && !counts_records && !is_loop)
		return 0;
	/* what was not measured counts as no time; so does an overlap with the call before */
	if (loading->has_begun && call->start_ns > loading->end_ns &&
	    (call->op != TRACE_LEAVE || !counts_records) && call->op != TRACE_OFF)
		loading->pending_ns += call->start_ns - loading->end_ns;
	if (is_loop) {
		event = (struct event){.kind = call->op == TRACE_ENTER ? OP_ENTER : OP_LEAVE};
		push_event(loading, &event);
		loading->has_loop = true;
	}
	if (!is_region && set_event(&event, call, loading) == 0 &&
	    !(counts_records && event.kind == OP_NOTHING))
		push_event(loading, &event);
	if (!loading->has_begun || end > loading->end_ns)
		loading->end_ns = end;
	loading->has_begun = true;
	return 0;
}

/* ---- collective operations of GPUs ---- */

/*
 * The n-th collective operation of a communicator is the same call on each of its ranks. Its
 * buffers are on GPUs if those of any rank are: ranks must agree, since they choose an algorithm by
 * it.
 */
struct collective_places {
	VEC(uint8_t) is_on_gpu; /* by number in the communicator */
};

static void gather_places(const struct replay *replay, int nranks, bool is_writing,
			  struct collective_places *places /* [ncomms + 1] */)
{
	size_t ncomms = replay->comms.at.n + 1;
	int64_t *number = xcalloc(ncomms, sizeof(*number));

	for (int rank = 0; rank < nranks; rank++) {
		memset(number, 0, ncomms * sizeof(*number));
		for (size_t i = replay->first[rank]; i < replay->first[rank + 1]; i++) {
			struct event *event = &replay->events.at[i];
			struct collective_places *comm;
			size_t at;

			if (event->kind != OP_COLLECTIVE && event->kind != OP_ICOLLECTIVE)
				continue;
			comm = &places[event->comm + 1];
			at = (size_t)number[event->comm + 1]++;
			while (comm->is_on_gpu.n <= at)
				vec_push(&comm->is_on_gpu, 0);
			if (is_writing && comm->is_on_gpu.at[at])
				event->send_location = LOCATION_GPU;
			comm->is_on_gpu.at[at] |= event->send_location == LOCATION_GPU ||
						  event->recv_location == LOCATION_GPU;
		}
	}
	free(number);
}

static void agree_on_places(const struct replay *replay, int nranks)
{
	size_t ncomms = replay->comms.at.n + 1;
	struct collective_places *places = xcalloc(ncomms, sizeof(*places));

	gather_places(replay, nranks, false, places);
	gather_places(replay, nranks, true, places);
	for (size_t i = 0; i < ncomms; i++)
		vec_free(&places[i].is_on_gpu);
	free(places);
}

/* ---- the file ---- */

static int load_rows(struct loading *loading, struct table_in *in, struct flow *flow,
		     struct err *err)
{
	struct trace_columns columns;
	struct mpi_call call;
	struct row row;
	size_t npassed = 0, ntaken = 0;
	int status;

	for (int i = 0; i < table_ncolumns(in); i++)
		flow_column(flow, table_column(in, i));
	trace_columns_find(&columns, flow);
	while ((status = table_next(in, &row, err)) == 1) {
		flow_meta_lines(flow, in, &npassed);
		if (trace_meta_take(&loading->replay->comms, flow, &ntaken, err) != 0)
			return -1;
		for (int i = 0; i < table_ncolumns(in); i++)
			flow_text(flow, i, row_text(&row, i));
		flow->file = row.file;
		flow->line = row.line;
		if (mpi_call_take(&call, &loading->replay->comms, &columns, flow, err) != 0 ||
		    take_call(loading, &call, flow, err) != 0)
			return -1;
	}
	if (status == 0 && loading->replay->comms.nranks > 0 &&
	    loading->replay->comms.nranks != loading->nranks)
		return err_set(err, "the trace is of %d ranks, the job has %d",
			       loading->replay->comms.nranks, loading->nranks);
	if (status == 0 && loading->replay->comms.at.n > COMMS_MOST)
		return err_set(err, "%s: more than %d communicators", flow->file, COMMS_MOST);
	if (status == 0 && trace_comms_check(&loading->replay->comms, loading->nranks, err) != 0)
		return err_prefix(err, "%s: ", flow->file);
	while (status == 0 && loading->rank < loading->nranks)
		end_rank(loading);
	return status;
}

static int read_trace(struct replay *replay, const char *path, int nranks, bool accepts_partial,
		      struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_mpitrace, NULL};
	struct loading loading = {.replay = replay, .nranks = nranks};
	struct table_in *in;
	struct flow flow;
	int status;

	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	flow_init(&flow, &kind_mpitrace, NULL, NULL);
	status = load_rows(&loading, in, &flow, err);
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: truncated", path);
	flow_free(&flow);
	umap_free(&loading.begun);
	table_close(in);
	if (status == 0 && replay->loop != NULL && !loading.has_loop)
		return err_set(err, "%s: has no rows enter and leave of the region '%s'", path,
			       replay->loop);
	if (status == 0 && loading.nomitted > 0)
		warn("%s: %lld calls of collectives send nothing: those of inter-communicators",
		     path, (long long)loading.nomitted);
	if (status == 0)
		agree_on_places(replay, nranks);
	return status;
}

/* ---- replaying ---- */

static void set_collective_op(const struct pattern_part *part, const struct event *event, int rank,
			      struct op *op)
{
	const struct replay *replay = part->state;

	op->call = (struct collective){
		.op = (enum collective_op)(event->tag & ((1 << OP_BITS) - 1)),
		.nranks = event->comm < 0 ? part->job->nranks
					  : trace_comm_size(&replay->comms, event->comm),
		.root = event->peer,
		.bytes = event->bytes > 0 ? event->bytes : 0};
	op->comm = event->comm;
	op->place = event->comm < 0 ? rank : trace_comm_place(&replay->comms, event->comm, rank);
}

static int member(const struct pattern_part *part, int comm, int place, int rank)
{
	const struct replay *replay = part->state;

	return comm < 0 ? place : trace_comm_rank(&replay->comms, comm, place, rank);
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	const struct replay *replay = part->state;
	size_t at = replay->first[rank] + (size_t)cursor->mark;
	const struct event *event;

	if (at >= replay->first[rank + 1])
		return;
	event = &replay->events.at[at];
	if (event->gap_ns > 0 && cursor->sub == 0) {
		cursor->sub = 1;
		op->kind = OP_COMPUTE;
		op->duration_ps = pattern_duration((double)event->gap_ns * 1000 * replay->compute);
		return;
	}
	cursor->sub = 0;
	cursor->mark++;
	op->kind = event->kind;
	op->peer = event->peer;
	op->bytes = event->bytes;
	op->request = event->request;
	op->is_any_tag = !event->has_tag;
	op->is_synchronous = op->kind == OP_PUT;
	op->send_location = event->send_location;
	op->recv_location = event->recv_location;
	op->key = (uint64_t)(event->comm + 1) << COMM_AT | (uint32_t)event->tag;
	if (op->kind == OP_COLLECTIVE || op->kind == OP_ICOLLECTIVE)
		set_collective_op(part, event, rank, op);
	/* a rank may be in the next pass while others are in this one's */
	if (op->kind == OP_ICOLLECTIVE)
		op->key |= ((uint64_t)cursor->iteration & ((1 << PASS_BITS) - 1)) << PASS_AT;
}

static void close(struct pattern_part *part)
{
	struct replay *replay = part->state;

	trace_comms_free(&replay->comms);
	free(replay->first);
	vec_free(&replay->events);
	free(replay);
}

static int load(struct pattern_part *part, const char *path, struct err *err)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));

	replay->compute = pick_real(part->pick, "compute");
	replay->loop = pick_has(part->pick, "loop") ? pick_word(part->pick, "loop") : NULL;
	replay->counts_records = str_eq(pick_word(part->pick, "gaps"), "records");
	replay->first = xcalloc((size_t)part->job->nranks + 1, sizeof(*replay->first));
	part->state = replay;
	return read_trace(replay, path, part->job->nranks, part->job->accepts_partial, err);
}

static int mpitrace_open(struct pattern_part *part, struct err *err)
{
	return pattern_open_file(part, load, err);
}

const struct pattern pattern_mpitrace = {
	.entry = {.name = "mpitrace",
		  .example = "mpitrace:path=trace.tsv",
		  .summary = "the replay of a trace, one pass per iteration: gaps between"
			     " calls are kept, recorded times inside them are not; "
			     "collectives become the messages of the MPI library's "
			     "algorithms (non-blocking ones take their steps in the rank's "
			     "calls, up to the wait)",
		  .params = params},
	.is_keyed = true,
	.is_ordered = true,
	.open = mpitrace_open,
	.close = close,
	.next = next,
	.member = member,
};
