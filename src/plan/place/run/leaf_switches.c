/* leaf_switches.c - jobs that want few leaf switches, and wait some time for them */
#include "place/run/leaf_switches.h"

#include <stdlib.h>
#include <string.h>

#include "place/run/run.h"

static int64_t arrival_of(const struct schedule *schedule, const struct job *job)
{
	if (schedule->come_ns != NULL)
		return schedule->come_ns[(schedule->group != NULL ? schedule->group : job) -
					 schedule->jobs];
	return job->eligible_ns > job->submit_ns ? job->eligible_ns : job->submit_ns;
}

int64_t leaf_switches_until(const struct schedule *schedule, const struct job *job)
{
	int64_t come_ns;

	if (job->switch_wait_ns == JOB_NO_TIME)
		return INT64_MAX;
	come_ns = arrival_of(schedule, job);
	if (come_ns == JOB_NO_TIME)
		return job->switch_wait_ns == 0 ? INT64_MIN : INT64_MAX;
	return time_after(come_ns, job->switch_wait_ns);
}

int leaf_switches_at(const struct schedule *schedule, const struct job *job, int64_t time_ns)
{
	int64_t until_ns;

	if (job->leaf_switches == 0)
		return 0;
	until_ns = leaf_switches_until(schedule, job);
	return until_ns != INT64_MAX && time_ns >= until_ns ? 0 : job->leaf_switches;
}

int leaf_switches_count(const struct topo *topo, const int *nodes, int n)
{
	bool *is_used = xcalloc((size_t)topo->nrouters + 1, sizeof(*is_used));
	int count = 0;

	for (int i = 0; i < n; i++) {
		count += !is_used[topo->router_of[nodes[i]]];
		is_used[topo->router_of[nodes[i]]] = true;
	}
	free(is_used);
	return count;
}

/* The router with the fewest nodes that are enough, else the one with the most. */
static int best_router(const int *count, int nrouters, int n)
{
	int best = 0;

	for (int r = 1; r < nrouters; r++)
		if (count[best] >= n ? count[r] >= n && count[r] < count[best]
				     : count[r] > count[best])
			best = r;
	return best;
}

bool leaf_switches_gather(const struct topo *topo, const uint64_t *nodes, int n, int most,
			  uint64_t *among)
{
	size_t nwords = ((size_t)topo->nnodes + 63) / 64;
	int *count = xcalloc((size_t)topo->nrouters + 1, sizeof(*count));

	memset(among, 0, nwords * sizeof(*among));
	for (int node = 0; node < topo->nnodes; node++)
		count[topo->router_of[node]] += (int)(nodes[node / 64] >> node % 64 & 1);
	for (; n > 0 && most > 0; most--) {
		int router = best_router(count, topo->nrouters, n);

		if (count[router] == 0)
			break;
		n -= count[router];
		count[router] = -1;
	}
	for (int node = 0; node < topo->nnodes; node++)
		if (count[topo->router_of[node]] < 0)
			among[node / 64] |= nodes[node / 64] & UINT64_C(1) << node % 64;
	free(count);
	return n <= 0;
}
