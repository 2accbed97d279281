/* sim_mpi_graph.h - graphs of tasks: what may begin begins, whatever else the rank does */
#ifndef SIM_MPI_SIM_MPI_GRAPH_H
#define SIM_MPI_SIM_MPI_GRAPH_H

#include "sim/mpi/sim_mpi_priv.h"

/* The rank's op is OP_GRAPH: its program begins. */
void tasks_begin(struct mpi *mpi, struct rank *rank);
/* Goes on as far as it can with what is done; false: all its tasks have ended. */
bool tasks_go_on(struct mpi *mpi, struct rank *rank);
/* All messages of the task's step are done, or its computation is. */
void task_step_done(struct mpi *mpi, struct rank *rank, int32_t beside);
/* After the run. What a rank that never ends waits for. */
void tasks_tell_stuck(const struct mpi *mpi, const struct rank *rank, int number, struct err *err);
/* The first rank here of a graph that never received what another one sent; NONE: there is none. */
int32_t tasks_first_unreceived(const struct mpi *mpi, struct err *err);
void tasks_free(struct mpi *mpi);

#endif
