/* explicit.h - the whole graph of a machine as tables within one YAML document */
#ifndef MACHINE_EXPORT_EXPLICIT_H
#define MACHINE_EXPORT_EXPLICIT_H

#include "formats/out.h"
#include "model/topo.h"

int topo_write_explicit(struct topo *topo, struct out *out); /* 0; errors are kept by out */

/* The table routes, of a machine that has them. */
void topo_write_routes(const struct topo *topo, struct out *out);

#endif
