/* importer.h - machines from the descriptions that sites have */
#ifndef MACHINE_IMPORT_IMPORTER_H
#define MACHINE_IMPORT_IMPORTER_H

#include "base/registry.h"
#include "model/topo.h"

/* The options of topogen --from. */
struct topo_import {
	const struct pick *pick;   /* of the importer, with its parameters; topo_import sets it */
	char *const *paths;        /* ends in NULL; none: standard input */
	const char *node_name_map; /* --node-name-map FILE, or NULL */
	const char *const *routes; /* [nroutes] --routes FORMAT:FILE */
	int nroutes;
};

/* One file: src/ground/machine/import/NAME.c ends in topo_importer_NAME; one line in importers.def.
 * read makes a machine with model/topo_build.h, named after the file it came from
 * (topo_import_name). */
struct topo_importer {
	struct entry entry;
	int (*read)(struct topo **topo, const struct topo_import *from, struct err *err);
	bool takes_routes, takes_names; /* --routes, --node-name-map */
};

extern const struct registry topo_importers; /* "importers" */

/* Reads a machine by the importer that a pick names. */
int topo_import(struct topo **topo, const char *pick, const struct topo_import *from,
		struct err *err);

/* The same, or (pick NULL) the machine that the only operand names (topo_load). */
int topo_from_operands(struct topo **topo, const char *pick, const struct topo_import *from,
		       struct err *err);

/* The name of a machine that came from these files: the first one's without folder and endings;
 * "machine" for standard input. */
void topo_import_name(const struct topo_import *from, char name[TOPO_NAME]);

#endif
