/* slurmconf_priv.h - what the readers of Slurm's two forms share */
#ifndef FORMATS_SLURM_SLURMCONF_PRIV_H
#define FORMATS_SLURM_SLURMCONF_PRIV_H

#include "formats/slurm/slurmconf.h"

/* Where something is, for messages. */
struct slurm_place {
	const char *file; /* kept with the topology */
	long line;
};

int slurm_error(struct slurm_place at, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a switch that is not there yet; lists are as written, or NULL. Returns its number or -1. */
int slurm_add_switch(struct slurm_topology *slurm, struct slurm_place at, const char *name,
		     const char *children, const char *nodes, struct err *err);

/* The nodes of a block; NULL: it has none, and only keeps its place. */
const char *slurm_block_nodes(const char *list);
/* Keeps a size of blocks in ascending order, each once. */
int slurm_add_size(struct slurm_topology *slurm, struct slurm_place at, const char *text,
		   struct err *err);
/*
 * Blocks that hang beneath nothing yet are joined by the sizes: in nodes, the first of one block,
 * the next ones of aggregated blocks.
 */
int slurm_join_blocks(struct slurm_topology *slurm, struct slurm_place at, struct err *err);

/* At the end of the input: children become numbers, levels are found, contradictions
 * are refused. */
int slurm_resolve(struct slurm_topology *slurm, struct err *err);

#endif
