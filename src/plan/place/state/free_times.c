/* free_times.c - when each node is free, as far as is planned */
#include "place/state/free_times.h"

#include <stdlib.h>

void free_times_start(struct free_times *times, const struct machine *machine)
{
	if (times->nnodes != machine->nnodes) {
		free_times_free(times);
		times->nnodes = machine->nnodes;
		times->at = xmalloc((size_t)machine->nnodes * sizeof(*times->at));
		times->order = xmalloc((size_t)machine->nnodes * sizeof(*times->order));
	}
	times->n = 0;
	for (int node = 0; node < machine->nnodes; node++) {
		times->at[node] = INT64_MAX;
		if (machine_is_idle(machine, node))
			free_times_add(times, node, INT64_MIN);
	}
}

void free_times_free(struct free_times *times)
{
	free(times->at);
	free(times->order);
	*times = (struct free_times){0};
}

int free_times_until(const struct free_times *times, int64_t time_ns)
{
	int low = 0, high = times->n;

	while (low < high) {
		int middle = (low + high) / 2;

		if (times->at[times->order[middle]] <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
