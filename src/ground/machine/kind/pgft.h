/* pgft.h - parallel generalised fat trees, of which fat trees and plain trees are cases */
#ifndef MACHINE_KIND_PGFT_H
#define MACHINE_KIND_PGFT_H

#include "machine/kind/shape.h"

enum { PGFT_LEVELS = 8 };

/*
 * PGFT(h; m; w; p): a vertex of level l has m[l] children, w[l+1] parents, and p[l] parallel cables
 * to each child; level 0 is the nodes. Level l has subtrees of nodes_below[l] nodes, each with
 * tops[l] = w[1]…w[l] top switches; its switches are numbered subtree by subtree, and switch
 * (subtree A, number B) has the parents (⌊A/m[l+1]⌋, B + β·tops[l]), β < w[l+1]. Levels are
 * numbered one after the other, leaf switches first. Arrays are indexed from 1 (tops, nodes_below
 * from 0).
 */
struct pgft {
	int nlevels;
	int m[PGFT_LEVELS + 1], w[PGFT_LEVELS + 1], p[PGFT_LEVELS + 1];
	int tops[PGFT_LEVELS + 1], nodes_below[PGFT_LEVELS + 1];
	int first[PGFT_LEVELS + 2]; /* router that level l begins with; [nlevels + 1]: nrouters */
};

/* m, w, p: [nlevels], the first one for the level of the leaf switches. */
int pgft_shape(struct topo *topo, const int64_t *m, const int64_t *w, const int64_t *p, int nlevels,
	       struct err *err);

void pgft_links(const struct topo *topo, topo_link_fn *add, void *context);
int pgft_distance(const struct topo *topo, int router_a, int router_b);
int pgft_next(const struct topo *topo, int router_a, int router_b, int node_b, int *cable);
void pgft_distances(const struct topo *topo, struct distance_counts *counts);
void pgft_pairs(const struct topo *topo, const struct router_counts *counts,
		struct pair_links *links);
int pgft_bisection(const struct topo *topo, double *bytes_per_s, const char **how);
void pgft_place(const struct topo *topo, int router, double *x, double *y);
const struct pgft *pgft_view(const struct topo *topo);
bool pgft_write_scotch(const struct topo *topo, int ncores, struct out *out);
void pgft_free(struct topo *topo);

#define PGFT_LEVEL_PARAMS                                                                          \
	TOPO_LEVEL_PARAMS("level2"), TOPO_LEVEL_PARAMS("level3"), TOPO_LEVEL_PARAMS("level4"),     \
		TOPO_LEVEL_PARAMS("level5"), TOPO_LEVEL_PARAMS("level6"),                          \
		TOPO_LEVEL_PARAMS("level7"), TOPO_LEVEL_PARAMS("level8")

#define PGFT_FUNCTIONS                                                                             \
	.is_tree = true, .is_tree_like = true, .links = pgft_links, .distance = pgft_distance,     \
	.next = pgft_next, .distances = pgft_distances, .pairs = pgft_pairs,                       \
	.bisection = pgft_bisection, .place = pgft_place, .as_tree = pgft_view,                    \
	.write_scotch = pgft_write_scotch, .free_shape = pgft_free

#endif
