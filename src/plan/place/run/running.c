/* running.c - the jobs that run, by the time their end is planned for */
#include "place/run/running.h"

#include <stdbool.h>
#include <string.h>

/* The first place whose job is not before (end, job). */
static size_t place_of(const struct running *running, int64_t end_ns, int job)
{
	size_t low = 0, high = running->of.n;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct running_job *at = &running->of.at[middle];
		bool is_before = at->end_ns != end_ns ? at->end_ns < end_ns : at->job < job;

		if (is_before)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void running_add(struct running *running, int64_t end_ns, int job, int nnodes)
{
	size_t place = place_of(running, end_ns, job);

	vec_reserve(&running->of, running->of.n + 1);
	memmove(&running->of.at[place + 1], &running->of.at[place],
		(running->of.n - place) * sizeof(*running->of.at));
	running->of.at[place] = (struct running_job){end_ns, job, nnodes};
	running->of.n++;
}

void running_remove(struct running *running, int64_t end_ns, int job)
{
	size_t place = place_of(running, end_ns, job);

	running->of.n--;
	memmove(&running->of.at[place], &running->of.at[place + 1],
		(running->of.n - place) * sizeof(*running->of.at));
}
