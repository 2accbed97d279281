/* io_phase.c - length of a job's phases of I/O, added up */
#include "measure/metric/io_phases.h"

static const struct metric_output outputs[] = {
	{"io-phase", "s",
	 "from the begin of the first rank's phase to the end of the last rank's, sum of the phases; of several jobs it is called io-phase-JOB"},
	{0}};

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	(void)err;
	io_phases_put(state, sink, &outputs[0], io_phases_seconds);
	return 0;
}

static const struct param params[] = {IO_PHASES_GAP, {0}};

const struct metric metric_io_phase = {
	.entry = {.name = "io-phase",
		  .example = "io-phase",
		  .summary = "length of a job's phases of I/O, added up",
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
