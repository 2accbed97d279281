/* topologies.c - the registry of networks that have a structure */
#include "machine/kind/type.h"

#define REGISTRY "machine/kind/topologies.def"
#define REGISTRY_TYPE struct topo_type
#define REGISTRY_PREFIX topo_type_
#include "base/registry_entries.h"

const struct registry topo_types = REGISTRY_OF("topologies", "topology");
