/* registries.c - the mappers, partitions and refiners there are, from their .def files */
#include "algo/map/map.h"

#define X(name) extern const struct map_policy map_policy_##name;
#include "algo/map/mappers.def"
#undef X

#define X(name) &map_policy_##name.entry,
static const struct entry *const mappers[] = {
#include "algo/map/mappers.def"
};
#undef X

const struct registry map_policies = {
	.name = "mappers",
	.noun = "mapper",
	.entries = mappers,
	.n = sizeof(mappers) / sizeof(mappers[0]),
};

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

#define X(name) extern const struct map_refiner map_refiner_##name;
#include "algo/map/refiners.def"
#undef X

#define X(name) &map_refiner_##name.entry,
static const struct entry *const refiners[] = {
#include "algo/map/refiners.def"
};
#undef X

const struct registry map_refiners = {
	.name = "refiners",
	.noun = "refiner",
	.entries = refiners,
	.n = sizeof(refiners) / sizeof(refiners[0]),
};

#define X(name) extern const struct map_objective map_objective_##name;
#include "algo/map/objectives.def"
#undef X

#define X(name) &map_objective_##name.entry,
static const struct entry *const objectives[] = {
#include "algo/map/objectives.def"
};
#undef X

const struct registry map_objectives = {
	.name = "objectives",
	.noun = "objective",
	.entries = objectives,
	.n = sizeof(objectives) / sizeof(objectives[0]),
};
