/* merge.c - the registry of merges */
#include "live/merge/merge.h"

#define REGISTRY "live/merge/merges.def"
#define REGISTRY_TYPE struct merge
#define REGISTRY_PREFIX merge_
#include "base/registry_entries.h"

const struct registry merges = REGISTRY_OF("merges", "merge");
