/* alarms.h - what must not happen in a night: thresholds of its numbers */
#ifndef REPORT_ALARMS_H
#define REPORT_ALARMS_H

#include "report/night.h"

struct alarm {
	const char *text, *metric; /* the whole of it; its name */
	char sign;                 /* < or > */
	double limit;              /* NAN: no night before has the number */
	double factor;             /* of the mean of ndays; ndays 0: limit is a number */
	int ndays;
	double value; /* NAN: it was not measured */
	bool is_raised;
};

struct alarms {
	VEC(struct alarm) of;
	int nraised;
};

/*
 * METRIC>X, METRIC<X, or METRIC>FxNd: F times the mean of the N days before. METRIC is a number of
 * the page (values [NUMBERS]), nodes-STATE, or a metric of the first policy (the mean where there
 * are several values). One that was not measured this time is not raised, with a warning; one that
 * no page has is refused.
 */
int alarms_read(struct alarms *alarms, struct night *night, const double *values,
		const char *const *texts, int n, struct err *err);
void alarms_free(struct alarms *alarms);

#endif
