/* profile.h - MPI profiles of applications: one row, and how it is written */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdint.h>

#include "model/flow.h"

/* Zhang et al., NeDD, Table I: the groups that MPI time is split into; fractions of execution
 * time. */
enum mpi_group { MPI_ALLREDUCE, MPI_SENDRECV, MPI_WAIT, MPI_OTHER, MPI_NGROUPS };

/*
 * The group of an operation: "MPI_Allreduce", "Allreduce", "mpi_allreduce_", "MPI_ALLREDUCE(sync)".
 * Send, Isend and Sendrecv are together, Wait and Waitall are; Recv and Irecv are other.
 */
enum mpi_group mpi_group(const char *operation);

/* One profiled run. Texts are the maker's; numbers that are not known are negative. */
struct profile {
	const char *app, *binary;
	int64_t ranks, nodes;
	double runtime_s;              /* execution time, mean of the ranks */
	double mpi_s;                  /* in MPI, mean of the ranks */
	double mpi_fraction;           /* of the execution time; must be there */
	double fractions[MPI_NGROUPS]; /* likewise */
};

/* All numbers unknown. */
void profile_init(struct profile *profile);

/* The columns of a profile in a flow. */
struct profile_columns {
	int app, binary, ranks, nodes, runtime, mpi, fraction, groups[MPI_NGROUPS];
};
void profile_columns(struct profile_columns *columns, struct flow *flow);
/* Emits one row. -1 also when app, ranks or mpi_fraction is not known or out of its range. */
int profile_emit(const struct profile *profile, const struct profile_columns *columns,
		 struct flow *flow, struct err *err);

#endif
