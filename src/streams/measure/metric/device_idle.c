/* device_idle.c - time in which a device works for no job */
#include <math.h>

#include "measure/metric/device_times.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {{"device-idle-DEVICE", "s",
						"time of a device without open, copy, run or "
						"drain, from the first to the last row of the run"},
					       {0}};

static int device_idle_open(void **state, const struct pick *pick,
			    const struct metric_context *context, struct err *err)
{
	(void)pick, (void)err;
	*state = device_times_new("device-idle-", context);
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	(void)sink;
	return device_times_row(state, item->row, err);
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct device_times *times = state;

	(void)err;
	for (size_t i = 0; i < times->devices.n; i++)
		metric_put(
			sink, times->devices.at[i].name, "s",
			(double)(times->last_ns - times->first_ns - times->devices.at[i].work_ns) /
				1e9,
			NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_timeline, NULL};

const struct metric metric_device_idle = {
	.entry = {.name = "device-idle",
		  .example = "device-idle",
		  .summary = "time in which a device works for no job"},
	.kinds = kinds,
	.per_run = true,
	.outputs = outputs,
	.open = device_idle_open,
	.row = row,
	.end = end,
	.close = device_times_free,
};
