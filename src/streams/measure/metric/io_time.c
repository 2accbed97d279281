/* io_time.c - time of a job's ranks in I/O operations */
#include "measure/metric/io_phases.h"

static const struct metric_output outputs[] = {
	{"io-time", "s",
	 "mean over the ranks that do I/O; of several jobs it is called io-time-JOB"},
	{0}};

static double time_per_rank(const struct io_job *job)
{
	return job->time_ns / 1e9 / (double)job->nranks;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	(void)err;
	io_phases_put(state, sink, &outputs[0], time_per_rank);
	return 0;
}

static const struct param params[] = {IO_PHASES_GAP, {0}};

const struct metric metric_io_time = {
	.entry = {.name = "io-time",
		  .example = "io-time",
		  .summary = "time of a job's ranks in I/O operations",
		  .paper = "Khetawat 2022, §2.7",
		  .params = params},
	.kinds = io_phases_kinds,
	.per_run = true,
	.outputs = outputs,
	.open = io_phases_open,
	.row = io_phases_row,
	.end = end,
	.close = io_phases_free,
};
