/* bound.h - what no schedule of a node's jobs can beat */
#ifndef COSCHED_BOUND_H
#define COSCHED_BOUND_H

#include "base/mem.h"
#include "cosched/engine.h"

/*
 * A lower bound of when the last job ends, by a linear program over the shares of jobs that devices
 * do. Jobs are divisible and may be interrupted at no cost. Job j, which arrives at a_j and
 * initialises for i_j, does the part x_jd on device d, which takes x_jd of what the whole job takes
 * there: opening, copying and closing included, at the shortest slice that the device has in any
 * set. Σ_d x_jd = 1. Its initialisation occupies devices as well, y_jd of it device d. For each
 * device d and each time t from which some jobs come:
 *
 *     C ≥ t + Σ_j { y_jd i_j : a_j ≥ t } + Σ_j { x_jd w_jd : a_j + i_j ≥ t }
 *
 * The least C is the bound: a device can do nothing before there is a job, and holds one job at a
 * time (Khetawat, §4.3.3). Of more than a few hundred jobs fewer times t count, which makes it
 * weaker.
 */

enum { BOUND_JOBS = 2000 };

typedef VEC(struct engine_job) engine_jobs;

/* In seconds from time 0, below the exact optimum by 1e-9 of it at most; NAN: without jobs, or of
 * more than BOUND_JOBS. -1: no library for linear programs. */
int bound_makespan(const struct devices *devices, const engine_jobs *jobs, double *seconds,
		   struct err *err);

#endif
