/* map_run.h - from a job to its mapping: partition, mapper, refiner */
#ifndef MAP_MAP_RUN_H
#define MAP_MAP_RUN_H

#include "map/problem/problem.h"
#include "model/mapping.h"

/* What a user picked; NULL: what the mapper says. */
struct map_choice {
	const char *policy, *partition, *refiner, *cores; /* cores: "near" or "in-order" */
};

/* What happened in a stage, for --stats. */
struct map_stage {
	const char *name; /* "partition", "mapper", "refiner" */
	double cpu_s, wall_s;
	int64_t nrounds, nmoves;
	int64_t route_bytes; /* memory of the routes that were looked up so far */
	bool is_measured;
	struct hybrid_terms terms; /* of the mapping after it, on the machine's own routes */
};

struct map_stages {
	struct map_stage at[4];
	int n;
};

/*
 * Maps the ranks of the job. Those of a node take its first cores: near partners where the topology
 * knows how cores nest, unless choice or mapper have them in order. stages (zeroed; NULL: not
 * wanted) is filled.
 */
int map_run(const struct map_input *in, const struct map_choice *choice, struct mapping *mapping,
	    struct map_stages *stages, struct err *err);

#endif
