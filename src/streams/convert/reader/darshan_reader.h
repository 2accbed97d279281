/* darshan_reader.h - what the parts of the readers of Darshan logs share */
#ifndef CONVERT_READER_DARSHAN_READER_H
#define CONVERT_READER_DARSHAN_READER_H

#include "convert/reader/reader.h"
#include "base/umap.h"
#include "traces/darshan/darshan.h"
#include "model/iotrace.h"
#include "model/profile.h"

/* ---- to iotrace ---- */

/*
 * Operations taken from extended traces (DXT), or made up from counters where there are none, after
 * CODES' replay of Darshan logs: open, then reads and writes of the sizes that the histograms and
 * the most common sizes give, evenly spread over the time between the first and the last, then
 * close. Shared records are dealt to the ranks in turn.
 */
struct darshan_replay {
	bool is_mpiio;      /* the operations of MPI-IO, not those of POSIX and STDIO */
	bool skips_mixed;   /* files both read and written are left out, as CODES leaves them */
	bool skips_dxt;     /* counters only */
	bool is_think;      /* think times instead of starts */
	int64_t per_record; /* maximum number of reads, and of writes, per record; more are joined
			     */
	int64_t nprocs;
	struct io_trace trace;
	VEC(struct io_op) made; /* from counters */
	VEC(uint64_t) made_of;  /* [made.n] record ids */
	struct umap traced;     /* record ids of which there are segments */
	int64_t nmixed;         /* files left out */
};

/* Each returns 0, or -1: too many operations. */
int darshan_replay_record(struct darshan_replay *replay, const struct darshan_record *record,
			  struct err *err);
int darshan_replay_segment(struct darshan_replay *replay, const struct darshan_segment *segment,
			   struct err *err);
/* All records have come: joins and sorts the operations in replay->trace. */
void darshan_replay_finish(struct darshan_replay *replay);
void darshan_replay_free(struct darshan_replay *replay);

/* Sizes of n operations as runs of equal ones; they add up to bytes. */
struct size_run {
	int64_t size, count;
};
struct size_runs {
	VEC(struct size_run) at;
	int64_t n;
};
/* prefix and word as in POSIX_SIZE_READ_: "POSIX", "READ"; count: operations, where the histogram
 * does not say. Empty when there was none. */
void darshan_sizes(struct size_runs *runs, const struct darshan_record *record, const char *prefix,
		   const char *word, int64_t count, int64_t bytes);
/* Bytes of the first k operations. */
int64_t size_runs_sum(const struct size_runs *runs, int64_t k);

/* ---- to metrics ---- */

struct darshan_metric_columns {
	int scope, id, metric, value, unit, rank, record, file, mount, fs, note;
};
void darshan_metric_columns(struct darshan_metric_columns *columns, struct flow *flow);
/* Every counter of a record as a row. */
int darshan_emit_record(const struct darshan_record *record,
			const struct darshan_metric_columns *columns, struct flow *flow,
			struct err *err);

/* Sums over all records of a module, as darshan-parser --total --file --perf gives them. */
struct darshan_totals;
void darshan_totals_add(struct darshan_totals **totals, const struct darshan_record *record);
int darshan_totals_emit(struct darshan_totals *totals, const struct darshan_job *job,
			const struct darshan_metric_columns *columns, struct flow *flow,
			struct err *err);
void darshan_totals_free(struct darshan_totals *totals);

#endif
