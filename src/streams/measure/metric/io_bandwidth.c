/* io_bandwidth.c - bytes of a job's I/O by the length of its phases */
#include <math.h>

#include "measure/metric/io_phases.h"

static const struct metric_output outputs[] = {
	{"io-bandwidth", "B/s",
	 "bytes read and written divided by the length of the phases; of several jobs it is called io-bandwidth-JOB"},
	{0}};

static double bytes_per_second(const struct io_job *job)
{
	double seconds = io_phases_seconds(job);

	return seconds > 0 ? job->bytes / seconds : NAN;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	(void)err;
	io_phases_put(state, sink, &outputs[0], bytes_per_second);
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
	.open = io_phases_open,
	.row = io_phases_row,
	.end = end,
	.close = io_phases_free,
};
