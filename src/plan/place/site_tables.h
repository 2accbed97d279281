/* site_tables.h - what a scheduler says of the machine: nodes, partitions, reservations */
#ifndef PLACE_SITE_TABLES_H
#define PLACE_SITE_TABLES_H

#include "place/run/schedule.h"

/* Reads tables of the kinds nodes (at most one), partitions and reservations; paths ends
 * in NULL. */
int site_tables_read(struct schedule *schedule, char *const *paths, bool accepts_partial,
		     struct err *err);

#endif
