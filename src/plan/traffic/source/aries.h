/* aries.h - what the sources of Cray Aries share: the tiles of a router */
#ifndef TRAFFIC_SOURCE_ARIES_H
#define TRAFFIC_SOURCE_ARIES_H

#include "traffic/source/source.h"

enum { ARIES_ROWS = 5, ARIES_COLUMNS = 8, ARIES_NICS = 4, ARIES_VCS = 8, ARIES_PTILES = 8 };

/* A stall count is one cycle of the 800 MHz router: Cray's gpcdr-init gives ns = count × 5/4. */
#define ARIES_TICK_S 1.25e-9

/* Adds the ROWBUS stalls of the network tiles that are there, one probe each, labelled lRC as in
 * Cray's names of links; where also their flits, as traffic of the tile. Returns 0 or -1. */
int aries_plan_tiles(struct source_plan *plan, const struct pick *pick,
		     const struct counter_names *names, bool with_flits, struct err *err);

#endif
