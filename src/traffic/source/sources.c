/* sources.c - the registry of counter sources */
#include "traffic/source/source.h"

#define X(name) extern const struct source counter_source_##name;
#include "traffic/source/sources.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &counter_source_##name.entry,
#include "traffic/source/sources.def"
#undef X
};

const struct registry sources = {
	.name = "sources",
	.noun = "counter source",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
