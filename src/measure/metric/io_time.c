/* io_time.c - time of a job's ranks in I/O operations */
#include "measure/metric/io_phases.h"

static const struct metric_output outputs[] = {
	{"io-time", "s",
	 "mean over the ranks that do I/O; of several jobs it is called io-time-JOB"},
	{0}};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	(void)err;
	*state = io_phases_new(pick_real(pick, "gap"), context);
	return 0;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	struct io_phases *phases = state;

	(void)err;
	for (size_t i = 0; i < phases->jobs.n; i++) {
		const struct io_job *job = &phases->jobs.at[i];

		metric_put(sink, io_phases_name(phases, job, outputs[0].name), "s",
			   job->time_ns / 1e9 / (double)job->nranks, job->name);
	}
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
	.open = open,
	.row = io_phases_row,
	.end = end,
	.close = io_phases_free,
};
