/* team_mpi.h - the few things that processes say to each other */
#ifndef MAP_TEAM_TEAM_MPI_H
#define MAP_TEAM_TEAM_MPI_H

#include "map/team/team.h"
#include "model/topo.h"

/* Joins the processes of a launcher; one process without one. Returns -1: built without MPI. */
int team_mpi_join(int *nprocesses, int *process, struct err *err);
void team_mpi_leave(void);
/* The best offer of all processes. */
struct team_offer team_mpi_least(struct team_offer mine);
/* The numbers of all processes, one after the other. */
void team_mpi_gather(const int_vec *mine, int_vec *all);

#endif
