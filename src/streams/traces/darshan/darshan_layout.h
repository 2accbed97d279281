/* darshan_layout.h - what records of Darshan's modules are made of */
#ifndef TRACES_DARSHAN_DARSHAN_LAYOUT_H
#define TRACES_DARSHAN_DARSHAN_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A module whose records are an id, a rank, nints integers and nreals doubles. Older versions lack
 * some of the counters and have others that mean nothing today.
 */
struct darshan_layout {
	const char *module;
	const char *const *ints, *const *reals; /* [nints], [nreals] */
	int nints, nreals;
	int oldest, version; /* those that are known; others are not understood */
	const char
		*id_counter; /* a number of a record, stored between rank and counters; or NULL */
	int id_since;        /* the version that brought it */
};

/* NULL: the module's records are of another make, or it is not known. */
const struct darshan_layout *darshan_layout(const char *module);

/* Whether a version of a module lacks a counter, and the value that it is given then. */
bool darshan_is_lacking(const struct darshan_layout *layout, int version, const char *counter,
			int *value);

/* The counters of an APMPI record (AutoPerf): names in the order of the log. */
enum { APMPI_INTS = 396, APMPI_REALS = 222, APMPI_SYNCS = 16, APMPI_NAME = 64, APMPI_NODE = 128 };
struct darshan_apmpi {
	char ints[APMPI_INTS][APMPI_NAME], reals[APMPI_REALS][APMPI_NAME];
	char syncs[APMPI_SYNCS][APMPI_NAME];
};
void darshan_apmpi_names(struct darshan_apmpi *names);

#endif
