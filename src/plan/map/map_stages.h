/* map_stages.h - what each stage of a mapping took and reached */
#ifndef MAP_MAP_STAGES_H
#define MAP_MAP_STAGES_H

#include "map/problem/map_measure.h"
#include "map/rivals.h"

/* What happened in a stage, for --stats. */
struct map_stage {
	const char *name; /* "partition", "mapper", "refiner", "rivals" */
	double cpu_s, wall_s;
	int64_t nrounds, nmoves;
	int64_t route_bytes; /* memory of the routes that were looked up so far */
	bool is_measured;
	struct hybrid_terms terms; /* of the mapping after it, on the machine's own routes */
	double copied;             /* the same: map_copied_load */
};

struct map_stages {
	struct map_stage at[4];
	int n;
};

/* The stage at hand. */
struct map_running {
	const struct map_input *in;
	struct map_stages *stages; /* NULL: not requested */
	map_rival_list *compared;  /* where rivals go, the best first; NULL: not requested */
	double cpu_s, wall_s;      /* when the stage began */
};

void map_stage_begin(struct map_running *run);
/* Ends a stage, and begins the next one; node_of [nranks], NULL: there is nothing to measure yet;
 * result NULL: no search. */
void map_stage_end(struct map_running *run, const char *name, const int *node_of,
		   const struct map_refine_result *result);

#endif
