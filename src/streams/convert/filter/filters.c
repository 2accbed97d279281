/* filters.c - the registry of filters */
#include "convert/filter/filter.h"

#define REGISTRY "convert/filter/filters.def"
#define REGISTRY_TYPE struct filter
#define REGISTRY_PREFIX filter_
#include "base/registry_entries.h"

const struct registry filters = REGISTRY_OF("filters", "filter");
