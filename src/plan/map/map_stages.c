/* map_stages.c - what each stage of a mapping took and reached */
#include "map/map_stages.h"

#include <time.h>

#include "map/problem/copied_load.h"

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void map_stage_begin(struct map_running *run)
{
	run->cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID);
	run->wall_s = seconds(CLOCK_MONOTONIC);
}

void map_stage_end(struct map_running *run, const char *name, const int *node_of,
		   const struct map_refine_result *result)
{
	struct map_stage *stage;

	if (run->stages == NULL)
		return;
	stage = &run->stages->at[run->stages->n++];
	*stage = (struct map_stage){.name = name,
				    .cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - run->cpu_s,
				    .wall_s = seconds(CLOCK_MONOTONIC) - run->wall_s,
				    .is_measured = node_of != NULL};
	if (result != NULL) {
		stage->nrounds = result->nrounds;
		stage->nmoves = result->nmoves;
	}
	stage->route_bytes = (int64_t)routes_bytes(run->in->routes);
	if (node_of != NULL) {
		stage->terms = map_measure(run->in, node_of);
		stage->copied = map_copied_load(run->in, node_of);
	}
	map_stage_begin(run);
}
