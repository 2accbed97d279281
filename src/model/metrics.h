/* metrics.h - measurements: their summary, their table, and what they are compared with */
#ifndef MODEL_METRICS_H
#define MODEL_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/table.h"

/* Quartiles interpolate between the two nearest values (type 7 of Hyndman and Fan: the default of
 * R and NumPy). sd is that of a sample (n − 1); NAN for a single value. */
struct summary {
	int64_t n;
	double mean, sd, min, q1, median, q3, max;
};

/* Of values [n], n > 0, which get sorted. The mean is exact to rounding: its sum is compensated and
 * in sorted order, so it does not depend on the order of the values. */
void summary_make(struct summary *summary, double *values, size_t n);

/* One measurement. NULL texts are missing. */
struct metrics_row {
	const char *scope, *id, *metric, *unit, *note;
	double value;                  /* NAN: missing */
	const struct summary *summary; /* NULL: none; n = 0: nothing to summarise */
	const char *const *by;         /* [nby] the cells of the --by columns */
};

/* A table of kind_metrics; by [nby] are names of columns, which come first. */
struct metrics_out;
struct metrics_out *metrics_out_new(struct out *out, const struct table_in *in,
				    const char *const *by, int nby, bool has_summaries);

/* For ##lines, before the first row. */
struct table_out *metrics_out_table(struct metrics_out *metrics);

/*
 * Each row gets baseline and ratio (value over baseline): that of the row which agrees with it in
 * everything but a column of by, which is value there. Rows are then held until the end. Returns -1
 * when column is not one of by.
 */
int metrics_out_baseline_column(struct metrics_out *metrics, const char *column, const char *value,
				struct err *err);
/* The same from a metrics table: the row with the same scope, id, metric and columns of by (as far
 * as the file has them). */
int metrics_out_baseline_file(struct metrics_out *metrics, const char *path, bool accepts_partial,
			      struct err *err);

void metrics_out_row(struct metrics_out *metrics, const struct metrics_row *row);
/* Writes what was held, ends the table, frees. A baseline that no row had is refused. */
int metrics_out_end(struct metrics_out *metrics, bool whole, struct err *err);

#endif
