/* io_placement.h - where the I/O nodes of a machine are */
#ifndef MACHINE_IO_IO_PLACEMENT_H
#define MACHINE_IO_IO_PLACEMENT_H

#include "base/registry.h"
#include "model/topo.h"

struct io_placement {
	struct entry entry;
	/* Appends the I/O nodes, or sets the level of the switches that have them. */
	int (*place)(const struct topo *topo, const struct pick *pick, int_vec *nodes,
		     int *at_level, struct err *err);
};

extern const struct registry io_placements; /* "io-placements" */

/*
 * Adds an entry to the machine's list for each pick of texts [n]. Refused: a name that is there
 * already, a node that is an I/O node already, nothing at all.
 */
int topo_place_io(struct topo *topo, const char *const *texts, int n, struct err *err);

/* Drains must lead to another entry with devices, in the end to one that has none. */
int io_check_drains(const struct topo *topo, struct err *err);

/* The tier that the parameter tier= names; -1: the machine has none of this name. */
int io_placement_tier(const struct topo *topo, const struct pick *pick, struct err *err);

/* Of placements by domains: see io_placement_tier(). */
#define IO_PLACEMENT_TIER                                                                          \
	{                                                                                          \
		.key = "tier", .type = PARAM_TEXT, .def = "router",                                \
		.meaning = "router, group, pod, …: the machine's name of the tier"               \
	}

/* What every placement has. */
#define IO_PLACEMENT_PARAMS                                                                        \
	{.key = "name", .type = PARAM_TEXT, .def = "io", .meaning = "of the entry in the list"},   \
		{.key = "kind",                                                                    \
		 .type = PARAM_WORD,                                                               \
		 .choices = "coupled|separate",                                                    \
		 .def = "separate",                                                                \
		 .meaning = "coupled: they also compute; separate: no job gets them"},             \
		{.key = "storage",                                                                 \
		 .type = PARAM_FILE,                                                               \
		 .optional = true,                                                                 \
		 .meaning = "a file with a storage device for each of them, or @NAME of "          \
			    "share/storage"},                                                      \
	{                                                                                          \
		.key = "access", .type = PARAM_WORD, .choices = "shared|exclusive",                \
		.def = "shared", .meaning = "exclusive: one job at a time has one"                 \
	}

#endif
