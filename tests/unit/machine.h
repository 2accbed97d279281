/* machine.h - a machine for a unit program; without it the program ends */
#ifndef TESTS_MACHINE_H
#define TESTS_MACHINE_H

#include <stdio.h>
#include <stdlib.h>

#include "algo/topo/load.h"

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

#endif
