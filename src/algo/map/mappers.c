/* mappers.c - the registry of mappers */
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
