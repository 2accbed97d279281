/* free_choice.h - which domains to free: those whose jobs cost least to move, with a bound */
#ifndef PLACE_FREE_CHOICE_H
#define PLACE_FREE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* Domains have items: jobs, which cost once for all of their domains, or nodes of a domain alone.
 */
struct free_problem {
	int ndomains, nitems;
	const int *first, *item; /* of domain d: item[first[d]] … item[first[d + 1] - 1] */
	const int64_t *cost;     /* [nitems] */
	const int *size;         /* [ndomains] nodes, all of which must be idle elsewhere */
	const bool *may;         /* [ndomains] be chosen */
	int64_t room;            /* the sizes together are no more */
	int k;
};

/*
 * Least cost of the items of k domains together (min k-union, NP-hard): two greedy starts and one
 * from the bound, then single exchanges. *bound: no choice costs less; Lagrange on k, with a
 * minimum cut for each multiplier. chosen [ndomains]. The cost, or -1: no k domains fit the room.
 */
int64_t free_choose(const struct free_problem *problem, bool *chosen, int64_t *bound);

#endif
