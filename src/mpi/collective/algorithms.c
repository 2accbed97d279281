/* algorithms.c - the registry of collective algorithms */
#include "mpi/collective/collective.h"

#define X(name) extern const struct collective_algorithm collective_algorithm_##name;
#include "mpi/collective/algorithms.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &collective_algorithm_##name.entry,
#include "mpi/collective/algorithms.def"
#undef X
};

const struct registry collective_algorithms = {
	.name = "collectives",
	.noun = "collective algorithm",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
