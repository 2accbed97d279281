/* objective_list.c - the registry of objectives */
#include "map/problem/aim.h"

#define REGISTRY "map/problem/objectives.def"
#define REGISTRY_TYPE struct map_objective
#define REGISTRY_PREFIX map_objective_
#include "base/registry_entries.h"

const struct registry map_objectives = REGISTRY_OF("objectives", "objective");
