/* patterns.c - the registry of communication patterns */
#include "mpi/pattern/pattern.h"

#define REGISTRY "mpi/pattern/patterns.def"
#define REGISTRY_TYPE struct pattern
#define REGISTRY_PREFIX pattern_
#include "base/registry_entries.h"

const struct registry patterns = REGISTRY_OF("patterns", "communication pattern");
