/* islands.h - machines in several pieces, and the part of a job on each of them */
#ifndef MAP_ISLANDS_H
#define MAP_ISLANDS_H

#include "map/problem/problem.h"

/* Nodes of an allocation that have routes to each other. Numbered by their first node. */
struct islands {
	int n;
	int *of;   /* [in->nnodes] */
	int *room; /* [n] slots of each */
};

void islands_find(struct islands *islands, const struct map_input *in);
void islands_free(struct islands *islands);

/*
 * Which ranks go to which island, so that no message has to cross: as they are in order, if that
 * does; else the pieces of the graph, the largest first, each to the fullest island with room, and
 * what that leads to tried again a limited number of times. island_of [nranks]. Returns false where
 * none was found.
 */
bool islands_assign(const struct islands *islands, const struct map_input *in, int *island_of);

/* The job on one island: a separate input, with routes and graphs of its own. */
struct island_job {
	struct map_input in;
	int *nodes, *room, *index; /* [in.nnodes] index: in the whole allocation */
	int *ranks;                /* [in.comm->nranks] of the whole job, ascending */
	struct comm *comm, *symmetric;
	struct routes routes, spread;
};

/* whole must outlive it. in.comm->nranks may be 0. */
void island_job_open(struct island_job *job, const struct map_input *whole,
		     const struct islands *islands, const int *island_of, int island);
void island_job_close(struct island_job *job);

#endif
