/* iotrace.c - the replay of recorded I/O */
#include <stdlib.h>

#include "base/str.h"
#include "base/umap.h"
#include "model/iotrace.h"
#include "mpi/pattern/pattern.h"

static const struct param params[] = {
	{.key = "path", .type = PARAM_FILE, .meaning = "the trace, a stream of the kind iotrace"},
	{.key = "time",
	 .type = PARAM_REAL,
	 .max = 1e6,
	 .def = "1",
	 .meaning = "planned starts and think times are multiplied by this"},
	{.key = "idle",
	 .type = PARAM_BOOL,
	 .def = "no",
	 .meaning = "the job may have more ranks than the trace: the others do nothing"},
	{0}};

struct replay {
	struct io_trace trace;
	size_t *first; /* [nranks + 1] into its ops */
	int nranks;    /* of the trace */
	double time;
};

/* ---- reading ---- */

/* A rank goes on behind its last operation on the file where the trace has no offset. */
static int set_offset(struct io_op *op, struct umap *ends, struct err *err)
{
	int64_t end = 0;

	if (op->kind != IO_READ && op->kind != IO_WRITE)
		return 0;
	if (op->offset < 0) {
		umap_get(ends, (uint32_t)op->file, &end);
		op->offset = end;
	}
	if (op->offset > INT64_MAX - op->bytes)
		return err_set(err, "rank %d: an operation ends beyond 2^63 bytes", op->rank);
	umap_set(ends, (uint32_t)op->file, op->offset + op->bytes);
	return 0;
}

/* A file is closed as often as it was opened, at most. */
static int count_open(const struct io_trace *trace, const struct io_op *op, struct umap *nopen,
		      struct err *err)
{
	int64_t n = 0;

	if (op->kind != IO_OPEN && op->kind != IO_CLOSE)
		return 0;
	umap_get(nopen, (uint32_t)op->file, &n);
	n += op->kind == IO_OPEN ? 1 : -1;
	if (n < 0)
		return err_set(err, "rank %d closes '%.200s', which it has not opened", op->rank,
			       op->file < 0 ? "." : trace->texts.at[op->file]);
	umap_set(nopen, (uint32_t)op->file, n);
	return 0;
}

static int check_barrier(const struct io_trace *trace, const struct io_op *op, struct err *err)
{
	if (op->kind != IO_BARRIER || op->comm < 0)
		return 0;
	if (trace_comm_place(&trace->comms, op->comm, op->rank) >= 0)
		return 0;
	return err_set(err, "rank %d has a barrier of '%.200s', which it is not a member of",
		       op->rank, trace->comms.at.at[op->comm].id);
}

static int check_target(const struct replay *replay, const struct io_op *op,
			const struct topo *topo, struct err *err)
{
	const char *target = op->target >= 0 ? replay->trace.texts.at[op->target] : NULL;

	for (int i = 0; i < topo->nio && target != NULL; i++)
		if (topo->io[i].storage != NULL && str_eq(topo->io[i].name, target))
			return 0;
	return target == NULL
		       ? 0
		       : err_set(err, "target: '%.200s' is not storage of the machine", target);
}

static int check_op(const struct replay *replay, const struct io_op *op, const struct topo *topo,
		    struct err *err)
{
	const struct io_trace *trace = &replay->trace;

	if (op->job != trace->ops.at[0].job)
		return err_set(err, "has operations of several jobs; expected those of one");
	if (check_barrier(trace, op, err) != 0)
		return -1;
	return check_target(replay, op, topo, err);
}

static int check_ranks(const struct replay *replay, const struct pattern_part *part,
		       struct err *err)
{
	int nranks = part->job->nranks;

	if (replay->nranks > nranks)
		return err_set(err, "the trace is of %d ranks, the job has %d", replay->nranks,
			       nranks);
	if (replay->nranks < nranks && !pick_bool(part->pick, "idle"))
		return err_set(err,
			       "the trace is of %d ranks, the job has %d: idle lets the "
			       "others do nothing",
			       replay->nranks, nranks);
	return 0;
}

