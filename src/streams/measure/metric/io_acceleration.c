/* io_acceleration.c - how much faster I/O is with burst buffers than without (Amdahl) */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/metric.h"

static const struct metric_output outputs[] = {
	{"io-acceleration", "1",
	 "time of all I/O on the file system alone by that with burst buffers"},
	{0}};

static int io_acceleration_open(void **state, const struct pick *pick,
				const struct metric_context *context, struct err *err)
{
	double *value = xcalloc(1, sizeof(*value));
	double share = pick_real(pick, "share"), faster;

	(void)context, (void)err;
	faster = pick_real(pick, "before") / pick_real(pick, "after");
	*value = 1 / (1 - share + share / faster);
	*state = value;
	return 0;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const double *value = state;

	(void)err;
	metric_put(sink, outputs[0].name, "1", *value, NULL);
	return 0;
}

static const struct param params[] = {
	{.key = "before",
	 .type = PARAM_REAL,
	 .min = 1e-300,
	 .max = 1e300,
	 .def = "5",
	 .meaning = "time of a checkpoint to the file system, in any unit"},
	{.key = "after",
	 .type = PARAM_REAL,
	 .min = 1e-300,
	 .max = 1e300,
	 .def = "2",
	 .meaning = "the same to the burst buffers"},
	{.key = "share",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1,
	 .def = "1",
	 .meaning = "part of the I/O that burst buffers take"},
	{0}};

const struct metric metric_io_acceleration = {
	.entry = {.name = "io-acceleration",
		  .example = "io-acceleration:share=.7",
		  .summary = "how much faster I/O is with burst buffers than without",
		  .paper = "Khetawat 2022, §2.7.2",
		  .params = params},
	.per_run = true,
	.only_when_asked = true,
	.outputs = outputs,
	.open = io_acceleration_open,
	.end = end,
	.close = free,
};
