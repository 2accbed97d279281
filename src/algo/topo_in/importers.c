/* importers.c - the registry of the descriptions that machines are read from */
#include "algo/topo_in/importer.h"

#include <stdio.h>
#include <string.h>

#include "model/topo_build.h"

#define X(name) extern const struct topo_importer topo_importer_##name;
#include "algo/topo_in/importers.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &topo_importer_##name.entry,
#include "algo/topo_in/importers.def"
#undef X
};

const struct registry topo_importers = {
	.name = "importers",
	.noun = "input format",
	.entries = entries,
	.n = sizeof(entries) / sizeof(*entries),
};

void topo_import_name(const struct topo_import *from, char name[TOPO_NAME])
{
	const char *path = from->paths[0], *slash;
	size_t n;

	if (path == NULL || str_eq(path, "-"))
		path = "machine";
	slash = strrchr(path, '/');
	path = slash != NULL ? slash + 1 : path;
	n = strcspn(path, ".");
	if (topo_clean_name(path, n > 0 ? n : strlen(path), name) == 0)
		snprintf(name, TOPO_NAME, "machine");
}
