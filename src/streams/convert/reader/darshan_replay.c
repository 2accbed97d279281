/* darshan_replay.c - Darshan records and segments as I/O operations of ranks */
#include <stdio.h>
#include <stdlib.h>

#include "convert/reader/darshan_reader.h"
#include "base/str.h"

enum { OPS_MOST = 1 << 24 }; /* of one log: 1 GiB of memory */

/* Since the job's start; no job takes a century. */
static int64_t to_ns(double seconds)
{
	return seconds > 0 ? (seconds < 4e9 ? (int64_t)(seconds * 1e9 + 0.5) : (int64_t)4e18) : 0;
}

/* What a record says, whichever module it is of. */
struct summary {
	const char *prefix; /* "POSIX", "MPIIO", "STDIO" */
	int64_t opens, reads, writes, bytes_read, bytes_written;
	double meta_s;
};

static double value(const struct darshan_record *record, const char *prefix, const char *name)
{
	char whole[64];

	snprintf(whole, sizeof(whole), "%s_%s", prefix, name);
	return darshan_value(record, whole);
}

static int64_t count(const struct darshan_record *record, const char *prefix, const char *name)
{
	double number = value(record, prefix, name);

	return number < 1e18 ? (int64_t)number : (int64_t)1e18;
}

static bool summarise(const struct darshan_replay *replay, const struct darshan_record *record,
		      struct summary *summary)
{
	static const char *const kinds[] = {"INDEP", "COLL", "SPLIT", "NB"};
	const char *prefix = str_eq(record->module, "MPI-IO") ? "MPIIO" : record->module;

	if (str_eq(prefix, "MPIIO") != replay->is_mpiio ||
	    (!replay->is_mpiio && !str_eq(prefix, "POSIX") && !str_eq(prefix, "STDIO")))
		return false;
	*summary = (struct summary){.prefix = prefix};
	summary->bytes_read = count(record, prefix, "BYTES_READ");
	summary->bytes_written = count(record, prefix, "BYTES_WRITTEN");
	summary->meta_s = value(record, prefix, "F_META_TIME");
	if (!replay->is_mpiio) {
		summary->opens = count(record, prefix, "OPENS");
		summary->reads = count(record, prefix, "READS");
		summary->writes = count(record, prefix, "WRITES");
		return true;
	}
	for (int i = 0; i < 4; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s_READS", kinds[i]);
		summary->reads += count(record, prefix, name);
		snprintf(name, sizeof(name), "%s_WRITES", kinds[i]);
		summary->writes += count(record, prefix, name);
		snprintf(name, sizeof(name), "%s_OPENS", kinds[i]);
		summary->opens += count(record, prefix, name);
	}
	return true;
}

/* ---- operations from counters ---- */

/* Those of a record: ranks first … first + nranks - 1 take turns. */
struct turn {
	struct darshan_replay *replay;
	const struct darshan_record *record;
	int32_t first, file;
	int64_t nranks;
};

static void add_op(struct turn *turn, enum io_op_kind kind, int64_t who, int64_t start, int64_t end,
		   int64_t bytes, int64_t offset)
{
	struct io_op op = {.kind = kind,
			   .rank = turn->first + (int32_t)(who % turn->nranks),
			   .file = turn->file,
			   .job = -1,
			   .target = -1,
			   .comm = -1,
			   .start_ns = start,
			   .end_ns = end,
			   .bytes = bytes,
			   .offset = offset,
			   .has_end = true};

	vec_push(&turn->replay->made, op);
	vec_push(&turn->replay->made_of, turn->record->id);
}

/* Reads or writes: round after round, each rank one of them, rounds evenly spread. */
static void add_data(struct turn *turn, const char *prefix, bool is_write, int64_t nops,
		     int64_t bytes)
{
	const char *word = is_write ? "WRITE" : "READ";
	char start_name[32], end_name[32], time_name[32];
	struct size_runs runs = {0};
	int64_t n, nrounds, per_op, start, end, offset = 0;
	double spacing;

	darshan_sizes(&runs, turn->record, prefix, word, nops, bytes);
	n = runs.n < turn->replay->per_record ? runs.n : turn->replay->per_record;
	snprintf(start_name, sizeof(start_name), "F_%s_START_TIMESTAMP", word);
	snprintf(end_name, sizeof(end_name), "F_%s_END_TIMESTAMP", word);
	snprintf(time_name, sizeof(time_name), "F_%s_TIME", word);
	start = to_ns(value(turn->record, prefix, start_name));
	end = to_ns(value(turn->record, prefix, end_name));
	if (end < start)
		end = start;
	per_op = n > 0 ? to_ns(value(turn->record, prefix, time_name) / (double)n) : 0;
	nrounds = (n + turn->nranks - 1) / turn->nranks;
	/* as many as there are must fit: an operation takes no longer than its part */
	if (nrounds > 0 && per_op > (end - start) / nrounds)
		per_op = (end - start) / nrounds;
	spacing = nrounds > 1 ? (double)(end - start - per_op) / (double)(nrounds - 1) : 0;
	for (int64_t i = 0; i < n; i++) {
		int64_t next = size_runs_sum(&runs, (int64_t)((__int128)runs.n * (i + 1) / n));
		int64_t at = start + (int64_t)(spacing * (double)(i / turn->nranks));

		add_op(turn, is_write ? IO_WRITE : IO_READ, i, at, at + per_op, next - offset,
		       offset);
		offset = next;
	}
	vec_free(&runs.at);
}

