/* slurm_machine.h - a machine from a network as Slurm knows it */
#ifndef MACHINE_IMPORT_SLURM_MACHINE_H
#define MACHINE_IMPORT_SLURM_MACHINE_H

#include "machine/import/importer.h"
#include "formats/slurm/slurmconf.h"

/* The parameters that the pick of every such importer has. */
#define SLURM_PARAMS                                                                                     \
	{.key = "cores",                                                                                 \
	 .type = PARAM_INT,                                                                              \
	 .min = 1,                                                                                       \
	 .max = 1000000,                                                                                 \
	 .def = "1",                                                                                     \
	 .meaning = "cores of each node"},                                                               \
		{.key = "uplinks",                                                                       \
		 .type = PARAM_INT,                                                                      \
		 .min = 1,                                                                               \
		 .max = 1024,                                                                            \
		 .def = "1",                                                                             \
		 .meaning =                                                                              \
			 "cables between a switch and each switch above it, which Slurm does not know"}, \
	{                                                                                                \
		.key = "link-speed", .type = PARAM_BANDWIDTH, .optional = true, .unit = "B/s",           \
		.meaning =                                                                               \
			"the bandwidth that LinkSpeed=1 represents, of the links below a "               \
			"switch, and of all links where no switch has a LinkSpeed; Slurm leaves "        \
			"it open, and without it LinkSpeed is not used"                                  \
	}

/*
 * Switches become routers with one cable to each of their nodes, and uplinks= to each child switch;
 * a warning says that one is a guess. Where several switches have one child, as the spines of a fat
 * tree, each has its cable. Routers are numbered level by level, leaves first, each level in the
 * order of the input.
 */
int slurm_machine(struct topo **topo, const struct slurm_topology *slurm,
		  const struct topo_import *from, struct err *err);

/* topology.conf, and scontrol show topology, which prints the same lines: an importer's read and
 * params. */
int slurm_lines_read(struct topo **topo, const struct topo_import *from, struct err *err);
extern const struct param slurm_lines_params[];

#endif
