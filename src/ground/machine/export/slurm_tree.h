/* slurm_tree.h - a machine as the tree of switches that Slurm wants */
#ifndef MACHINE_EXPORT_SLURM_TREE_H
#define MACHINE_EXPORT_SLURM_TREE_H

#include "model/topo.h"

struct slurm_out {
	char *name;
	int_vec children; /* switches; empty for a leaf */
	int_vec nodes;    /* of a leaf */
};

struct slurm_tree {
	VEC(struct slurm_out) switches; /* children come first */
	struct map names;
};

/*
 * Where the machine's own switches make a tree (or several) with the nodes at its leaves, these
 * switches; else its nesting: a leaf for each router that has nodes, a switch for each domain of a
 * tier ("group0"), and one for all ("top"). A node is beneath its first router. Refuses names that
 * Slurm has no room for (64 letters).
 */
int slurm_tree_make(struct slurm_tree *tree, struct topo *topo, struct err *err);
void slurm_tree_free(struct slurm_tree *tree);

/* The names of the children of a switch, folded. */
void slurm_tree_children(const struct slurm_tree *tree, int number, struct buf *list);

#endif
