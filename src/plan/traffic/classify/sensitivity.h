/* sensitivity.h - is an application sensitive to network congestion? From its time in MPI. */
#ifndef TRAFFIC_CLASSIFY_SENSITIVITY_H
#define TRAFFIC_CLASSIFY_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Zhang et al., NeDD, §III-B and §V-A: sensitive iff the fraction of execution time spent in MPI
 * operations is greater than a threshold. Table I is classified right by any from 0.193 on and
 * below 0.482.
 */
#define CLASSIFY_THRESHOLD 0.33
#define CLASSIFY_LOW 0.193  /* QMCPACK, the greatest that was seen to be insensitive */
#define CLASSIFY_HIGH 0.482 /* MILC, the least that was seen to be sensitive */
#define CLASSIFY_EVEN 0.5   /* probability of a model above which sensitive is the likelier class */

const char *classify_class(double mpi_fraction, double threshold);

/* 0 at low and below, 1 at high and above, linear between: a refinement of ours for policies that
 * place a job between quiet and busy. low < high. */
double classify_smooth(double mpi_fraction, double low, double high);

/* A profile that was also run under congestion. */
struct calibration_run {
	const char *app;
	double mpi_fraction;
	double slowdown; /* mean execution time under congestion over that without */
};

/*
 * Every threshold F with low ≤ F < high separates those with slowdown > tolerance from the others
 * (sensitive iff fraction > F, strictly). When none does (separates is false), it is the interval
 * with the fewest on the wrong side, the lowest of equals.
 */
struct calibration {
	bool separates;
	double low, high;          /* within 0 … 1 */
	size_t nsensitive, nwrong; /* slowed down; on the wrong side */
	const char *low_app;       /* whose fraction low is; NULL: none */
	const char *high_app;      /* NULL: none, high is 1 and may be the threshold, too */
};
/* Sorts runs [n]. */
void classify_calibrate(struct calibration *calibration, struct calibration_run *runs, size_t n,
			double tolerance);

#endif
