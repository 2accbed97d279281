/* device_share.c - what each device has of the time in slices */
#include <math.h>

#include "measure/metric/device_times.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"device-share-DEVICE", "1",
	 "time of a device in slices (run, drain) over that of all devices"},
	{0}};

static int device_share_open(void **state, const struct pick *pick,
			     const struct metric_context *context, struct err *err)
{
	(void)pick, (void)err;
	*state = device_times_new("device-share-", context);
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
	double total = 0;

	(void)err;
	for (size_t i = 0; i < times->devices.n; i++)
		total += (double)times->devices.at[i].slices_ns;
	for (size_t i = 0; i < times->devices.n; i++)
		metric_put(sink, times->devices.at[i].name, "1",
			   total > 0 ? (double)times->devices.at[i].slices_ns / total : NAN, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_timeline, NULL};

const struct metric metric_device_share = {
	.entry = {.name = "device-share",
		  .example = "device-share",
		  .summary = "share of each device in the time of slices"},
	.kinds = kinds,
	.per_run = true,
	.outputs = outputs,
	.open = device_share_open,
	.row = row,
	.end = end,
	.close = device_times_free,
};
