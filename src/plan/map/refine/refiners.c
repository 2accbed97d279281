/* refiners.c - the registry of refiners */
#include "map/problem/problem.h"

#define REGISTRY "map/refine/refiners.def"
#define REGISTRY_TYPE struct map_refiner
#define REGISTRY_PREFIX map_refiner_
#include "base/registry_entries.h"

const struct registry map_refiners = REGISTRY_OF("refiners", "refiner");
