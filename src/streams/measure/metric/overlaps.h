/* overlaps.h - the placed jobs of one run, for metrics of those that run at one time */
#ifndef MEASURE_METRIC_OVERLAPS_H
#define MEASURE_METRIC_OVERLAPS_H

#include "measure/metric/regions.h"

struct overlap_job {
	struct region region; /* in the arena */
	const char *name;
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
};

struct overlaps {
	struct regions regions;
	int job_column, start_column, end_column;
	VEC(struct overlap_job) jobs;
	struct arena arena;
};

int overlaps_open(struct overlaps *overlaps, const struct metric_context *context, struct err *err);
void overlaps_close(struct overlaps *overlaps);
int overlaps_add(struct overlaps *overlaps, const struct metric_item *item, struct err *err);

static inline bool overlaps_do(const struct overlap_job *a, const struct overlap_job *b)
{
	return a->start_ns < b->end_ns && b->start_ns < a->end_ns;
}

#endif
