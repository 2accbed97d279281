/* grid.h - networks of dimensions: torus, mesh, ring, line, hypercube */
#ifndef MACHINE_KIND_GRID_H
#define MACHINE_KIND_GRID_H

#include "machine/kind/shape.h"

enum { GRID_DIMS = 32 };

/*
 * Routers are numbered with the first dimension varying fastest. Each is joined to its neighbours
 * in every dimension by cables[d] parallel cables; on a ring the last is joined to the first,
 * except that a ring of two is one joint, not two.
 */
struct grid {
	int ndims;
	int sizes[GRID_DIMS], cables[GRID_DIMS];
	int strides[GRID_DIMS];
	bool is_ring;
	int per; /* nodes of each router */
};

/* sizes [ndims]; cables [ndims], NULL: 1 everywhere. */
int grid_shape(struct topo *topo, const int64_t *sizes, int ndims, const struct value *cables,
	       bool is_ring, int64_t per, struct err *err);
/* torus:dims= and mesh:dims=; ring:nodes= and line:nodes=, where per-router= must divide nodes. */
extern const struct param grid_dims_params[], grid_line_params[];
int grid_shape_dims(struct topo *topo, const struct pick *pick, bool is_ring, struct err *err);
int grid_shape_line(struct topo *topo, const struct pick *pick, bool is_ring, struct err *err);

void grid_links(const struct topo *topo, topo_link_fn *add, void *context);
int grid_distance(const struct topo *topo, int router_a, int router_b);
int grid_port(const struct topo *topo, int router, int peer);
int grid_next(const struct topo *topo, int router_a, int router_b, int node_b, int *cable);
void grid_distances(const struct topo *topo, struct distance_counts *counts);
void grid_pairs(const struct topo *topo, const struct router_counts *counts,
		struct pair_links *links);
bool grid_within(const struct topo *topo, const struct router_counts *counts, const bool *is_open,
		 uint64_t *npairs);
int grid_bisection(const struct topo *topo, double *bytes_per_s, const char **how);
int grid_dims(const struct topo *topo, const int **sizes, bool *is_ring);
void grid_place(const struct topo *topo, int router, double *x, double *y);
/* mesh2D, mesh3D, torusXD: where each router has one node. */
bool grid_write_scotch(const struct topo *topo, int ncores, struct out *out);
void grid_free(struct topo *topo);
/* Where a router of dimensions is drawn: even ones to the right, odd ones down, blocks
 * of blocks. */
void dims_place(const int *sizes, const int *strides, int ndims, int router, double *x, double *y);

/* All but how Scotch has it and the links. */
#define GRID_ROUTES                                                                                \
	.distance = grid_distance, .next = grid_next, .port = grid_port, .port_pays_from = 8192,   \
	.distances = grid_distances, .pairs = grid_pairs, .within = grid_within,                   \
	.bisection = grid_bisection, .dims = grid_dims, .place = grid_place,                       \
	.free_shape = grid_free

#define GRID_FUNCTIONS .links = grid_links, .write_scotch = grid_write_scotch, GRID_ROUTES

#endif
