/* compact.h - sets of nodes with the least sum of distances (Def. 8) */
#ifndef PLACE_CONSTRAINT_COMPACT_H
#define PLACE_CONSTRAINT_COMPACT_H

#include "place/constraint/near.h"

/* Sums are over unordered pairs. */
#define COMPACT_NONE INT64_MAX

/*
 * Hierarchies: f_v[x], the least sum of x nodes below v, from the children of v (a tree knapsack in
 * O(m·n) for m nodes): exact. Of equal sums the one with the least sum of ranks. nodes gets the
 * set. machine says how tiers nest.
 */
int64_t compact_tree(const struct pool *pool, const struct machine *machine, const int *rank,
		     int wanted, int_vec *nodes);

/* Lines: consecutive nodes of the pool: exact. */
int64_t compact_line(const struct pool *pool, const int *rank, int wanted, int_vec *nodes);

/*
 * Trees of equal domains, and within one group of a dragonfly: the least sum has one shape. NULL:
 * it is no such machine, or some nodes are not in service. fits: 1; 0: for sure not; −1: who knows.
 * choose, after a yes: of the sets of one domain the one with the least sum of ranks.
 */
struct compact_nested;
struct compact_nested *compact_nested_open(const struct space *space);
void compact_nested_close(struct compact_nested *nested);
int compact_nested_fits(struct compact_nested *nested, const uint64_t *idle, int n);
/* Of more nodes than one group: whether as many groups as they fill are idle, and one has room for
 * the others. On large machines sets of another shape are not searched for. */
bool compact_nested_has_full(struct compact_nested *nested, const uint64_t *idle, int n);
void compact_nested_choose(struct compact_nested *nested, const struct search *search,
			   int_vec *nodes);

/*
 * Elsewhere: from a centre always the node that adds least, ties by rank; over as many centres (by
 * rank) as the steps allow, until the sum is enough.
 */
int64_t compact_grow(const struct pool *pool, const int *rank, int wanted, int64_t enough,
		     int64_t *steps, int_vec *nodes);
/* What one growth costs. */
int64_t compact_grow_steps(const struct pool *pool, int wanted);

/* One growth from the nodes of the first routers, which all have some, until there are most nodes:
 * as they came, and sums [most + 1] of the first 0, 1, … of them. */
void compact_sequence(const struct pool *pool, const int_vec *first, int most, int_vec *nodes,
		      int64_t *sums);

/* The first n nodes of a sequence that are idle, as they are or, on a torus, moved as a whole to
 * another router; false: there are none. Steps are spent. */
bool compact_moved(const struct pool *pool, const int *sequence, int n, int64_t *steps,
		   int_vec *nodes);

/*
 * Branch and bound over all sets, in label order: visits those whose sum is at most limit; if the
 * visitor is NULL, only looks for the least sum, which *limit becomes. SEARCH_BOUND: not all were
 * seen; more than 1 024 routers are not tried at all.
 */
int compact_branch(const struct pool *pool, int wanted, int64_t *limit, int64_t *steps,
		   int (*visit)(void *context, const int *nodes), void *context);

/*
 * The shell bound: twice a sum is at least the sum over the nodes of their distances to the wanted
 * − 1 nearest ones. Nodes that are in no set of at most limit for that are taken out of the pool;
 * false: no such set is left. Machines of up to 1 024 routers.
 */
bool compact_peel(struct pool *pool, int wanted, int64_t limit);

/* Of any set. */
int64_t compact_sum(struct distances *distances, const int *nodes, int n);

#endif
