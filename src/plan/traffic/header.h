/* header.h - what to read from the lines under one header */
#ifndef TRAFFIC_HEADER_H
#define TRAFFIC_HEADER_H

#include "traffic/source/source.h"

/*
 * The columns to read, ascending; all other numbers are places in wanted, or -1: none.
 */
struct header {
	struct source_plan source;
	int layout;   /* rows of equal layout have the same probes, whatever the columns' order */
	int ncolumns; /* of a whole line */
	int *wanted;  /* [nwanted] columns */
	int nwanted;
	int time, usec, dt, time_flag, producer, component, router, run;
	int plane;         /* of several copies of the network, whose counts are added */
	bool is_msec;      /* time is in ms, usec what is left of it in µs */
	int *value, *flag; /* [source.counters.n] */
	int *instance;     /* [source.instance.n] */
};

struct header_options {
	struct pick *source; /* zeroed: found from the first header, and then set */
	enum traffic_per per;
};

/* The headers met so far: equal lines give the same one. */
struct header_set {
	struct header_options options;
	VEC(struct header *) all;
	struct map lines, layouts;
};

/*
 * Of a header line: names [n] in it, as text. is_table: of one of our tables (time_s, component),
 * else of LDMS. Returns NULL with a message: no time, no producer, or no counter of the source.
 */
const struct header *header_get(struct header_set *set, const char *line, size_t n,
				char *const *names, int nnames, bool is_table, struct err *err);
void header_set_free(struct header_set *set);

#endif
