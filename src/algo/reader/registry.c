/* registry.c - the registry of readers */
#include "algo/reader/reader.h"

#define X(name) extern const struct reader reader_##name;
#include "algo/reader/readers.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &reader_##name.entry,
#include "algo/reader/readers.def"
#undef X
};

const struct registry readers = {
	.name = "readers",
	.noun = "format to read",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
