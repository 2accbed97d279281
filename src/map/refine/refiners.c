/* refiners.c - the registry of refiners */
#include "map/problem/problem.h"

#define X(name) extern const struct map_refiner map_refiner_##name;
#include "map/refine/refiners.def"
#undef X

#define X(name) &map_refiner_##name.entry,
static const struct entry *const refiners[] = {
#include "map/refine/refiners.def"
};
#undef X

const struct registry map_refiners = {
	.name = "refiners",
	.noun = "refiner",
	.entries = refiners,
	.n = sizeof(refiners) / sizeof(refiners[0]),
};
