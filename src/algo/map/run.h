/* run.h - from a job to its mapping: partition, mapper, refiner */
#ifndef ALGO_MAP_RUN_H
#define ALGO_MAP_RUN_H

#include "algo/map/map.h"
#include "model/mapping.h"

/* What a user picked; NULL: what the mapper says. */
struct map_choice {
	const char *policy, *partition, *refiner;
};

/* What happened in a stage, for --stats. */
struct map_stage {
	const char *name;
	double cpu_s;
	int64_t nrounds, nmoves;
	double hop_bytes, max_congestion;
};

enum { MAP_STAGES = 4 };

/*
 * Maps the ranks of the job. Cores of a node are numbered from 0 in the order of its ranks. stages
 * [MAP_STAGES], *nstages are filled.
 */
int map_run(const struct map_input *in, const struct map_choice *choice, struct mapping *mapping,
	    struct map_stage *stages, int *nstages, struct err *err);

#endif
