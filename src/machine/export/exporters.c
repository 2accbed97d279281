/* exporters.c - the registry of the forms that machines are written in */
#include "machine/export/exporter.h"

#define X(name) extern const struct topo_exporter topo_exporter_##name;
#include "machine/export/exporters.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &topo_exporter_##name.entry,
#include "machine/export/exporters.def"
#undef X
};

const struct registry topo_exporters = {
	.name = "exporters",
	.noun = "output format",
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};
