/* type.h - the registry of networks that have a structure */
#ifndef MACHINE_KIND_TYPE_H
#define MACHINE_KIND_TYPE_H

#include "base/registry.h"
#include "model/topo_type.h"

extern const struct registry topo_types; /* "topologies" */

#endif
