/* night_sweep.h - the machine through the night: which nodes were idle when */
#ifndef REPORT_NIGHT_SWEEP_H
#define REPORT_NIGHT_SWEEP_H

#include "place/state/idle.h"
#include "report/night.h"

struct night_sweep {
	/* A job of the first policy starts on nodes, of which those that were idle are not taken
	 * yet; whatever it takes from the machine it gives back. NULL: never mind. */
	int (*start)(void *context, struct machine *machine, int job, const int_vec *nodes,
		     struct err *err);
	/* The machine at the k-th of nmoments times, each the middle of a part of the night. */
	void (*moment)(void *context, const struct machine *machine, int k);
	int nmoments;
	void *context;
};

/*
 * Goes through the starts and ends of the first policy's jobs in the order of time; those that end
 * go before those that start. Nodes that are out of service in the morning are never idle. Jobs
 * without a readable node list are left out. Needs the machine.
 */
int night_sweep(const struct night *night, const struct night_sweep *sweep, struct err *err);

/* When moment k of n is. */
int64_t night_moment(const struct night *night, int k, int n);

/* Whether jobs can have a node that is in this state. */
bool night_is_usable(const char *state);

#endif
