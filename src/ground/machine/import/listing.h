/* listing.h - texts that importers read line by line, and the machine that is built of them */
#ifndef MACHINE_IMPORT_LISTING_H
#define MACHINE_IMPORT_LISTING_H

#include "base/mem.h"
#include "formats/in.h"
#include "machine/import/importer.h"

struct topo_build;

/* Zeroed before the first use. */
struct listing {
	struct arena arena; /* texts that outlive their line; the user frees it */
	struct in *in;      /* what is read */
	const char *file;   /* its name, in arena */
};

/* at: a line, without its end; valid until the next call */
typedef int listing_line_fn(void *context, char *at, struct err *err);
/* Adds all routers, nodes and links. */
typedef int listing_build_fn(void *context, struct topo_build *build,
			     const struct topo_import *from, struct err *err);

/* Calls line for every line of the operands, or of standard input. The first error ends it. */
int listing_read(struct listing *listing, const struct topo_import *from, listing_line_fn *line,
		 void *context, struct err *err);
/* The machine is named after the first operand, its nodes have the parameter cores. */
int listing_build(struct topo **topo, const struct topo_import *from, listing_build_fn *add,
		  void *context, struct err *err);

#define LISTING_CORES                                                                              \
	{                                                                                          \
		.key = "cores", .type = PARAM_INT, .min = 1, .max = 1000000, .def = "1",           \
		.meaning = "cores of each node"                                                    \
	}

#endif
