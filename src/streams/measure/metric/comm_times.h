/* comm_times.h - the columns of a ranks stream that say how long a rank ran, and computed */
#ifndef MEASURE_METRIC_COMM_TIMES_H
#define MEASURE_METRIC_COMM_TIMES_H

#include "measure/metric/metric.h"

/* Of the loop that the replay names; without one, of the whole run. */
struct comm_columns {
	int elapsed, compute;
};

void comm_columns_find(struct comm_columns *columns, const struct table_in *in);
/* Seconds. 1; 0: a value is missing; -1: an error. */
int comm_columns_read(const struct comm_columns *columns, const struct row *row, double *elapsed,
		      double *compute, struct err *err);

#endif
