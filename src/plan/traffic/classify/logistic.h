/* logistic.h - logistic regression: weights that make what was seen most likely */
#ifndef TRAFFIC_CLASSIFY_LOGISTIC_H
#define TRAFFIC_CLASSIFY_LOGISTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What is fitted: P(y = 1 | x) = 1 / (1 + exp(-(w0 + Σ w[j] x[j]))). */
struct logistic_data {
	const double *x; /* [n·k], row by row */
	const bool *y;   /* [n] */
	size_t n;
	int k;
};

double logistic(double z);

/* w0 + Σ w[j] x[j]; w [1 + k], x [k] */
double logistic_score(const double *w, const double *x, int k);

/*
 * The weights w [1 + k] with the least Σ log-loss + ridge/2 Σ w[j]² (j > 0: the intercept is free),
 * by Newton's method (iteratively reweighted least squares) from 0, each step halved until it
 * gains: the problem is convex, so there is one answer, whatever the order of the rows. Returns -1
 * where there is none: with ridge 0, classes that a plane separates, or columns that depend on each
 * other.
 */
int logistic_fit(const struct logistic_data *data, double ridge, double *w, struct err *err);

#endif
