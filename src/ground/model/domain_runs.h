/* domain_runs.h - how far the nodes of one domain are consecutive in label order */
#ifndef MODEL_DOMAIN_RUNS_H
#define MODEL_DOMAIN_RUNS_H

#include "model/topo.h"

/* The domains of the nodes at one tier (0: routers), and where each run of nodes of one domain
 * ends: a range of nodes is gone through domain by domain. */
struct domain_runs {
	int *of; /* [nnodes] */
	int *to; /* [nnodes] the last node of the run */
};

void domain_runs_make(struct domain_runs *runs, const struct topo *topo, int tier);
void domain_runs_free(struct domain_runs *runs);

#endif
