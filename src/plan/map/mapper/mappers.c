/* mappers.c - the registry of mappers */
#include "map/problem/problem.h"

#define REGISTRY "map/mapper/mappers.def"
#define REGISTRY_TYPE struct map_policy
#define REGISTRY_PREFIX map_policy_
#include "base/registry_entries.h"

const struct registry map_policies = REGISTRY_OF("mappers", "mapper");
