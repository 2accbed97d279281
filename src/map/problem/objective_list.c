/* objective_list.c - the registry of objectives */
#include "map/problem/problem.h"

#define X(name) extern const struct map_objective map_objective_##name;
#include "map/problem/objectives.def"
#undef X

#define X(name) &map_objective_##name.entry,
static const struct entry *const objectives[] = {
#include "map/problem/objectives.def"
};
#undef X

const struct registry map_objectives = {
	.name = "objectives",
	.noun = "objective",
	.entries = objectives,
	.n = sizeof(objectives) / sizeof(objectives[0]),
};
