/* window.h - the time from since to until that a metric's values are of */
#ifndef MEASURE_METRIC_WINDOW_H
#define MEASURE_METRIC_WINDOW_H

#include "base/registry.h"
#include "measure/metric/job_times.h"

struct metric_window {
	bool is_given; /* else the metric looks at all times */
	int64_t since_ns, until_ns;
};

#define METRIC_WINDOW_PARAMS                                                                       \
	{.key = "since",                                                                           \
	 .type = PARAM_TEXT,                                                                       \
	 .optional = true,                                                                         \
	 .meaning = "with until, clip jobs to this time: seconds since the epoch, or ISO 8601"},   \
	{                                                                                          \
		.key = "until", .type = PARAM_TEXT, .optional = true,                              \
		.meaning = "end of that time; jobs that still run are busy until then",            \
	}

/* Refused: one of the two without the other, or until before since. */
int metric_window_read(struct metric_window *window, const struct pick *pick, struct err *err);

/* When the job had its nodes within the window, which must be given; false: never. */
bool metric_window_clip(const struct metric_window *window, const struct job_times *times,
			int64_t *from_ns, int64_t *to_ns);

/* Whether the job started within the window. */
bool metric_window_starts(const struct metric_window *window, const struct job_times *times);

#endif
