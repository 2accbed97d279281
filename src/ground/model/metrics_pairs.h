/* metrics_pairs.h - measurements in pairs: what differs from a baseline, and how surely */
#ifndef MODEL_METRICS_PAIRS_H
#define MODEL_METRICS_PAIRS_H

#include "model/metrics.h"

/* Rows pair that are equal but for one column, which is the baseline's value in one of them; pairs
 * that agree in the first nby columns, and in the other row's value of that column, are summarised
 * together. */
struct metrics_pairing {
	const char *const *columns; /* [ncolumns] of the rows' by; outlives the pairs */
	int ncolumns, nby;
	int baseline_at;              /* which of the columns */
	const char *baseline, *alias; /* the value, or the other one; outlive the pairs */
	double level;                 /* of the intervals of the means; 0: none */
	int64_t seed;
};

struct metrics_pairs;
struct metrics_pairs *metrics_pairs_new(const struct metrics_pairing *how);
void metrics_pairs_free(struct metrics_pairs *pairs); /* NULL is fine */

/* The columns that the written rows have: those of nby, and the baseline's. */
const char *const *metrics_pairs_by(const struct metrics_pairs *pairs);
int metrics_pairs_nby(const struct metrics_pairs *pairs);

void metrics_pairs_row(struct metrics_pairs *pairs, const struct metrics_row *row);
/* One row for each group: the mean difference, its summary, tests. Refuses two rows that are equal
 * in all columns, and a baseline that no row has. */
int metrics_pairs_write(struct metrics_pairs *pairs, struct metrics_out *out, struct err *err);

#endif