/* Half of the time for metadata before, half after; a file is not closed before its last byte. */
static void add_open_and_close(struct turn *turn, const struct summary *summary)
{
	int64_t half = to_ns(summary->meta_s / 2 / (double)turn->nranks);
	int64_t open = to_ns(value(turn->record, summary->prefix, "F_OPEN_START_TIMESTAMP"));
	int64_t close = to_ns(value(turn->record, summary->prefix, "F_CLOSE_END_TIMESTAMP"));
	int64_t read = to_ns(value(turn->record, summary->prefix, "F_READ_END_TIMESTAMP"));
	int64_t written = to_ns(value(turn->record, summary->prefix, "F_WRITE_END_TIMESTAMP"));
	int64_t last = read > written ? read : written, begin = close - half;

	if (begin < last)
		begin = last < close ? last : close;
	for (int64_t i = 0; i < turn->nranks; i++) {
		add_op(turn, IO_OPEN, i, open, open + half, 0, -1);
		if (close > 0)
			add_op(turn, IO_CLOSE, i, begin > 0 ? begin : 0, close, 0, -1);
	}
}

static int check_number(const struct darshan_replay *replay, double more, struct err *err)
{
	double n = (double)replay->made.n + (double)replay->trace.ops.n + more;

	if (n <= OPS_MOST)
		return 0;
	return err_set(err,
		       "more than %d operations: most=N joins those of a record until there are N",
		       OPS_MOST);
}

int darshan_replay_record(struct darshan_replay *replay, const struct darshan_record *record,
			  struct err *err)
{
	struct summary summary;
	struct turn turn = {.replay = replay, .record = record, .nranks = 1};
	double most;

	if (!summarise(replay, record, &summary))
		return 0;
	if (replay->skips_mixed && summary.bytes_read > 0 && summary.bytes_written > 0) {
		replay->nmixed++;
		return 0;
	}
	turn.first = record->rank < 0 ? 0 : (int32_t)record->rank;
	if (record->rank < 0)
		turn.nranks = replay->nprocs;
	most = 2 * (double)turn.nranks + 2 * (double)replay->per_record;
	if (check_number(replay, most, err) != 0)
		return -1;
	turn.file = io_trace_text(&replay->trace, record->file);
	if (summary.opens > 0)
		add_open_and_close(&turn, &summary);
	add_data(&turn, summary.prefix, false, summary.reads, summary.bytes_read);
	add_data(&turn, summary.prefix, true, summary.writes, summary.bytes_written);
	return 0;
}

/* ---- operations as they were ---- */

int darshan_replay_segment(struct darshan_replay *replay, const struct darshan_segment *segment,
			   struct err *err)
{
	struct io_op op = {.kind = segment->is_write ? IO_WRITE : IO_READ,
			   .rank = (int32_t)segment->rank,
			   .job = -1,
			   .target = -1,
			   .comm = -1,
			   .start_ns = to_ns(segment->start_s),
			   .end_ns = to_ns(segment->end_s),
			   .bytes = segment->length > 0 ? segment->length : 0,
			   .offset = segment->offset >= 0 ? segment->offset : -1,
			   .has_end = true};

	if (replay->skips_dxt || str_eq(segment->module, "DXT_MPIIO") != replay->is_mpiio)
		return 0;
	if (segment->rank < 0 || segment->rank >= replay->nprocs)
		return err_set(err, "an operation of rank %lld of %lld", (long long)segment->rank,
			       (long long)replay->nprocs);
	if (check_number(replay, 1, err) != 0)
		return -1;
	if (op.end_ns < op.start_ns)
		op.end_ns = op.start_ns;
	op.file = io_trace_text(&replay->trace, segment->file);
	umap_set(&replay->traced, segment->id, 1);
	vec_push(&replay->trace.ops, op);
	return 0;
}

/* ---- both together ---- */

/* From the end of a rank's operation to the start of its next one; operations that overlap follow
 * at once. */
static void make_think_times(struct io_trace *trace)
{
	int64_t end = 0;
	int32_t rank = -1;

	for (size_t i = 0; i < trace->ops.n; i++) {
		struct io_op *op = &trace->ops.at[i];
		int64_t start = op->start_ns;

		if (op->rank != rank)
			end = 0;
		rank = op->rank;
		op->start_ns = start > end ? start - end : 0;
		if (op->end_ns > end)
			end = op->end_ns;
		op->has_end = false;
	}
	trace->is_think = true;
}

void darshan_replay_finish(struct darshan_replay *replay)
{
	for (size_t i = 0; i < replay->made.n; i++) {
		const struct io_op *op = &replay->made.at[i];
		bool is_data = op->kind == IO_READ || op->kind == IO_WRITE;
		int64_t seen;

		if (is_data && umap_get(&replay->traced, replay->made_of.at[i], &seen))
			continue;
		vec_push(&replay->trace.ops, *op);
	}
	replay->trace.comms.nranks = (int)replay->nprocs;
	io_trace_sort(&replay->trace);
	if (replay->is_think)
		make_think_times(&replay->trace);
}

void darshan_replay_free(struct darshan_replay *replay)
{
	io_trace_free(&replay->trace);
	vec_free(&replay->made);
	vec_free(&replay->made_of);
	umap_free(&replay->traced);
}
