/* team_mpi.h - the few things that processes say to each other */
#ifndef ALGO_MAP_TEAM_MPI_H
#define ALGO_MAP_TEAM_MPI_H

#include "algo/map/team.h"

/* Joins the processes of a launcher; one process without one. Returns -1: built without MPI. */
int team_mpi_join(int *nprocesses, int *process, struct err *err);
void team_mpi_leave(void);
/* The best offer of all processes. */
struct team_offer team_mpi_least(struct team_offer mine);

#endif
