/* machine.h - a machine for a unit program; without it the program ends */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include <stdio.h>
#include <stdlib.h>

#include "machine/load.h"

static inline struct topo *machine(const char *spec)
{
	struct topo *topo;
	struct err err;

	if (topo_load(&topo, spec, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		exit(2);
	}
	return topo;
}

/* The same with I/O nodes [a node list; NULL: none], apart from compute nodes or among them. */
static inline struct topo *machine_with_io(const char *spec, const char *io, bool is_separate)
{
	struct topo *topo = machine(spec);
	int_vec nodes = {0};
	struct err err;

	if (io == NULL)
		return topo;
	if (topo_nodelist_read(topo, io, &nodes, &err) != 0) {
		printf("%s: %s\n", spec, err.msg);
		exit(2);
	}
	topo->nio = 1;
	topo->io = xcalloc(1, sizeof(*topo->io));
	topo->io[0] = (struct topo_io){.name = arena_strndup(&topo->arena, "io", 2),
				       .nodes = nodes.at,
				       .nnodes = (int)nodes.n,
				       .is_separate = is_separate};
	return topo;
}

#endif
