/* readers.c - the registry of readers */
#include "convert/reader/reader.h"

#define REGISTRY "convert/reader/readers.def"
#define REGISTRY_TYPE struct reader
#define REGISTRY_PREFIX reader_
#include "base/registry_entries.h"

const struct registry readers = REGISTRY_OF("readers", "format to read");
