/* algorithms.c - the registry of collective algorithms */
#include "mpi/collective/collective.h"

#define REGISTRY "mpi/collective/algorithms.def"
#define REGISTRY_TYPE struct collective_algorithm
#define REGISTRY_PREFIX collective_algorithm_
#include "base/registry_entries.h"

const struct registry collective_algorithms = REGISTRY_OF("collectives", "collective algorithm");
