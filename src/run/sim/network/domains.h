/* domains.h - the domains that routers are in: what the groups of a dragonfly are elsewhere */
#ifndef SIM_NETWORK_DOMAINS_H
#define SIM_NETWORK_DOMAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/topo.h"

/* Of the innermost tier above the router: groups of a Slim Fly or Dragonfly+, rows of a HyperX. */
struct domains {
	int n;
	const int *of;      /* [nrouters], the machine's; -1: none */
	int32_t *first;     /* [n + 1] of the nodes of a domain */
	int32_t *nodes;     /* [nnodes] domain by domain */
	int32_t *first_run; /* [n + 1] of the runs of a domain */
	struct domain_run *runs;
};

/* Nodes of a domain that stand together and share a router: from nodes[first] on. */
struct domain_run {
	int32_t router, first, nnodes;
};

bool domains_exist(const struct topo *topo);
void domains_open(struct domains *domains, const struct topo *topo);
void domains_close(struct domains *domains);

#endif
