/* partitions.c - the registry of partitions */
#include "map/problem/problem.h"

#define REGISTRY "map/partition/partitions.def"
#define REGISTRY_TYPE struct map_partition
#define REGISTRY_PREFIX map_partition_
#include "base/registry_entries.h"

const struct registry map_partitions = REGISTRY_OF("partitions", "partition");
