/* writers.c - the registry of writers */
#include "convert/writer/writer.h"

#define X(name) extern const struct writer writer_##name;
#include "convert/writer/writers.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &writer_##name.entry,
#include "convert/writer/writers.def"
#undef X
};

const struct registry writers = {
	.name = "writers",
	.noun = "format to write",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};
