/* occupancy.h - who has which node when */
#ifndef MEASURE_CHECK_OCCUPANCY_H
#define MEASURE_CHECK_OCCUPANCY_H

#include "formats/name_numbers.h"
#include "measure/check/check.h"

/* A placed job. */
struct occupant {
	int64_t start_ns, end_ns; /* INT64_MIN, INT64_MAX: open */
	size_t first, n;          /* its nodes in occupancy.ranges */
	size_t first_need;        /* what it has of them, in occupancy.needs */
	const char *name, *file;
	long line;
	int run;
	int policy;     /* 0: none placed it, it came with its nodes */
	bool is_given;  /* a policy placed it; so it is not of rows that say where a job was */
	bool is_shared; /* it has CPUs of its nodes and not all of them */
	int gpu_type;   /* a number of occupancy.gpu_types; -1: any */
	const char *partition; /* NULL: not said */
	bool accepts_others;   /* oversubscribe=yes */
	bool has_blocks_alone; /* exclusive_topo=yes */
};

/* What a job has of a node; 0: nothing, or not known. */
struct need {
	int64_t cpus, gpus, memory;
};

/* What is known of a node, beside enum node_duty: what it is good for. */
enum { NODE_IS_IDLE = 4, NODE_IS_USABLE = 8 };

/* Zeroed is empty. Nodes are numbered as they come up, whatever the machine calls them. */
struct occupancy {
	struct map runs, policies; /* name → number */
	struct name_numbers nodes;
	VEC(unsigned char) marks; /* of each node that came up; NODE_IS_…, DUTY_… */
	struct map gpu_type_ids;
	VEC(const char *) gpu_types;
	VEC(struct occupant) jobs;
	VEC(struct node_range) ranges;
	VEC(struct need) needs; /* of the jobs' nodes; none where it is unknown what nodes have */
	bool is_replay; /* some rows say where a log's jobs were: then it knows who had which node
			 */
	struct arena arena;
};

/*
 * Tells of every pair of jobs that have a node at one time (once a pair), and of jobs that were
 * given nodes which were not idle and which no earlier job has given back. Runs are apart; within
 * one, what different policies placed is apart too, but not from jobs that came with their nodes.
 */
void occupancy_check(struct occupancy *occupancy, struct checking *checking);
void occupancy_free(struct occupancy *occupancy);

#endif
