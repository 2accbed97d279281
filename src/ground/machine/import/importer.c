/* importer.c - what importers share */
#include "machine/import/importer.h"
#include <stdio.h>
#include <string.h>
#include "model/topo_build.h"

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
