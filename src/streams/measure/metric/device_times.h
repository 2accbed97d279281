/* device_times.h - what metrics of a timeline share: the time of each device by its state */
#ifndef MEASURE_METRIC_DEVICE_TIMES_H
#define MEASURE_METRIC_DEVICE_TIMES_H

#include "base/mem.h"
#include "base/names.h"
#include "measure/metric/metric.h"

struct device_time {
	char *name;        /* of a value: the metric's and the device's */
	int64_t work_ns;   /* open, copy, run, drain */
	int64_t slices_ns; /* run, drain */
	int64_t held_ns;   /* init, held, reserved */
};

struct device_times {
	const char *prefix;
	int device, node, start, end, state;
	int64_t first_ns, last_ns; /* of the run */
	VEC(struct device_time) devices;
	struct map by_name;
};

/* prefix: "device-idle-" */
struct device_times *device_times_new(const char *prefix, const struct metric_context *context);
void device_times_free(void *times);
int device_times_row(struct device_times *times, const struct row *row, struct err *err);

#endif
