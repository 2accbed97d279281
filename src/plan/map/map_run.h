/* map_run.h - from a job to its mapping: partition, mapper, refiner */
#ifndef MAP_MAP_RUN_H
#define MAP_MAP_RUN_H

#include "map/map_stages.h"
#include "model/mapping.h"

/* What a user picked; NULL: what the mapper says. */
struct map_choice {
	const char *policy, *partition, *refiner, *cores; /* cores: "near" or "in-order" */
};

/*
 * Maps the ranks of the job. Those of a node take its first cores: near partners where the topology
 * knows how cores nest, unless choice or mapper have them in order. On a machine in
 * several pieces each has its part of the job. stages (zeroed; NULL: not requested) is filled. What
 * is sent between nodes without a route is refused.
 */
int map_run(const struct map_input *in, const struct map_choice *choice, struct mapping *mapping,
	    struct map_stages *stages, struct err *err);

/* Only the nodes, as indices into the allocation, of a mapping whose messages have routes. node_of
 * [nranks] */
int map_run_nodes(const struct map_input *in, const struct map_choice *choice, int *node_of,
		  struct err *err);
/* The same; compared (empty) is filled with what the mapping was compared with, if with anything.
 */
int map_run_compared(const struct map_input *in, const struct map_choice *choice, int *node_of,
		     map_rival_list *compared, struct err *err);
/* The mapping of such nodes, with cores as choice says. */
int map_run_cores(const struct map_input *in, const struct map_choice *choice, const int *node_of,
		  struct mapping *mapping, struct err *err);

#endif
