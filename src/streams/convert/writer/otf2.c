/* otf2.c - MPI traces as OTF2 archives */
#include "traces/otf2/otf2.h"

#include <stdlib.h>

#include "convert/writer/writer.h"
#include "base/str.h"
#include "base/umap.h"
#include "model/mpitrace.h"
#include "model/otf2_sizes.h"

/* A receive or non-blocking collective that has been posted. */
struct posted {
	struct mpi_call call;
};

struct state {
	struct otf_writer *writer;
	struct trace_comms comms;
	struct trace_columns columns;
	size_t nmeta, ncomms; /* ##lines taken, communicators defined */
	bool is_open;         /* a call whose LEAVE is not written */
	struct mpi_call open;
	uint32_t open_region;
	VEC(struct posted) posted; /* of the rank */
	VEC(int64_t) free_posted;
	struct umap posted_of; /* request → place in posted */
	struct umap place_of;  /* communicator << 32 | world rank → rank there */
};

static void *start(const struct writer_input *input, struct err *err)
{
	struct state *state = xcalloc(1, sizeof(*state));

	if (otf_writer_open(&state->writer, input->path, err) == 0)
		return state;
	free(state);
	return NULL;
}

static int take_meta(struct state *state, const struct flow *flow, struct err *err)
{
	for (size_t i = state->nmeta; i < flow->meta.n; i++)
		if (str_eq(flow->meta.at[i].key, "app"))
			otf_writer_program(state->writer, flow->meta.at[i].value);
	if (trace_meta_take(&state->comms, flow, &state->nmeta, err) != 0)
		return -1;
	otf_writer_ranks(state->writer, state->comms.nranks);
	for (; state->ncomms < state->comms.at.n; state->ncomms++) {
		const struct trace_comm *comm = &state->comms.at.at[state->ncomms];

		/* the writer numbers them alike, and 0 is all ranks */
		otf_writer_comm(state->writer, comm->ranks, comm->n, comm->remote, comm->nremote);
	}
	return 0;
}

static int begin(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;

	trace_columns_find(&state->columns, flow);
	return take_meta(state, flow, err);
}

/* ---- places in communicators ---- */

static int find_in(const int32_t *ranks, int n, int32_t rank)
{
	for (int i = 0; i < n; i++)
		if (ranks[i] == rank)
			return i;
	return -1;
}

/* The rank in a communicator that a world rank is to `self`: of an inter-communicator's other
 * group. -1: it has none. */
static int64_t find_place(const struct trace_comm *comm, int32_t rank, int32_t self)
{
	if (comm->is_self)
		return rank == self ? 0 : -1;
	if (comm->remote != NULL && find_in(comm->ranks, comm->n, self) >= 0)
		return find_in(comm->remote, comm->nremote, rank);
	return find_in(comm->ranks, comm->n, rank);
}

static int place(struct state *state, const struct mpi_call *call, int32_t rank, int32_t *place,
		 const struct flow *flow, struct err *err)
{
	uint64_t key = (uint64_t)(uint32_t)call->comm << 32 | (uint32_t)rank;
	const struct trace_comm *comm;
	int64_t found;

	*place = rank;
	if (rank < 0 || call->comm < 0) {
		otf_writer_ranks(state->writer, rank + 1);
		return 0;
	}
	comm = &state->comms.at.at[call->comm];
	if (comm->is_self || comm->remote != NULL) {
		found = find_place(comm, rank, call->rank);
	} else if (rank < comm->n && comm->ranks[rank] == rank) {
		found = rank;
	} else if (!umap_get(&state->place_of, key, &found)) {
		found = find_place(comm, rank, call->rank);
		umap_set(&state->place_of, key, found);
	}
	if (found < 0)
		return flow_error(flow, err, "rank %d is not in communicator %s", rank, comm->id);
	*place = (int32_t)found;
	return 0;
}

/* ---- events ---- */

static int put(struct state *state, const struct mpi_call *call, enum otf_event_type type,
	       int64_t ns, struct otf_event event, struct err *err)
{
	event.type = type;
	event.ticks = (uint64_t)ns;
	return otf_writer_event(state->writer, call->rank, &event, err);
}

static int end_call(struct state *state, struct err *err)
{
	const struct mpi_call *open = &state->open;

	if (!state->is_open)
		return 0;
	state->is_open = false;
	return put(state, open, OTF_LEAVE, open->end_ns,
		   (struct otf_event){.region = state->open_region}, err);
}

