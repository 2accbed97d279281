/* device_times.c - what metrics of a timeline share: the time of each device by its state */
#include "measure/metric/device_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

struct device_times *device_times_new(const char *prefix, const struct metric_context *context)
{
	struct device_times *times = xcalloc(1, sizeof(*times));

	times->prefix = prefix;
	times->device = table_find(context->in, "device");
	times->node = table_find(context->in, "node");
	times->start = table_find(context->in, "start_s");
	times->end = table_find(context->in, "end_s");
	times->state = table_find(context->in, "state");
	times->first_ns = INT64_MAX;
	times->last_ns = INT64_MIN;
	return times;
}

void device_times_free(void *state)
{
	struct device_times *times = state;

	for (size_t i = 0; i < times->devices.n; i++)
		free(times->devices.at[i].name);
	vec_free(&times->devices);
	map_free(&times->by_name);
	free(times);
}

static struct device_time *find(struct device_times *times, const char *node, const char *device)
{
	char *name = xasprintf("%s%s%s%s", times->prefix, node != NULL ? node : "",
			       node != NULL ? "-" : "", device);
	int64_t i = map_add(&times->by_name, name, strlen(name), (int64_t)times->devices.n);

	if ((size_t)i == times->devices.n)
		vec_push(&times->devices, (struct device_time){.name = name});
	else
		free(name);
	return &times->devices.at[i];
}

int device_times_row(struct device_times *times, const struct row *row, struct err *err)
{
	const char *device = row_text(row, times->device), *state = row_text(row, times->state);
	struct device_time *time;
	int64_t start_ns, end_ns;

	if (row_seconds(row, times->start, "start_s", &start_ns, err) <= 0 ||
	    row_seconds(row, times->end, "end_s", &end_ns, err) <= 0 || device == NULL ||
	    state == NULL || end_ns < start_ns)
		return row_error(row, err,
				 "expected device, state, and an end_s that is not before start_s");
	time = find(times, row_text(row, times->node), device);
	if (str_eq(state, "run") || str_eq(state, "drain"))
		time->slices_ns += end_ns - start_ns;
	if (str_eq(state, "init") || str_eq(state, "held") || str_eq(state, "reserved"))
		time->held_ns += end_ns - start_ns;
	else
		time->work_ns += end_ns - start_ns;
	times->first_ns = start_ns < times->first_ns ? start_ns : times->first_ns;
	times->last_ns = end_ns > times->last_ns ? end_ns : times->last_ns;
	return 0;
}
