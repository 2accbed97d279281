/* mappers.c - the registry of mappers */
#include "map/problem/problem.h"

#define X(name) extern const struct map_policy map_policy_##name;
#include "map/mapper/mappers.def"
#undef X

#define X(name) &map_policy_##name.entry,
static const struct entry *const mappers[] = {
#include "map/mapper/mappers.def"
};
#undef X

const struct registry map_policies = {
	.name = "mappers",
	.noun = "mapper",
	.entries = mappers,
	.n = sizeof(mappers) / sizeof(mappers[0]),
};
