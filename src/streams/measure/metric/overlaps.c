/* overlaps.c - the placed jobs of one run, for metrics of those that run at one time */
#include "measure/metric/overlaps.h"

#include <stdlib.h>
#include <string.h>

int overlaps_open(struct overlaps *overlaps, const struct metric_context *context, struct err *err)
{
	overlaps->job_column = table_find(context->in, "job");
	overlaps->start_column = table_find(context->in, "start_s");
	overlaps->end_column = table_find(context->in, "end_s");
	return regions_open(&overlaps->regions, context, err);
}

void overlaps_close(struct overlaps *overlaps)
{
	regions_close(&overlaps->regions);
	free(overlaps->jobs.at);
	arena_free(&overlaps->arena);
}

static void *keep(struct overlaps *overlaps, const void *from, size_t n)
{
	return n > 0 ? memcpy(arena_alloc(&overlaps->arena, n), from, n) : NULL;
}

int overlaps_add(struct overlaps *overlaps, const struct metric_item *item, struct err *err)
{
	struct overlap_job job = {.start_ns = INT64_MIN, .end_ns = INT64_MAX};
	const char *name = row_text(item->row, overlaps->job_column);

	if (regions_of(&overlaps->regions, item, &job.region, err) != 0 ||
	    row_seconds(item->row, overlaps->start_column, "start_s", &job.start_ns, err) < 0 ||
	    row_seconds(item->row, overlaps->end_column, "end_s", &job.end_ns, err) < 0)
		return -1;
	if (job.region.n == 0)
		return 0;
	job.name = arena_strndup(&overlaps->arena, name != NULL ? name : ".",
				 name != NULL ? strlen(name) : 1);
	job.region.nodes =
		keep(overlaps, job.region.nodes, (size_t)job.region.n * sizeof(*job.region.nodes));
	job.region.io =
		keep(overlaps, job.region.io, (size_t)job.region.nio * sizeof(*job.region.io));
	vec_push(&overlaps->jobs, job);
	return 0;
}
