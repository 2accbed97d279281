/* slurmconf.h - a network as Slurm knows it: topology.conf, topology.yaml, scontrol
 * show topology */
#ifndef FORMATS_SLURM_SLURMCONF_H
#define FORMATS_SLURM_SLURMCONF_H

#include <stdbool.h>

#include "base/err.h"
#include "base/names.h"
#include "base/mem.h"

/* Nodes; places of nodes beneath switches; letters of a switch's name (Slurm's own limit). */
enum { SLURM_NODES_MOST = 1 << 20, SLURM_PLACES_MOST = 1 << 24, SLURM_NAME_MOST = 64 };
/* Sizes of blocks: each a power of two times the first, at most 2^15. */
enum { SLURM_SIZES_MOST = 16, SLURM_DOUBLINGS_MOST = 15 };

typedef VEC(int) slurm_ints;

struct slurm_switch {
	const char *name;
	int speed;                    /* LinkSpeed, in units that Slurm leaves open; 0: unknown */
	slurm_ints children, parents; /* switches */
	slurm_ints nodes;             /* of a leaf */
	int level;                    /* switches on the longest path down: 0 has nodes only */
	bool is_sum;                  /* of scontrol: Nodes= are those of its children too */
	int dims[3];                  /* x, y, z of a ring or torus of its nodes; 0: a switch */
	const char *child_list, *node_list;
	const char *file;
	long line;
};

struct slurm_topology;
struct slurm_other {
	const char *name;
	struct slurm_topology *topology;
};

/* Blocks are switches too: one for each block, one for each aggregated block, one for all. A block
 * may have no nodes: it keeps a place among those that are counted. */
struct slurm_topology {
	VEC(struct slurm_switch) switches; /* in input order */
	VEC(const char *) nodes;           /* names, in input order */
	struct map switch_ids, node_ids;
	slurm_ints last_switch; /* of each node: where it was listed last */
	int nplaces;
	bool is_block;
	int nblocks;                         /* the first switches are these */
	int sizes[SLURM_SIZES_MOST], nsizes; /* BlockSizes, ascending; none: not said */
	/* Of topology.yaml, where no topology is asked for: the other ones that have blocks. */
	VEC(struct slurm_other) others;
	struct arena arena;
};

/*
 * Reads topology.conf (trees, blocks and rings) or what scontrol show topology prints, from files
 * that end in NULL (none: standard input). Refused, with FILE:LINE: a key or a list that is not
 * understood, a switch named twice, a child that is none, a switch beneath itself, one that has not
 * either nodes or switches, sizes of blocks that slurmctld refuses.
 */
int slurm_topology_read(struct slurm_topology **slurm, char *const *paths, struct err *err);

/*
 * The same from a topology.yaml: the topology of that name, else (NULL) the cluster's default. A
 * ring or a torus3d is a switch with dims: its nodes in their order, x first, then y, then z.
 * Refused too: dims whose product is not the number of nodes.
 */
int slurm_topology_read_yaml(struct slurm_topology **slurm, const char *path, const char *name,
			     struct err *err);

void slurm_topology_free(struct slurm_topology *slurm); /* NULL is allowed */

#endif
