/* importers.c - the registry of the descriptions that machines are read from */
#include "machine/import/importer.h"

#include "machine/load.h"

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

int topo_from_operands(struct topo **topo, const char *pick, const struct topo_import *from,
		       struct err *err)
{
	if (pick != NULL)
		return topo_import(topo, pick, from, err);
	*topo = NULL;
	if (from->node_name_map != NULL || from->nroutes > 0)
		return err_set(err, "%s goes with --from",
			       from->nroutes > 0 ? "--routes" : "--node-name-map");
	if (from->paths[0] == NULL || from->paths[1] != NULL)
		return err_set(err, "expected one SPEC, @NAME or topology file, or --from FORMAT");
	return topo_load(topo, from->paths[0], err);
}
