/* dumpi_groups.h - lists of ranks, as MPI makes groups of groups */
#ifndef TRACES_DUMPI_DUMPI_GROUPS_H
#define TRACES_DUMPI_DUMPI_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/mem.h"

/* Ranks in their order; NULL: not known. */
struct rank_list {
	const int32_t *ranks; /* [n] */
	int n;
};

/* Lists that were made; equal ones are kept once. Zeroed is empty. */
struct rank_lists {
	VEC(struct rank_list) kept;
	struct map index; /* the bytes of a list → its place in kept */
	size_t nranks;    /* of all kept ones */
	bool is_full;     /* there are more than RANK_LISTS_MOST together */
	struct arena arena;
};

enum { RANK_LISTS_MOST = 1 << 25, RANK_LIST_LONGEST = 1 << 20 };

extern const struct rank_list rank_list_unknown, rank_list_empty;

void rank_lists_free(struct rank_lists *lists);
/* Keeps a copy. */
struct rank_list rank_list_keep(struct rank_lists *lists, const int32_t *ranks, int n);
struct rank_list rank_list_world(struct rank_lists *lists, int32_t nranks);

/* MPI_Group_union and so on; what comes of an unknown list is unknown. */
struct rank_list rank_list_union(struct rank_lists *lists, struct rank_list a, struct rank_list b);
/* Those of a that are (is_in) or are not in b. */
struct rank_list rank_list_filter(struct rank_lists *lists, struct rank_list a, struct rank_list b,
				  bool is_in);
/* Those at the places, or (is_excl) all others. */
struct rank_list rank_list_choose(struct rank_lists *lists, struct rank_list list,
				  struct rank_list places, bool is_excl);
/* Places from ranges [n] of first, last, stride; all below `of`. */
struct rank_list rank_list_ranges(struct rank_lists *lists, const int32_t *ranges, int n,
				  int nranks);
/* Of a list that is a grid of dims (row-major): those that share `place`'s coordinates in the
 * dimensions that do not remain, in the order of the others. remains [dims.n]; kept:
 * their sizes. */
struct rank_list rank_list_sub_grid(struct rank_lists *lists, struct rank_list grid,
				    struct rank_list dims, const int32_t *remains, int64_t place,
				    struct rank_list *kept);

#endif
