/* occupancy.h - who has which node when */
#ifndef MEASURE_CHECK_OCCUPANCY_H
#define MEASURE_CHECK_OCCUPANCY_H

#include "measure/check/check.h"

/* A placed job. */
struct occupant {
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
	size_t first, n;          /* its nodes in occupancy.nodes */
	const char *name, *file;
	long line;
	int run;
	int policy;     /* 0: none placed it, it came with its nodes */
	bool is_given;  /* a policy placed it; so it is not of rows that say where a job was */
	bool is_shared; /* it has CPUs of its nodes and not all of them */
	int gpu_type;   /* a number of occupancy.gpu_types; -1: any */
};

/* What a job has of a node; 0: nothing, or not known. */
struct need {
	int64_t cpus, gpus, memory;
};

/* Zeroed is empty. Nodes are numbered as they come up, whatever the machine calls them. */
struct occupancy {
	struct map runs, policies, node_ids; /* name → number */
	VEC(const char *) names;             /* of nodes */
	struct map gpu_type_ids;
	VEC(const char *) gpu_types;
	VEC(struct occupant) jobs;
	VEC(int) nodes;
	VEC(struct need) needs; /* of nodes; none where nobody knows what nodes have */
	struct arena arena;
};

/* The number of a node. */
int occupancy_node(struct occupancy *occupancy, const char *name, size_t n);

/*
 * Tells of every pair of jobs that have a node at one time (once a pair), and of jobs that were
 * given nodes which were not idle and which no earlier job has given back. Runs are apart; within
 * one, what different policies placed is apart too, but not from jobs that came with their nodes.
 */
void occupancy_check(struct occupancy *occupancy, struct checking *checking);
void occupancy_free(struct occupancy *occupancy);

#endif
