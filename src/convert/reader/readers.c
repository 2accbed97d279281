/* readers.c - the registry of readers */
#include "convert/reader/reader.h"

#define X(name) extern const struct reader reader_##name;
#include "convert/reader/readers.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &reader_##name.entry,
#include "convert/reader/readers.def"
#undef X
};

const struct registry readers = {
	.name = "readers",
	.noun = "format to read",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
