/* patterns.c - the registry of communication patterns */
#include "mpi/pattern/pattern.h"

#define X(name) extern const struct pattern pattern_##name;
#include "mpi/pattern/patterns.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &pattern_##name.entry,
#include "mpi/pattern/patterns.def"
#undef X
};

const struct registry patterns = {
	.name = "patterns",
	.noun = "communication pattern",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
