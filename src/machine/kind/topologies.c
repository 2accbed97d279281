/* topologies.c - the registry of networks that have a structure */
#include "machine/kind/type.h"

#define X(name) extern const struct topo_type topo_type_##name;
#include "machine/kind/topologies.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &topo_type_##name.entry,
#include "machine/kind/topologies.def"
#undef X
};

const struct registry topo_types = {
	.name = "topologies",
	.noun = "topology",
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};
