/* sources.c - the registry of counter sources */
#include "traffic/source/source.h"

#define REGISTRY "traffic/source/sources.def"
#define REGISTRY_TYPE struct source
#define REGISTRY_PREFIX counter_source_
#include "base/registry_entries.h"

const struct registry sources = REGISTRY_OF("sources", "counter source");
