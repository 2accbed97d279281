/* scotch.c - libscotch maps the graph onto the mesh, torus, hypercube or tree of the machine */
#include "map/mapper/scotch_grid.h"
#include "map/partition/libscotch.h"
#include "map/partition/graph_cut.h"

#include <stdlib.h>

#include "base/mem.h"

#ifdef HAVE_SCOTCH
/*
 * The machine is a tree of its tiers, made even: every domain has as many children as the largest
 * of its tier, a node as many cores as the largest room. Two leaves are as far apart as hops are
 * between the first two neighbouring nodes that part at that tier; cores of a node a tenth of a
 * hop. The job's slots are a part of its leaves (Scotch's "sub" of "tleaf").
 */
enum { TENTHS = 10 };

struct tree {
	int nlevels; /* from the machine down to the cores */
	SCOTCH_Num arity[TOPO_LEVELS + 2], cost[TOPO_LEVELS + 2];
	int *child; /* [nnodes × nlevels] which child of its parent holds the node, from above */
};

/* The domain of a node; tier -1: the node, ntiers: the machine. */
static int domain(const struct topo *topo, int node, int tier)
{
	if (tier < 0)
		return node;
	return tier < topo->ntiers ? topo_domain(topo, node, tier) : 0;
}

/* Children of the domains of a tier, numbered in the order of the nodes. */
static void number_children(const struct map_input *in, struct tree *tree, int level, int tier)
{
	const struct topo *topo = in->topo;
	int nbelow = tier == 0 ? topo->nnodes : topo->tiers[tier - 1].n;
	int nabove = tier < topo->ntiers ? topo->tiers[tier].n : 1;
	int *number_of = xmalloc((size_t)nbelow * sizeof(*number_of));
	int *nchildren = xcalloc((size_t)nabove, sizeof(*nchildren));

	for (int d = 0; d < nbelow; d++)
		number_of[d] = -1;
	tree->arity[level] = 1;
	for (int v = 0; v < topo->nnodes; v++) {
		int below = domain(topo, v, tier - 1), above = domain(topo, v, tier);

		if (number_of[below] < 0) {
			number_of[below] = nchildren[above]++;
			if (nchildren[above] > tree->arity[level])
				tree->arity[level] = nchildren[above];
		}
		tree->child[v * tree->nlevels + level] = number_of[below];
		if (v > 0 && tree->cost[level] == 0 && domain(topo, v - 1, tier) == above &&
		    domain(topo, v - 1, tier - 1) != below)
			tree->cost[level] = TENTHS * route_hops(in->routes->routing, v - 1, v);
	}
	free(number_of);
	free(nchildren);
}

static void make_tree(const struct map_input *in, struct tree *tree)
{
	int ntiers = in->topo->ntiers, last = ntiers + 1;

	*tree = (struct tree){.nlevels = ntiers + 2};
	tree->child =
		xcalloc((size_t)in->topo->nnodes * (size_t)tree->nlevels, sizeof(*tree->child));
	for (int tier = ntiers; tier >= 0; tier--)
		number_children(in, tree, ntiers - tier, tier);
	tree->arity[last] = 1;
	tree->cost[last] = 1;
	for (int v = 0; v < in->nnodes; v++)
		if (in->room[v] > tree->arity[last])
			tree->arity[last] = in->room[v];
	for (int level = last - 1; level >= 0; level--)
		if (tree->cost[level] < tree->cost[level + 1])
			tree->cost[level] = tree->cost[level + 1];
}

/* Place k of the architecture is slot k: the cores of the nodes, in list order. */
static int map_tree(const struct map_input *in, int *slot_of)
{
	SCOTCH_Num *leaves = xmalloc((size_t)in->nslots * sizeof(*leaves));
	SCOTCH_Arch whole, sub;
	struct tree tree;
	int n = 0, status;

	make_tree(in, &tree);
	for (int v = 0; v < in->nnodes; v++)
		for (int core = 0; core < in->room[v]; core++) {
			SCOTCH_Num leaf = 0;

			for (int level = 0; level < tree.nlevels - 1; level++)
				leaf = leaf * tree.arity[level] +
				       tree.child[in->nodes[v] * tree.nlevels + level];
			leaves[n++] = leaf * tree.arity[tree.nlevels - 1] + core;
		}
	SCOTCH_archInit(&whole);
	SCOTCH_archInit(&sub);
	status = SCOTCH_archTleaf(&whole, tree.nlevels, tree.arity, tree.cost);
	if (status == 0)
		status = SCOTCH_archSub(&sub, &whole, n, leaves);
	if (status == 0)
		status = libscotch_map(in->symmetric, &sub, n, 0.001, 1, slot_of);
	SCOTCH_archExit(&sub);
	SCOTCH_archExit(&whole);
	free(tree.child);
	free(leaves);
	return status;
}

/* Leaves of the padded tree are numbered in whole numbers of libscotch. */
static bool is_small(const struct map_input *in)
{
	struct tree tree;
	double leaves = 1;

	make_tree(in, &tree);
	for (int level = 0; level < tree.nlevels; level++)
		leaves *= tree.arity[level];
	free(tree.child);
	return leaves < 2e9;
}

static int place_tree(const struct map_input *in, int *node_of)
{
	int *slot_of = xmalloc((size_t)in->comm->nranks * sizeof(*slot_of));
	int *node_at = xmalloc((size_t)in->nslots * sizeof(*node_at)), n = 0;
	int status = map_tree(in, slot_of);

	for (int v = 0; v < in->nnodes; v++)
		for (int core = 0; core < in->room[v]; core++)
			node_at[n++] = v;
	for (int r = 0; r < in->comm->nranks && status == 0; r++)
		node_of[r] = node_at[slot_of[r]];
	free(slot_of);
	free(node_at);
	return status;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	(void)parts;
	if (pick_is(pick, "arch", "tree") || !scotch_grid(in, node_of)) {
		if (!is_small(in))
			return err_set(err,
				       "scotch: the machine is too large a tree for libscotch");
		if (place_tree(in, node_of) != 0)
			return err_set(err, "libscotch does not map %d ranks to %d slots",
				       in->comm->nranks, in->nslots);
		/* libscotch may miss sizes by a little */
		partition_fit(in->symmetric, in->nnodes, in->room, node_of);
	}
	return 0;
}
#else
static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	(void)in, (void)parts, (void)pick, (void)node_of;
	return err_set(err, LIBSCOTCH_IS_MISSING);
}
#endif

const struct map_policy map_policy_scotch = {
	.entry =
		{
			.name = "scotch",
			.example = "scotch",
			.summary = "libscotch maps the graph onto the machine: a mesh, a torus, a "
				   "hypercube, or the tree of its tiers",
			.paper = "Pellegrini, Roman: Scotch, static mapping by "
				 "dual recursive bipartitioning",
			.params =
				(const struct param[]){
					{.key = "arch",
					 .type = PARAM_WORD,
					 .choices = "own|tree",
					 .def = "own",
					 .meaning = "libscotch's architecture. own: the "
						    "machine's, if libscotch has it, and "
						    "all nodes take equally many ranks and "
						    "fill a box of it or have a router each. "
						    "tree: the tree of tiers"},
					{0}},
		},
	.refine = "none",
	.run = run,
};