/* Whether the row is one more thing that the open call did. */
static bool is_more_of(const struct mpi_call *open, const struct mpi_call *call)
{
	if (call->op == TRACE_CALL || call->op == TRACE_INIT || call->op == TRACE_FINALIZE ||
	    open->op == TRACE_CALL || open->op == TRACE_INIT || open->op == TRACE_FINALIZE ||
	    (call->op == TRACE_COLLECTIVE && !call->is_nonblocking) ||
	    (open->op == TRACE_COLLECTIVE && !open->is_nonblocking))
		return false;
	return open->rank == call->rank && open->start_ns == call->start_ns &&
	       open->end_ns == call->end_ns && str_eq(open->region, call->region) &&
	       open->send_location == call->send_location &&
	       open->recv_location == call->recv_location;
}

static int begin_call(struct state *state, const struct mpi_call *call, struct err *err)
{
	struct otf_event enter = {.send_location = call->send_location,
				  .recv_location = call->recv_location};

	if (end_call(state, err) != 0)
		return -1;
	state->is_open = true;
	state->open = *call;
	state->open_region = enter.region =
		otf_writer_region(state->writer, call->region, OTF_REGION_MPI);
	/* the row's text goes, the writer's stays */
	state->open.region = otf_writer_region_name(state->writer, enter.region);
	return put(state, call, OTF_ENTER, call->start_ns, enter, err);
}

static int message(struct state *state, const struct mpi_call *call, enum otf_event_type type,
		   int64_t ns, const struct flow *flow, struct err *err)
{
	struct otf_event event = {.tag = call->has_tag ? call->tag : 0,
				  .comm = call->comm + 1,
				  .bytes = (uint64_t)call->bytes,
				  .recv_bytes = (uint64_t)call->recv_bytes,
				  .request = (uint64_t)call->request};

	if (type == OTF_RECV || type == OTF_IRECV)
		event.bytes = (uint64_t)call->recv_bytes;
	if (place(state, call, call->peer, &event.peer, flow, err) != 0)
		return -1;
	return put(state, call, type, ns, event, err);
}

static int post(struct state *state, const struct mpi_call *call, enum otf_event_type type,
		struct err *err)
{
	int64_t at = (int64_t)state->posted.n;

	if (state->free_posted.n > 0)
		at = state->free_posted.at[--state->free_posted.n];
	else
		vec_push(&state->posted, (struct posted){0});
	state->posted.at[at].call = *call;
	umap_set(&state->posted_of, (uint64_t)call->request, at);
	return put(state, call, type, call->start_ns,
		   (struct otf_event){.request = (uint64_t)call->request}, err);
}

static int collective(struct state *state, const struct mpi_call *call, enum otf_event_type type,
		      int64_t ns, const struct flow *flow, struct err *err)
{
	struct otf_event event = {.collective = otf2_collective_number(call->collective),
				  .comm = call->comm + 1,
				  .request = (uint64_t)call->request};
	int n = trace_comm_size(&state->comms, call->comm);
	int here = trace_comm_place(&state->comms, call->comm, call->rank);

	if (place(state, call, call->root, &event.root, flow, err) != 0)
		return -1;
	/* sizes of an inter-communicator's calls stay as they are; see otf2_set_collective */
	if (here < 0 || n < 1)
		n = 1;
	otf2_counts(call->collective, n, n > 1 ? here : 0, call->root == call->rank,
		    (struct collective_sizes){call->bytes, call->recv_bytes}, &event.bytes,
		    &event.recv_bytes);
	return put(state, call, type, ns, event, err);
}

/* A request is complete: what it was decides the event. */
static int complete(struct state *state, const struct mpi_call *call, const struct flow *flow,
		    struct err *err)
{
	struct mpi_call posted;
	int64_t at;

	if (!umap_take(&state->posted_of, (uint64_t)call->request, &at))
		return put(
			state, call, call->op == TRACE_CANCEL ? OTF_CANCELLED : OTF_ISEND_COMPLETE,
			call->end_ns, (struct otf_event){.request = (uint64_t)call->request}, err);
	posted = state->posted.at[at].call;
	vec_push(&state->free_posted, at);
	if (call->op == TRACE_CANCEL)
		return put(state, call, OTF_CANCELLED, call->end_ns,
			   (struct otf_event){.request = (uint64_t)call->request}, err);
	if (posted.op == TRACE_COLLECTIVE)
		return collective(state, &posted, OTF_COLLECTIVE_COMPLETE, call->end_ns, flow, err);
	if (posted.peer < 0 || posted.recv_bytes < 0)
		return 0; /* from whom it came is not known: OTF2 can't say that */
	return message(state, &posted, OTF_IRECV, call->end_ns, flow, err);
}

