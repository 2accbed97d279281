/* near.h - sets of nodes that are no further apart than a distance */
#ifndef PLACE_CONSTRAINT_NEAR_H
#define PLACE_CONSTRAINT_NEAR_H

#include "place/constraint/constraint.h"
#include "place/constraint/distances.h"

/* The nodes that may be used: idle ones, or all in service. */
struct pool {
	const struct space *space;
	struct distances *distances;
	bool *has;   /* [nnodes] */
	int *weight; /* [nrouters] nodes of each */
	int n;
	struct near_lists *lists; /* NULL: sets are not kept */
};
/* machine NULL: all in service. */
void pool_init(struct pool *pool, struct distances *distances, const struct machine *machine);
void pool_free(struct pool *pool);
/* Appends those of a router. */
void pool_add(const struct pool *pool, int router, int_vec *nodes);

/*
 * Sets of routers that are no further apart than a distance: the balls of near_balls, each once, in
 * their order. They depend on the machine only.
 */
struct near_list {
	bool is_made, is_too_long;
	int_vec first, router; /* those of set i: router[first[i]] … first[i + 1] − 1 */
};
struct near_lists {
	int most;
	struct near_list *of; /* [most + 1] */
	int_vec room;         /* for near_counts */
};
void near_lists_open(struct near_lists *lists, int most);
void near_lists_close(struct near_lists *lists);

/* A region with a minimum number of nodes of the pool. Nonzero ends the search. */
typedef int near_visit_fn(void *context, const int *nodes, int n);

struct near_query {
	const struct pool *pool;
	int wanted;
	int distance; /* the most between two nodes */
	int64_t steps;
	near_visit_fn *visit;
	void *context;
	int_vec nodes;
};

/*
 * Regions in which no two nodes are further apart; every set of wanted nodes that is so is in one
 * of them if SEARCH_ALL is returned. Exact: in hierarchies (domains of a tier), on meshes of one or
 * two dimensions (squares in rotated coordinates), on rings below a third of the way round, and
 * elsewhere up to 1 024 routers if the search for cliques comes to its end. Else SEARCH_BOUND: tier
 * domains, balls (with one centre, or two that are neighbours) and boxes only.
 */
int near_regions(struct near_query *query);

/* The least distance with a region; *is_exact: no set has less. −1: too few nodes. */
int near_least(const struct pool *pool, int wanted, bool *is_exact);
enum { NEAR_CLIQUE_ROUTERS = 1024 };
/* A line or a mesh of two dimensions. */
bool near_is_flat(const struct space *space);
/* Whether regions are guessed whatever is wanted; then the most nodes of one of a distance. */
bool near_is_guessed(const struct space *space);
int near_widest(const struct pool *pool, int distance, int64_t steps);

/* ---- the ways of near_regions ---- */
int near_domains(struct near_query *query);
int near_squares(struct near_query *query);
int near_arcs(struct near_query *query);
int near_cliques(struct near_query *query);
int near_balls(struct near_query *query);
int near_torus_balls(struct near_query *query);
int near_boxes(struct near_query *query);

/*
 * Of every ball of a torus the nodes, where each router has weight [nrouters] of them: around each
 * router, and around it and the one a step further on in a dimension (second; −1: around one). What
 * is returned is in the room, until it is used again. steps: of about a nanosecond.
 */
const int *near_counts(const struct space *space, const int *weight, int radius, int second,
		       int_vec *room);
int64_t near_counts_steps(const struct space *space, int radius);

#endif
