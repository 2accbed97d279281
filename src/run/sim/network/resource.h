/* resource.h - something that serves one after the other, first come first served */
#ifndef SIM_NETWORK_RESOURCE_H
#define SIM_NETWORK_RESOURCE_H

#include <stdint.h>

/*
 * free_ps [nservers]: when each server gets free. Work that is ready at ready_ps and takes work_ps
 * goes to the one that is free first (of several the lowest). Returns when it is done.
 */
static inline int64_t resource_take(int64_t *free_ps, int64_t nservers, int64_t ready_ps,
				    int64_t work_ps)
{
	int64_t first = 0;

	for (int64_t i = 1; i < nservers; i++)
		if (free_ps[i] < free_ps[first])
			first = i;
	if (free_ps[first] < ready_ps)
		free_ps[first] = ready_ps;
	return free_ps[first] += work_ps;
}

#endif
