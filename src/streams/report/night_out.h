/* night_out.h - nodes out of service through the night, and what was lost by it */
#ifndef REPORT_NIGHT_OUT_H
#define REPORT_NIGHT_OUT_H

#include "report/night.h"

/* A node's times out of service for one state and reason. */
struct night_outage {
	const char *name, *state, *reason;
	int node;        /* of the machine; -1: it lacks it */
	double hours;    /* without a job, within the window */
	bool is_lasting; /* at its end */
};

struct night_out {
	VEC(struct night_outage) outages; /* that took time, the longest first */
	double lost_hours;                /* of all; NAN: not known */
};

void night_out_find(const struct night *night, struct night_out *out);
void night_out_free(struct night_out *out);

#endif
