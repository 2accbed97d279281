/* registry.c - the registry of filters */
#include "algo/filter/filter.h"

#define X(name) extern const struct filter filter_##name;
#include "algo/filter/filters.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &filter_##name.entry,
#include "algo/filter/filters.def"
#undef X
};

const struct registry filters = {
	.name = "filters",
	.noun = "filter",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
