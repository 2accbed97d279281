/* slurm_blocks.h - Slurm's blocks as a hierarchy of a machine */
#ifndef MACHINE_IMPORT_SLURM_BLOCKS_H
#define MACHINE_IMPORT_SLURM_BLOCKS_H

#include "formats/slurm/slurmconf.h"
#include "model/topo.h"

/*
 * Adds the blocks as the hierarchy of that name: the level "block" (or, where it is taken, the
 * name) with the planned size, and one level of every= for each larger size. Without BlockSizes
 * Slurm plans with the nodes of the first block that has some, and enforces up to sixteen times as
 * many. A topology with a node that the machine lacks, which is of other nodes, is left out.
 */
int slurm_add_blocks(struct topo *topo, const struct slurm_topology *slurm, const char *name,
		     struct err *err);

#endif
