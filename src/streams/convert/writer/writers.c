/* writers.c - the registry of writers */
#include "convert/writer/writer.h"

#define REGISTRY "convert/writer/writers.def"
#define REGISTRY_TYPE struct writer
#define REGISTRY_PREFIX writer_
#include "base/registry_entries.h"

const struct registry writers = REGISTRY_OF("writers", "format to write");
