/* datelines.c - virtual channels on rings: another one behind the link that closes the ring */
#include "machine/vc/datelines.h"

#include <stdlib.h>

#include "base/mem.h"

bool datelines_needed(const struct topo *topo)
{
	const int *sizes;
	bool is_ring = false;
	int ndims = topo->type->dims != NULL ? topo->type->dims(topo, &sizes, &is_ring) : 0;

	for (int d = 0; d < ndims && is_ring; d++) /* shorter ways have no two links */
		if (sizes[d] > 3)
			return true;
	return false;
}

uint8_t *datelines_mark(const struct topo *topo)
{
	const struct topo_graph *graph = topo->graph;
	uint8_t *marks = xcalloc((size_t)graph->nlinks * 2 + 1, 1);
	const int *sizes;
	bool is_ring;
	int ndims = topo->type->dims(topo, &sizes, &is_ring);

	for (int64_t i = 0; i < graph->nlinks; i++) {
		int a = graph->links[i].a - topo->nnodes, b = graph->links[i].b - topo->nnodes;
		int stride = 1;

		for (int d = 0; a >= 0 && b >= 0 && d < ndims; stride *= sizes[d++]) {
			int at_a = a / stride % sizes[d], at_b = b / stride % sizes[d];
			bool wraps = sizes[d] > 2 && abs(at_a - at_b) > 1;

			if (at_a != at_b)
				marks[2 * i] = marks[2 * i + 1] =
					(uint8_t)((1 + d) | (wraps ? WRAPS : 0));
		}
	}
	return marks;
}
