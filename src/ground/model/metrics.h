/* metrics.h - measurements: their summary, their table, and what they are compared with */
#ifndef MODEL_METRICS_H
#define MODEL_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
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

/* How sure a mean is, or a difference of pairs. NAN: not asked for, or too few values. */
struct inference {
	double low, high;          /* interval of the mean */
	double p_sign, p_wilcoxon; /* probabilities that no difference looks like this one */
	double baseline;           /* mean of what was subtracted */
};

/* The interval of the mean at a level (0.95) by the bootstrap: the mean of as many values, drawn
 * with replacement, 10 000 times (fewer above 20 000 values, 200 at least); its quantiles
 * (Efron 1979, percentile method). values [n]; NAN for fewer than two. */
void bootstrap_mean(const double *values, size_t n, double level, struct rng *rng, double *low,
		    double *high);
/* a − b without what rounding left of decimals, for the tests: 0.3 − 0.1 and 0.4 − 0.2 are alike.
 * It is rounded to the place of the 15th digit of the greater one; of whole numbers it is exact. */
double tested_difference(double a, double b);
/* Two-sided sign test of differences [n], zeros left out: exact. 1 when none is left. */
double sign_test(const double *differences, size_t n);
/* Two-sided signed-rank test of Wilcoxon (1945), zeros left out, mean ranks for ties: exact up to
 * 60 differences, beyond that by the normal approximation with corrections for ties and
 * continuity. 1 when none is left. differences [n] */
double wilcoxon_test(const double *differences, size_t n);

/* One measurement. NULL texts are missing. */
struct metrics_row {
	const char *scope, *id, *metric, *unit, *note;
	double value;                      /* NAN: missing */
	const struct summary *summary;     /* NULL: none; n = 0: nothing to summarise */
	const struct inference *inference; /* NULL: none */
	const char *const *by;             /* [nby] the cells of the --by columns */
};

/* A table of kind_metrics; by [nby] are names of columns, which come first. */
struct metrics_out;
enum metrics_columns {
	METRICS_SUMMARY = 1,  /* n, mean, … */
	METRICS_INTERVAL = 2, /* ci_low, ci_high */
	METRICS_PAIRS = 4,    /* baseline, ratio, p_sign, p_wilcoxon of pairs */
};
struct metrics_out *metrics_out_new(struct out *out, const struct table_in *in,
				    const char *const *by, int nby, unsigned columns);

/* For ##lines, before the first row. */
struct table_out *metrics_out_table(struct metrics_out *metrics);

/*
 * Each row gets baseline and ratio (value over baseline): that of the row which agrees with it in
 * everything but a column of by, which is value there, or alias. Rows are then held until the end.
 * Returns -1 when column is not one of by.
 */
int metrics_out_baseline_column(struct metrics_out *metrics, const char *column, const char *value,
				const char *alias, struct err *err);
/* The same from a metrics table: the row with the same scope, id, metric and columns of by (as far
 * as the file has them). */
int metrics_out_baseline_file(struct metrics_out *metrics, const char *path, bool accepts_partial,
			      struct err *err);

void metrics_out_row(struct metrics_out *metrics, const struct metrics_row *row);
/* Writes what was held, ends the table, frees. A baseline that no row had is refused. */
int metrics_out_end(struct metrics_out *metrics, bool whole, struct err *err);

#endif
