/* night_placed.h - the routers of jobs, beside those that were possible at their starts */
#ifndef REPORT_NIGHT_PLACED_H
#define REPORT_NIGHT_PLACED_H

#include "report/night.h"

/* possible: the fewest routers that its nodes could be had of when it started; 0: too few nodes
 * were idle, as it shares some. least: of an empty machine. */
struct placed_job {
	int job, nrouters, possible, least;
};

struct night_placed {
	VEC(struct placed_job) jobs; /* the worst first */
	int nworse, navoidable;      /* on more routers than the least, than possible */
	bool is_known;               /* the machine is, and jobs */
};

int night_placed_find(const struct night *night, struct night_placed *placed, struct err *err);
void night_placed_free(struct night_placed *placed);

#endif
