/* exporters.c - the registry of the forms that machines are written in */
#include "machine/export/exporter.h"

#define REGISTRY "machine/export/exporters.def"
#define REGISTRY_TYPE struct topo_exporter
#define REGISTRY_PREFIX topo_exporter_
#include "base/registry_entries.h"

const struct registry topo_exporters = REGISTRY_OF("exporters", "output format");
