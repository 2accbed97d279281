/* io_bandwidth.c - bytes of a job's I/O by the length of its phases */
#include <math.h>

#include "measure/metric/io_phases.h"

static const struct metric_output outputs[] = {
	{"io-bandwidth", "B/s",
	 "bytes read and written divided by the length of the phases; of several jobs it is called io-bandwidth-JOB"},
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

		double seconds = io_phases_seconds(job);

		metric_put(sink, io_phases_name(phases, job, outputs[0].name), "B/s",
			   seconds > 0 ? job->bytes / seconds : NAN, job->name);
	}
	return 0;
}

static const struct param params[] = {IO_PHASES_GAP, {0}};

const struct metric metric_io_bandwidth = {
	.entry = {.name = "io-bandwidth",
		  .example = "io-bandwidth",
		  .summary = "bytes of a job's I/O by the length of its phases",
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
