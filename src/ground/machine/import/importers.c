/* importers.c - the registry of the descriptions that machines are read from */
#include "machine/import/importer.h"

#define REGISTRY "machine/import/importers.def"
#define REGISTRY_TYPE struct topo_importer
#define REGISTRY_PREFIX topo_importer_
#include "base/registry_entries.h"

const struct registry topo_importers = REGISTRY_OF("importers", "input format");

int topo_import(struct topo **topo, const char *text, const struct topo_import *from,
		struct err *err)
{
	struct topo_import how = *from;
	const struct topo_importer *importer;
	struct pick pick;
	int status;

	*topo = NULL;
	if (pick_parse(&pick, &topo_importers, text, err) != 0)
		return err_prefix(err, "--from: ");
	importer = (const struct topo_importer *)pick.entry;
	how.pick = &pick;
	if (how.nroutes > 0 && !importer->takes_routes)
		status = err_set(err, "--routes: %s contains no ports that tables could refer to",
				 pick.entry->name);
	else if (how.node_name_map != NULL && !importer->takes_names)
		status = err_set(err, "--node-name-map: %s has no names that a map could change",
				 pick.entry->name);
	else
		status = importer->read(topo, &how, err);
	pick_free(&pick);
	return status;
}
