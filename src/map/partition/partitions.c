/* partitions.c - the registry of partitions */
#include "map/problem/problem.h"

#define X(name) extern const struct map_partition map_partition_##name;
#include "map/partition/partitions.def"
#undef X

#define X(name) &map_partition_##name.entry,
static const struct entry *const partitions[] = {
#include "map/partition/partitions.def"
};
#undef X

const struct registry map_partitions = {
	.name = "partitions",
	.noun = "partition",
	.entries = partitions,
	.n = sizeof(partitions) / sizeof(partitions[0]),
};
