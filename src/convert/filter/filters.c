/* filters.c - the registry of filters */
#include "convert/filter/filter.h"

#define X(name) extern const struct filter filter_##name;
#include "convert/filter/filters.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &filter_##name.entry,
#include "convert/filter/filters.def"
#undef X
};

const struct registry filters = {
	.name = "filters",
	.noun = "filter",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
