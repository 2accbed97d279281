/* numbers.h - the numbers of a night that are followed from night to night */
#ifndef REPORT_NUMBERS_H
#define REPORT_NUMBERS_H

#include "report/night.h"
#include "report/night_out.h"
#include "report/night_placed.h"

enum number_id {
	NUMBER_WAITING,
	NUMBER_UTILIZATION,
	NUMBER_LOST,
	NUMBER_GPU_HOURS,
	NUMBER_LONGEST,
	NUMBER_SPREAD,
	NUMBER_MEAN, /* up to here those of the verdict come first */
	NUMBER_STARTED,
	NUMBER_FAILED,
	NUMBER_NODE_HOURS,
	NUMBERS
};
enum { NUMBERS_OF_VERDICT = NUMBER_MEAN };

struct number {
	const char *name, *title, *unit; /* unit NULL: a count */
};
extern const struct number numbers_known[NUMBERS];

/* values [NUMBERS]; NAN: not measured. */
void numbers_find(const struct night *night, const struct night_out *out,
		  const struct night_placed *placed, double *values);
/* By name; -1: none. */
int numbers_of_name(const char *name);

/* A number some days before the night's end, one value a night (the last one of each day back):
 * the mean over ndays; NAN: there is none. */
double numbers_mean_before(const struct night *night, const char *name, int ndays);
/* The nights before, oldest first, at most most of them, with the number; how many. */
int numbers_before(const struct night *night, const char *name, int ndays, double *values,
		   int most);

#endif
