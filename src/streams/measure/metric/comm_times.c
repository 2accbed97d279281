/* comm_times.c - the columns of a ranks stream that say how long a rank ran, and computed */
#include "measure/metric/comm_times.h"

#include <math.h>

void comm_columns_find(struct comm_columns *columns, const struct table_in *in)
{
	bool has_loop = table_find(in, "loop_s") >= 0;

	columns->elapsed = table_find(in, has_loop ? "loop_s" : "comm_time_s");
	columns->compute = table_find(in, has_loop ? "loop_compute_s" : "compute_s");
}

int comm_columns_read(const struct comm_columns *columns, const struct row *row, double *elapsed,
		      double *compute, struct err *err)
{
	int has_elapsed = row_real(row, columns->elapsed, "loop_s", 0, INFINITY, elapsed, err);
	int has_compute =
		row_real(row, columns->compute, "loop_compute_s", 0, INFINITY, compute, err);

	if (has_elapsed < 0 || has_compute < 0)
		return -1;
	return has_elapsed == 1 && has_compute == 1;
}
