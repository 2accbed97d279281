/* io_phase.c - length of a job's phases of I/O, added up */
#include "measure/metric/io_phases.h"

static const struct metric_output outputs[] = {
	{"io-phase", "s",
	 "from the begin of the first rank's phase to the end of the last rank's, sum of the phases; of several jobs it is called io-phase-JOB"},
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
			   io_phases_seconds(job), job->name);
	}
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
	.open = open,
	.row = io_phases_row,
	.end = end,
	.close = io_phases_free,
};
