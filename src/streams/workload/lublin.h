/* lublin.h - the workload model of Lublin and Feitelson: sizes, running times, arrivals */
#ifndef WORKLOAD_LUBLIN_H
#define WORKLOAD_LUBLIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

enum { LUBLIN_BUCKETS = 48 }; /* half hours of a day */

/* The parameters of one kind of jobs, under the names of the paper. */
struct lublin_kind {
	const char *name;     /* "batch" */
	double serial, pow2;  /* parts of the jobs */
	double u_low, u_prob; /* log2 of the size: two-stage uniform from u_low … */
	double below_med,
		below_top; /* … u_med = u_hi - below_med; u_hi = log2(nodes) - below_top */
	double a1, b1, a2, b2, pa, pb; /* ln of the running time: hyper-gamma */
	double aarr, barr;             /* ln of the time between arrivals: gamma */
	double anum, bnum;             /* arrivals over the day: gamma */
};
extern const struct lublin_kind lublin_batch, lublin_interactive, lublin_all;

/* A size from 1 to nodes. */
int lublin_size(const struct lublin_kind *kind, int nodes, struct rng *rng);
/* Whole seconds, at least one, at most exp(12). */
int64_t lublin_runtime(const struct lublin_kind *kind, int size, struct rng *rng);

/* Arrivals of one kind, one after the other; the first day begins at midnight. */
struct lublin_arrivals {
	const struct lublin_kind *kind;
	double weights[LUBLIN_BUCKETS]; /* their mean is 1 */
	double points, reminder, seconds;
	int bucket;
	struct rng rng;
};
void lublin_arrivals_open(struct lublin_arrivals *arrivals, const struct lublin_kind *kind,
			  struct rng rng);
double lublin_next(struct lublin_arrivals *arrivals); /* seconds since the beginning */

double lublin_gamma(struct rng *rng, double shape, double scale); /* shape >= 1 */

#endif