static int prepare(struct replay *replay, const struct pattern_part *part, struct err *err)
{
	struct io_trace *trace = &replay->trace;
	struct umap ends = {0}, nopen = {0};
	int32_t rank = -1;
	int status = 0;

	replay->nranks = io_trace_nranks(trace);
	if (check_ranks(replay, part, err) != 0 ||
	    trace_comms_check(&trace->comms, part->job->nranks, err) != 0)
		return -1;
	replay->first = xcalloc((size_t)part->job->nranks + 1, sizeof(*replay->first));
	for (size_t i = 0; i < trace->ops.n && status == 0; i++) {
		struct io_op *op = &trace->ops.at[i];

		if (op->rank != rank) {
			umap_clear(&ends);
			umap_clear(&nopen);
			rank = op->rank;
		}
		replay->first[rank + 1]++;
		status = set_offset(op, &ends, err);
		if (status == 0)
			status = count_open(trace, op, &nopen, err);
		if (status == 0)
			status = check_op(replay, op, part->job->topo, err);
	}
	for (int r = 0; r < part->job->nranks; r++)
		replay->first[r + 1] += replay->first[r];
	umap_free(&ends);
	umap_free(&nopen);
	return status;
}

/* ---- replaying ---- */

static void set_barrier(const struct replay *replay, const struct io_op *what, int rank,
			struct op *op)
{
	const struct trace_comms *comms = &replay->trace.comms;
	int n = what->comm < 0 ? replay->nranks : trace_comm_size(comms, what->comm);

	op->kind = n > 1 ? OP_COLLECTIVE : OP_NOTHING;
	op->algorithm = NULL;
	op->call = (struct collective){.op = COLLECTIVE_BARRIER, .nranks = n};
	op->comm = what->comm;
	op->place = what->comm < 0 ? rank : trace_comm_place(comms, what->comm, rank);
	op->key = (uint32_t)(what->comm + 1);
}

static int member(const struct pattern_part *part, int comm, int place, int rank)
{
	const struct replay *replay = part->state;

	return comm < 0 ? place : trace_comm_rank(&replay->trace.comms, comm, place, rank);
}

static const char *text(const struct pattern_part *part, int32_t number)
{
	const struct replay *replay = part->state;

	return replay->trace.texts.at[number];
}

static void next(const struct pattern_part *part, int rank, struct cursor *cursor, struct op *op)
{
	static const uint8_t kinds[IO_NOPS] = {
		[IO_OPEN] = OP_OPEN,   [IO_CLOSE] = OP_OPEN, [IO_READ] = OP_READ,
		[IO_WRITE] = OP_WRITE, [IO_SYNC] = OP_SYNC,
	};
	const struct replay *replay = part->state;
	size_t at = replay->first[rank] + (size_t)cursor->mark;
	const struct io_op *what;

	if (at >= replay->first[rank + 1])
		return;
	what = &replay->trace.ops.at[at];
	if (what->start_ns > 0 && cursor->sub == 0) {
		cursor->sub = 1;
		op->kind = replay->trace.is_think ? OP_COMPUTE : OP_UNTIL;
		op->duration_ps = pattern_duration((double)what->start_ns * 1000 * replay->time);
		return;
	}
	cursor->sub = 0;
	cursor->mark++;
	if (what->kind == IO_BARRIER) {
		set_barrier(replay, what, rank, op);
		return;
	}
	op->kind = kinds[what->kind];
	op->file = what->file;
	op->target = what->target;
	op->offset = what->offset;
	op->bytes = what->bytes;
}

static void close(struct pattern_part *part)
{
	struct replay *replay = part->state;

	io_trace_free(&replay->trace);
	free(replay->first);
	free(replay);
}

static int load(struct pattern_part *part, const char *path, struct err *err)
{
	struct replay *replay = xcalloc(1, sizeof(*replay));

	replay->time = pick_real(part->pick, "time");
	part->state = replay;
	if (io_trace_read(&replay->trace, path, part->job->accepts_partial, err) != 0)
		return -1;
	return prepare(replay, part, err) != 0 ? err_prefix(err, "%s: ", path) : 0;
}

static int iotrace_open(struct pattern_part *part, struct err *err)
{
	return pattern_open_file(part, load, err);
}

const struct pattern pattern_iotrace = {
	.entry = {.name = "iotrace",
		  .example = "iotrace:path=io.tsv",
		  .summary = "the replay of recorded I/O on the machine's storage, one pass an "
			     "iteration: an operation starts when the one before it is done, but "
			     "not before its planned start; barriers are those of the MPI library",
		  .params = params},
	.is_keyed = true,
	.is_ordered = true,
	.open = iotrace_open,
	.close = close,
	.next = next,
	.member = member,
	.text = text,
};
