/* site_state.h - a random machine whose nodes have resources and names, and the jobs on it */
#ifndef TESTS_SITE_STATE_H
#define TESTS_SITE_STATE_H

#include <limits.h>
#include <stdbool.h>

#include "place/run/schedule.h"

enum { NODES_MOST = 6, JOBS_MOST = 7, NEVER = INT_MAX };

/* What a node is. has: GPUs of type a and b. */
struct node {
	int cpus, memory, has[2], cpus_used, memory_used;
	bool is_busy, is_away, is_booked;
	unsigned features, partitions; /* bits: a, b; p, q */
	bool is_reserved;
};

/* What a job asks for; the texts are those of struct job. */
struct ask {
	int nnodes, cpus, gpus, type, memory, start, end; /* type -1: any */
	int few, wait; /* leaf switches, 0: any number; how long it waits for them, -1: for ever */
	int het;       /* components of one job have the same; -1: none */
	bool shares, is_booked, is_placed, is_alone; /* alone: no other job on its leaf switches */
	int nodes[NODES_MOST];
};

struct state {
	struct topo *topo;
	const char *policy;
	int queue, nnodes, njobs;
	struct node nodes[NODES_MOST];
	struct ask asks[JOBS_MOST];
	struct job jobs[JOBS_MOST];
	struct outcome outcomes[JOBS_MOST];
	char lists[JOBS_MOST][64];
};

#endif
