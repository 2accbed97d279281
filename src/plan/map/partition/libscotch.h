/* libscotch.h - libscotch on communication graphs; only in files that are built with HAVE_SCOTCH */
#ifndef MAP_PARTITION_LIBSCOTCH_H
#define MAP_PARTITION_LIBSCOTCH_H

#ifdef HAVE_SCOTCH
#include <stdio.h>

#include <scotch.h>

#include "model/comm.h"

/* Maps the symmetric graph onto the architecture, of nplaces places: place_of [nranks], balanced to
 * within imbalance (0.01 is a hundredth). Returns non-zero when libscotch does not. */
int libscotch_map(const struct comm *comm, const SCOTCH_Arch *arch, int nplaces, double imbalance,
		  int seed, int *place_of);
#endif

/* What a build without it says. */
#define LIBSCOTCH_IS_MISSING                                                                       \
	"this build has no libscotch (Debian: libscotch-dev), which cuts graphs; mappers and "     \
	"partitions that do without it: in-order, block"

#endif
