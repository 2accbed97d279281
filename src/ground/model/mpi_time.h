/* mpi_time.h - time in MPI of all ranks, from their calls */
#ifndef MODEL_MPI_TIME_H
#define MODEL_MPI_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile.h"

/*
 * A rank's execution time is from the end of MPI_Init to the start of MPI_Finalize (as mpiP's
 * AppTime), without what was not measured; where a trace has no MPI_Init or no MPI_Finalize, from
 * its first event or to its last. Calls before and after do not count. Times are in any unit.
 */
struct mpi_time {
	bool counts_gaps; /* what was not measured counts as execution time all the same */
	int64_t nranks;
	double total, in_mpi, groups[MPI_NGROUPS]; /* sums over the ranks that have ended */
	/* of the rank that is read: */
	bool has_begun, has_finalized;
	int64_t begin, end;           /* end: the last time seen, or the start of MPI_Finalize */
	int64_t last_start, last_end; /* of the call counted last */
	int64_t mpi, off, of_group[MPI_NGROUPS];
};

/* An outermost MPI call that is neither of the two below. The same start and end again is the same
 * call (which completed another request, say). */
void mpi_time_call(struct mpi_time *time, enum mpi_group group, int64_t start, int64_t end);
void mpi_time_init(struct mpi_time *time, int64_t start, int64_t end);
void mpi_time_finalize(struct mpi_time *time, int64_t start);
/* Any other event, and a time in which nothing was measured. */
void mpi_time_see(struct mpi_time *time, int64_t at);
void mpi_time_off(struct mpi_time *time, int64_t start, int64_t end);
/* The rank's events are over. */
void mpi_time_next_rank(struct mpi_time *time);

/* Sets ranks, the times and the fractions. ranks ≥ 1: those of the run (a rank without any event
 * counts too). -1: the trace has no time at all. */
int mpi_time_profile(const struct mpi_time *time, double per_second, int64_t ranks,
		     struct profile *profile, struct err *err);

#endif