/* What a call did, inside its region. */
static int write_call(struct state *state, const struct mpi_call *call, const struct flow *flow,
		      struct err *err)
{
	switch (call->op) {
	case TRACE_SEND:
		return message(state, call, OTF_SEND, call->start_ns, flow, err);
	case TRACE_ISEND:
		return message(state, call, OTF_ISEND, call->start_ns, flow, err);
	case TRACE_PUT:
		return message(state, call, OTF_PUT, call->start_ns, flow, err);
	case TRACE_GET:
		return message(state, call, OTF_GET, call->start_ns, flow, err);
	case TRACE_RECV:
		return call->peer < 0 || call->recv_bytes < 0
			       ? 0
			       : message(state, call, OTF_RECV, call->end_ns, flow, err);
	case TRACE_IRECV:
		return post(state, call, OTF_IRECV_REQUEST, err);
	case TRACE_WAIT:
	case TRACE_CANCEL:
		return complete(state, call, flow, err);
	case TRACE_COLLECTIVE:
		if (call->is_nonblocking)
			return post(state, call, OTF_COLLECTIVE_REQUEST, err);
		if (put(state, call, OTF_COLLECTIVE_BEGIN, call->start_ns, (struct otf_event){0},
			err) != 0)
			return -1;
		return collective(state, call, OTF_COLLECTIVE, call->end_ns, flow, err);
	default:
		return 0;
	}
}

/* User regions, and times that were not measured. */
static int write_region(struct state *state, const struct mpi_call *call, struct err *err)
{
	struct otf_event event = {0};

	if (end_call(state, err) != 0)
		return -1;
	if (call->op == TRACE_OFF) {
		if (put(state, call, OTF_MEASUREMENT, call->start_ns, event, err) != 0)
			return -1;
		event.is_on = true;
		return call->end_ns < call->start_ns
			       ? 0
			       : put(state, call, OTF_MEASUREMENT, call->end_ns, event, err);
	}
	event.region = otf_writer_region(state->writer, call->region, OTF_REGION_USER);
	return put(state, call, call->op == TRACE_ENTER ? OTF_ENTER : OTF_LEAVE, call->start_ns,
		   event, err);
}

static void next_rank(struct state *state)
{
	umap_clear(&state->posted_of);
	state->posted.n = state->free_posted.n = 0;
}

static int row(void *context, struct flow *flow, struct err *err)
{
	struct state *state = context;
	struct mpi_call call;

	if (state->nmeta < flow->meta.n && take_meta(state, flow, err) != 0)
		return -1;
	if (mpi_call_take(&call, &state->comms, &state->columns, flow, err) != 0)
		return -1;
	if (call.start_ns < 0)
		return flow_error(flow, err, "time_s is before the beginning of the trace");
	if (state->is_open && state->open.rank != call.rank)
		next_rank(state);
	if (call.op == TRACE_ENTER || call.op == TRACE_LEAVE || call.op == TRACE_OFF)
		return write_region(state, &call, err);
	if (call.end_ns < call.start_ns)
		call.end_ns = call.start_ns;
	if (call.region == NULL)
		call.region = trace_function(&call);
	if (call.region == NULL)
		call.region = "MPI";
	if (!state->is_open || !is_more_of(&state->open, &call)) {
		if (state->is_open && state->open.rank == call.rank &&
		    call.start_ns < state->open.end_ns)
			return flow_error(flow, err,
					  call.start_ns < state->open.start_ns
						  ? "rank %d: time_s is less than in the row before"
						  : "calls of rank %d overlap: an archive is made "
						    "with one thread for each rank",
					  call.rank);
		if (begin_call(state, &call, err) != 0)
			return -1;
	}
	return write_call(state, &call, flow, err);
}

static int end(void *context, struct flow *flow, bool whole, struct err *err)
{
	struct state *state = context;
	struct otf_writer *writer = state->writer;

	if (take_meta(state, flow, err) != 0 || end_call(state, err) != 0)
		return -1;
	state->writer = NULL;
	return otf_writer_close(writer, whole, err);
}

static void stop(void *context)
{
	struct state *state = context;

	if (state->writer != NULL)
		otf_writer_close(state->writer, false, NULL);
	trace_comms_free(&state->comms);
	umap_free(&state->posted_of);
	umap_free(&state->place_of);
	free(state->posted.at);
	free(state->free_posted.at);
	free(state);
}

static const struct table_kind *const takes[] = {&kind_mpitrace, NULL};

const struct writer writer_otf2 = {
	.entry = {.name = "otf2",
		  .example = "otf2",
		  .summary = "a new folder with an OTF2 archive, traces.otf2, one "
			     "location per rank; buffer locations as attributes "
			     "MPI_SRC_BUF_LOCATION and MPI_DST_BUF_LOCATION",
		  .paper = "Khetawat 2022, ch. 3"},
	.takes = takes,
	.makes_archive = true,
	.start = start,
	.taker = {begin, row, end},
	.stop = stop,
};
