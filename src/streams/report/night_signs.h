/* night_signs.h - what accounting and the states of nodes say against each other, and nodes where
 * jobs fail */
#ifndef REPORT_NIGHT_SIGNS_H
#define REPORT_NIGHT_SIGNS_H

#include "report/night.h"

/* A job that accounting has running on a node that is idle or out of service. */
struct night_ghost {
	const struct night_job *job;
	const struct night_node *node;
};

/* A node where jobs fail again and again, of several users where users are known. */
struct night_failing {
	int node, nfailed, njobs;
};

struct night_signs {
	VEC(struct night_ghost) ghosts;
	VEC(struct night_failing) failing; /* the most failures first */
};

void night_signs_find(const struct night *night, struct night_signs *signs);
void night_signs_free(struct night_signs *signs);

#endif
