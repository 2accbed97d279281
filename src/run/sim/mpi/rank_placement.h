/* rank_placement.h - which node each rank of a job runs on */
#ifndef SIM_MPI_RANK_PLACEMENT_H
#define SIM_MPI_RANK_PLACEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"
#include "model/topo.h"

/* A mapping stream, held whole: the nodes of the ranks of each job (run, policy) that it has. */
struct placements {
	struct map
		jobs; /* "run\tpolicy\tjob", each part empty where the stream has no such column */
	VEC(int_vec) nodes_of; /* by rank; -1: not there */
	bool has_run, has_policy, has_job;
};

int placements_read(struct placements *placements, const char *path, const struct topo *topo,
		    bool accepts_partial, struct err *err);
void placements_free(struct placements *placements);
/* The nodes of a job's ranks, NULL if the stream has none of it. run, policy: or NULL. */
const int_vec *placements_find(const struct placements *placements, const char *run,
			       const char *policy, const char *job);

/* How the column mapping of jobs puts ranks on the job's nodes. */
enum rank_order { RANKS_IN_ORDER, RANKS_RANDOM, RANKS_LEAF_ROUND_ROBIN };
/* -1: there is no such order. */
int rank_order_find(const char *name, enum rank_order *order);

/*
 * Rank r on core r of the job's nodes [nnodes], ranks_per_node on each, in order; or on one of a
 * shuffled list of these cores, drawn for (seed, run, job); or as model/leaf_ranks.h says. node_of
 * [nnodes · ranks_per_node]
 */
void place_ranks(const struct topo *topo, const int *nodes, int nnodes, int ranks_per_node,
		 enum rank_order order, uint64_t seed, const char *run, const char *job,
		 int *node_of);

#endif
