/* open_pattern.h - where nodes that send whatever comes back send to */
#ifndef SIM_OPEN_PATTERN_H
#define SIM_OPEN_PATTERN_H

#include "base/registry.h"
#include "base/rng.h"
#include "model/topo.h"

/* What a pattern has computed; zeroed at first. */
struct open_destinations {
	const struct topo *topo;
	int tier;  /* adversarial: of the domains, -1: routers by number */
	int *node; /* owned; permutation: [nnodes]; hotspot: [n]; adversarial: by domain */
	int n;
	double share; /* hotspot */
};

struct open_pattern {
	struct entry entry; /* its parameters hold OPEN_LOOP_PARAMS */
	int (*open)(struct open_destinations *to, const struct topo *topo, const struct pick *pick,
		    uint64_t seed, struct err *err);
	/* Another node, or -1: it sends nothing. */
	int (*destination)(const struct open_destinations *to, struct rng *rng, int node);
};

extern const struct registry open_patterns; /* "open-loop-patterns": uniform, adversarial, … */

#endif
