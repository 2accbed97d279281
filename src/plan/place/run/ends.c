/* ends.c - the jobs that run, the one that ends first before the others */
#include "place/run/ends.h"

#include <stdbool.h>

static bool is_before(const struct job_end *a, const struct job_end *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->job < b->job;
}

void ends_add(struct ends *ends, int64_t time_ns, int job)
{
	struct job_end end = {time_ns, job};
	size_t i = ends->heap.n;

	vec_push(&ends->heap, end);
	while (i > 0 && is_before(&end, &ends->heap.at[(i - 1) / 2])) {
		ends->heap.at[i] = ends->heap.at[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	ends->heap.at[i] = end;
}

int ends_next(struct ends *ends, int64_t until_ns)
{
	struct job_end *heap = ends->heap.at, last;
	size_t n, i = 0;
	int job;

	if (ends->heap.n == 0 || heap[0].time_ns > until_ns)
		return -1;
	job = heap[0].job;
	n = --ends->heap.n;
	last = heap[n];
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &last))
			break;
		heap[i] = heap[child];
	}
	heap[i] = last;
	return job;
}

int64_t ends_first(const struct ends *ends)
{
	return ends->heap.n > 0 ? ends->heap.at[0].time_ns : INT64_MAX;
}
