/* allocation.h - the nodes of a job, and how many ranks each takes */
#ifndef MAP_ALLOCATION_H
#define MAP_ALLOCATION_H

#include "base/err.h"
#include "model/topo.h"

/* Where the nodes are listed; NULL: nowhere. Without jobs and hosts it is the whole machine. */
struct allocation_request {
	const char *jobs;       /* a stream of jobs */
	const char *job;        /* which one; NULL: the only one that is placed */
	const char *hosts;      /* a host list or a host file */
	int64_t ranks_per_node; /* 0: what the job or the file says, else one for each core */
};

/* Zeroed is empty. */
struct allocation {
	int_vec nodes;
	int *room; /* [nodes.n] */
	int nslots;
	char *job;     /* its name; NULL: not known */
	bool is_whole; /* the stream of jobs was not truncated */
};

int allocation_read(struct allocation *allocation, const struct allocation_request *request,
		    struct topo *topo, bool accepts_partial, struct err *err);
/* From here on each node takes its part of so many ranks, and the fraction imbalance more: (1 +
 * imbalance) ⌈nranks · room / Σ room⌉, as balanced partitions have it. However many fit
 * its cores. */
int allocation_balance(struct allocation *allocation, int nranks, double imbalance,
		       struct err *err);
void allocation_free(struct allocation *allocation);

#endif
