/* map_mapper.h - a mapper runs on ranks, on parts, or on slots */
#ifndef MAP_MAP_MAPPER_H
#define MAP_MAP_MAPPER_H

#include "map/map_stages.h"

/* Runs the mapper that was picked, on parts of the partition (text of a pick; NULL: the mapper's
 * own) where it places parts. node_of [nranks] */
int map_run_mapper(struct map_running *run, const struct pick *pick, const char *partition,
		   int *node_of, struct err *err);

#endif
