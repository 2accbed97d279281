/* dragonfly_gates.h - which of several global links between two groups of a dragonfly a packet
 * takes */
#ifndef SIM_NETWORK_DRAGONFLY_GATES_H
#define SIM_NETWORK_DRAGONFLY_GATES_H

#include <stddef.h>
#include <stdint.h>

#include "machine/kind/dragonfly.h"
#include "model/topo.h"

struct place {
	int32_t group, in; /* router in is the in-th of its group */
};

/* One end of a global link. */
struct gate {
	int32_t channel; /* leaves by it */
	int32_t in;      /* from this router of its group */
};

struct gates {
	int groups, routers, links; /* of the dragonfly */
	struct gate *at;            /* [(from · groups + to) · links + i] */
	uint8_t *local_hops;        /* [routers · routers] */
	/* [(router · groups + to) · nwords], where there are several links: hops from the router
	 * within its group to the gates towards another, a byte each; NULL: too large, counted */
	uint64_t *hops;
	int nwords;
};

void gates_open(struct gates *gates, const struct dragonfly *df, const struct topo *topo);
void gates_close(struct gates *gates);
/* Of the links to another group the one on the shortest path from router in to router in_b there
 * (−1: to any), of equally short ones the one that the node's number picks. Only for
 * several links. */
int gates_choose_among(const struct gates *gates, struct place from, int to, int in_b, int node);

static inline int gates_local_hops(const struct gates *gates, int a, int b)
{
	return gates->local_hops[a * gates->routers + b];
}

static inline const struct gate *gates_between(const struct gates *gates, int from, int to)
{
	return &gates->at[((size_t)from * (size_t)gates->groups + (size_t)to) *
			  (size_t)gates->links];
}

static inline int gates_choose(const struct gates *gates, struct place from, int to, int in_b,
			       int node)
{
	return gates->links == 1 ? 0 : gates_choose_among(gates, from, to, in_b, node);
}

#endif
