/* region.c - regions of adjacent routers that are congested alike */
#include "traffic/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void regions_init(struct regions *regions, struct topo *topo, const double *thresholds)
{
	size_t n = (size_t)topo->nrouters;

	*regions = (struct regions){.topo = topo};
	memcpy(regions->thresholds, thresholds, sizeof(regions->thresholds));
	regions->region_of = xcalloc(n, sizeof(int));
	regions->class_of = xcalloc(n, sizeof(int));
}

void regions_free(struct regions *regions)
{
	vec_free(&regions->all);
	vec_free(&regions->queue);
	free(regions->region_of);
	free(regions->class_of);
}

static void classify(struct regions *regions, const struct window_result *window)
{
	for (int router = 0; router < regions->topo->nrouters; router++)
		regions->class_of[router] = regions->region_of[router] = -1;
	for (int i = 0; i < window->n; i++) {
		const struct traffic_result *result = &window->results[i];
		int level = 0;

		if (isnan(result->stalled) || result->index < 0)
			continue;
		while (level < REGION_CLASSES - 1 && result->stalled > regions->thresholds[level])
			level++;
		regions->class_of[result->index] = level;
	}
}

/* Takes in all routers of its class that can be reached from the seed over such routers. */
static void grow(struct regions *regions, int seed, int number)
{
	const struct topo_graph *graph = topo_graph(regions->topo);
	int nnodes = regions->topo->nnodes;

	regions->queue.n = 0;
	vec_push(&regions->queue, seed);
	regions->region_of[seed] = number;
	for (size_t at = 0; at < regions->queue.n; at++) {
		int64_t vertex = nnodes + regions->queue.at[at];

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			int peer = graph->peer[i] - nnodes;

			if (peer < 0 || regions->region_of[peer] >= 0 ||
			    regions->class_of[peer] != regions->class_of[seed])
				continue;
			regions->region_of[peer] = number;
			vec_push(&regions->queue, peer);
		}
	}
}

static void add(double *sum, double value)
{
	if (!isnan(value))
		*sum = isnan(*sum) ? value : *sum + value;
}

void regions_grow(struct regions *regions, const struct window_result *window)
{
	classify(regions, window);
	regions->all.n = 0;
	for (int router = 0; router < regions->topo->nrouters; router++) {
		int number = (int)regions->all.n;

		if (regions->class_of[router] < 0 || regions->region_of[router] >= 0)
			continue;
		grow(regions, router, number);
		vec_push(&regions->all, (struct region){.number = number,
							.level = regions->class_of[router],
							.traffic = NAN,
							.stall = NAN});
	}
	for (int i = 0; i < window->n; i++) {
		const struct traffic_result *result = &window->results[i];
		int number = result->index >= 0 ? regions->region_of[result->index] : -1;
		struct region *region;

		if (number < 0)
			continue;
		region = &regions->all.at[number];
		region->nrouters++;
		add(&region->traffic, result->traffic);
		add(&region->stall, result->stall);
		region->stalled += result->stalled;
		region->samples += result->samples;
		region->resets += result->resets;
		region->incomplete |= result->incomplete;
	}
	for (size_t i = 0; i < regions->all.n; i++)
		regions->all.at[i].stalled /= regions->all.at[i].nrouters;
}
