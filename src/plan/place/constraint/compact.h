/* compact.h - sets of nodes with the least sum of distances (Def. 8) */
#ifndef PLACE_CONSTRAINT_COMPACT_H
#define PLACE_CONSTRAINT_COMPACT_H

#include "place/constraint/near.h"

/* Sums are over unordered pairs. */
#define COMPACT_NONE INT64_MAX

/* More nodes than so many are never searched for all sets; the least sum, of the machine or of the
 * idle nodes, may take so much longer to find. */
enum { COMPACT_BRANCH_NODES = 1024, COMPACT_ONCE = 8, COMPACT_DIMS = 32 };

/* Large machines where sets can only be guessed. */
bool compact_is_guessed(const struct space *space);

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
 * rank) as the steps allow, on large machines until the sum is enough.
 */
int64_t compact_grow(const struct pool *pool, const int *rank, int wanted, int64_t enough,
		     int64_t *steps, int_vec *nodes);
/* What one growth costs. */
int64_t compact_grow_steps(const struct space *space, int wanted);

/* One growth from the nodes of the first routers, which all have some, until there are most nodes:
 * as they came, and sums [most + 1] of the first 0, 1, … of them. */
void compact_sequence(const struct pool *pool, const int_vec *first, int most, int_vec *nodes,
		      int64_t *sums);

/*
 * A set of n nodes where it is idle, as it is or, on grids, moved as a whole to other routers: the
 * first place in the order of routers. False: there is none, or the steps are spent. Which nodes of
 * a router it has does not matter.
 */
bool compact_moved(const struct pool *pool, const int *set, int n, int64_t *steps, int_vec *nodes);

/*
 * Branch and bound, in label order: visits all sets whose sum is at most that. SEARCH_BOUND: not
 * all were seen; of more than COMPACT_BRANCH_NODES none are.
 */
int compact_branch(const struct pool *pool, int wanted, int64_t most, int64_t *steps,
		   int (*visit)(void *context, const int *nodes), void *context);
/* The same for a sum that is less than *sum, which is of nodes: both become the least that is
 * found.
 */
void compact_lessen(const struct pool *pool, int wanted, int64_t *sum, int64_t *steps,
		    int_vec *nodes);

/* ---- on the machine without jobs ---- */

/*
 * The set that is found for a number of nodes: by the exact ways, else by growth; on large machines
 * from growths over the whole machine, on grids from bricks of 1 to 3 routers along each of three
 * dimensions. effort: steps of a search.
 */
struct compact_known;
struct compact_known *compact_known_open(const struct space *space, struct distances *distances,
					 int64_t effort);
void compact_known_close(struct compact_known *known); /* NULL is allowed */
/* COMPACT_NONE: there is none. machine says how tiers nest. */
int64_t compact_known_sum(struct compact_known *known, const struct machine *machine, int wanted);
/* After its sum was asked for: the set, which is valid until the next; NULL: none is kept, since
 * those of idle nodes are found as well. */
const int *compact_known_set(const struct compact_known *known, int wanted);
/* No others are searched for than the set that is known, as it is or moved. */
bool compact_known_is_only(const struct compact_known *known, int wanted);

/* A set with a small sum, by tree, line or growth, as those do; *is_exact: there is none less. */
int64_t compact_best(const struct pool *pool, const struct machine *machine, const int *rank,
		     int wanted, int64_t enough, int64_t steps, int_vec *nodes, bool *is_exact);

/*
 * The shell bound: twice a sum is at least the sum over the nodes of their distances to the wanted
 * − 1 nearest ones. Nodes that are in no set of at most limit for that are taken out of the pool;
 * false: no such set is left. Machines of up to 1 024 routers.
 */
bool compact_peel(struct pool *pool, int wanted, int64_t limit);

/* Of any set. */
int64_t compact_sum(struct distances *distances, const int *nodes, int n);

#endif
