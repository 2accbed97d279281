/* series.h - rows of one component must come in the order of time */
#ifndef MEASURE_CHECK_SERIES_H
#define MEASURE_CHECK_SERIES_H

#include "measure/check/check.h"

/* The last time of each component of each run. Zeroed is empty. */
struct series {
	struct map index; /* run, tab, component → place in last */
	VEC(int64_t) last;
	struct buf key;
};

/* What is wrong with the row, if it comes before an earlier row of the same component. */
void series_check(struct series *series, struct checking *checking, const struct row *row,
		  const char *component);
void series_free(struct series *series);

#endif
