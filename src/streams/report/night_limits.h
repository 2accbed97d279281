/* night_limits.h - what the limits that jobs ask of the network cost them and others in waiting */
#ifndef REPORT_NIGHT_LIMITS_H
#define REPORT_NIGHT_LIMITS_H

#include "report/night.h"

/* A job that asked for something of the network. */
struct night_limit {
	int job;
	int64_t later_ns;  /* by which it started later than it would have without */
	int64_t others_ns; /* that others waited longer meanwhile */
};

struct night_limits {
	int njobs;                     /* that asked; 0: nothing was replayed */
	int64_t with_ns, without_ns;   /* waited in all, within the window */
	VEC(struct night_limit) worst; /* that started later: who held up others most first */
	char *failure;                 /* why there was no replay; NULL: there was */
};

/* Replays the recorded jobs under options->replay and EASY backfilling, as they asked and without
 * what they asked of the network. Nothing, where none asked, or replay is NULL. */
int night_limits_find(const struct night *night, const struct night_options *options,
		      struct night_limits *limits, struct err *err);
void night_limits_free(struct night_limits *limits);

#endif
