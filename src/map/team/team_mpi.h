/* team_mpi.h - the few things that processes say to each other; the plug-in "mpi" does them */
#ifndef MAP_TEAM_TEAM_MPI_H
#define MAP_TEAM_TEAM_MPI_H

#include "base/err.h"
#include "map/team/team.h"

/*
 * What src/plugins/mpi.c offers as TEAM_MPI_SYMBOL. It knows nothing of this program but this file,
 * so that mapref needs no libmpi to start, and one mapref works with any MPI.
 */
#define TEAM_MPI_SYMBOL "placetools_team_mpi"
struct team_mpi {
	const char *version; /* of the placetools that it was built with */
	/* Starts MPI; NULL, or what is wrong. */
	const char *(*join)(int *nprocesses, int *process);
	void (*leave)(void);
	/* The best offer of all processes. */
	struct team_offer (*least)(struct team_offer mine);
	/* The numbers of all processes, one after the other: [*nall], to be freed. */
	int *(*gather)(const int *mine, int n, int *nall);
};

/* Joins the processes of a launcher; *mpi is NULL without one: then there is one process. */
int team_mpi_join(const struct team_mpi **mpi, int *nprocesses, int *process, struct err *err);

#endif
