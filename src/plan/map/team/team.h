/* team.h - those who work on one mapping: threads, and the processes that a launcher started */
#ifndef MAP_TEAM_TEAM_H
#define MAP_TEAM_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Mirsadeghi & Afsahi, PTRAM §IV-C: every leader weighs its own nodes, and all agree on the best.
 * Members are numbered from 0 over all processes; what they agree on does not depend on how many
 * they are.
 */
struct team;

/*
 * nthreads members in this process, and as many in each other process of an MPI launcher (mpirun,
 * srun); MPI is initialised only there. Refuses to start without MPI support what a launcher
 * started as one of several.
 */
int team_open(struct team **team, int nthreads, struct err *err);
/* Threads of this process only, whatever launcher started it. */
struct team *team_alone(int nthreads);
void team_close(struct team *team); /* NULL is allowed; ends MPI */

int team_nmembers(const struct team *team);
int team_nprocesses(const struct team *team);
int team_process(const struct team *team); /* 0 is the one that writes */

/* The most memory that each process has had, in bytes [team_nprocesses]; to be freed. All processes
 * come here. */
double *team_memory(struct team *team);

/* All processes come here, as to processes_agree. */
int team_agree(struct team *team, int status, struct err *err);

/* Runs work for each member of this process at once; work returns 0, or -1 with err set. The error
 * of the lowest member wins. All processes must come here. */
typedef int team_work(void *context, int member, struct err *err);
int team_run(struct team *team, team_work *work, void *context, struct err *err);

/* A candidate: what is least wins, the lowest number among equals; number -1: none. */
struct team_offer {
	double value;
	int64_t number;
};
/* Within team_run: all members come here, each with its best, and leave with the best of all. */
struct team_offer team_least(struct team *team, int member, struct team_offer mine);

/* Within team_run: all members come here with n numbers each and get everybody's, in the order of
 * the members; valid until the member comes here again. *nall: how many those are. */
const int *team_gather(struct team *team, int member, const int *mine, size_t n, size_t *nall);

#endif
