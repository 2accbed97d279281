/* partitions.c - the registry of partitions */
#include "algo/map/map.h"

#define X(name) extern const struct map_partition map_partition_##name;
#include "algo/map/partitions.def"
#undef X

#define X(name) &map_partition_##name.entry,
static const struct entry *const partitions[] = {
#include "algo/map/partitions.def"
};
#undef X

const struct registry map_partitions = {
	.name = "partitions",
	.noun = "partition",
	.entries = partitions,
	.n = sizeof(partitions) / sizeof(partitions[0]),
};
