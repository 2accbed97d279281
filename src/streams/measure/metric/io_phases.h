/* io_phases.h - what metrics of I/O operations share: phases, bytes and times of each job */
#ifndef MEASURE_METRIC_IO_PHASES_H
#define MEASURE_METRIC_IO_PHASES_H

#include "base/mem.h"
#include "base/names.h"
#include "base/umap.h"
#include "measure/metric/metric.h"

struct io_span {
	int64_t start_ns, end_ns;
};

struct io_rank {
	int64_t end_ns, nphases; /* so far */
};

/* A phase of a rank ends when it does no I/O for gap_ns. The k-th phase of a job lasts from the
 * begin of its first rank's k-th phase to the end of its last rank's. */
struct io_job {
	const char *name; /* NULL: the stream has no column job */
	VEC(struct io_span) phases;
	double bytes, time_ns; /* of all operations */
	int64_t nranks;        /* that do I/O */
};

struct io_phases {
	int64_t gap_ns;
	int rank, op, start, end, bytes, job;
	VEC(struct io_job) jobs;
	struct map by_name;
	struct umap ranks; /* job and rank: its place in spans */
	VEC(struct io_rank) spans;
	struct arena arena;
};

/* For metrics whose state it is; they have the parameter IO_PHASES_GAP. */
int io_phases_open(void **state, const struct pick *pick, const struct metric_context *context,
		   struct err *err);
void io_phases_free(void *phases);
int io_phases_row(void *state, const struct metric_item *item, struct metric_sink *sink,
		  struct err *err);
double io_phases_seconds(const struct io_job *job);
/* A value of each job; of several jobs each has a separate name, "io-phase-JOB". */
void io_phases_put(void *state, struct metric_sink *sink, const struct metric_output *output,
		   double (*value)(const struct io_job *job));

#define IO_PHASES_GAP                                                                              \
	{                                                                                          \
		.key = "gap", .type = PARAM_DURATION, .def = "5s", .unit = "s",                    \
		.meaning = "a rank's phase ends when it does no I/O for so long"                   \
	}
extern const struct table_kind *const io_phases_kinds[];

#endif
