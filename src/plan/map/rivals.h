/* rivals.h - different mappings of a job, to choose from */
#ifndef MAP_RIVALS_H
#define MAP_RIVALS_H

#include "base/mem.h"
#include "map/problem/hybrid_metric.h"
#include "map/problem/problem.h"
#include "model/mapping.h"

struct map_rival {
	char *name;   /* of the mapper, and what refined it */
	int *node_of; /* [nranks] indices into the allocation */
	bool is_own;  /* of the default's own search */
	struct hybrid_terms terms;
	double load; /* maximum congestion, or what copies load, if that is more: none is faster */
	struct mapping mapping; /* the caller's: freed here */
};

typedef VEC(struct map_rival) map_rival_list;

/* Those that differ, the best by an aim, best first; of equals, those added first. */
struct map_rivals {
	const struct map_input *in;
	const struct map_aim *aim;
	size_t most;
	map_rival_list *at;
};

/* name is taken over. node_of [nranks] */
void map_rivals_add_own(struct map_rivals *rivals, char *name, const int *node_of);
void map_rivals_add(struct map_rivals *rivals, char *name, const int *node_of);
/* What the mapper found besides (in->others), which is refined in place, as its own. */
void map_rivals_add_others(struct map_rivals *rivals, const char *refiner);
/* Grids in grids: those n that load links least, and of the best one ranks moved by one along
 * sides, or mirrored as well (nturns, at most). */
void map_rivals_add_digits(struct map_rivals *rivals, int n, unsigned nturns);
/* What each mapper but the default finds, with its own refiner; one that can't map the job is left
 * out. node_of [nranks] is scratch, here and below. */
void map_rivals_add_mappers(struct map_rivals *rivals, int *node_of);
/* The best two that are not from the default's own search, refined a little, the second only if
 * that made the first the best of all. */
void map_rivals_add_refined(struct map_rivals *rivals, int *node_of);
/* Where there is room and copies inside a node take longer than what any link carries: what a
 * search finds that counts them as a load, from the one whose fullest node or link carries least,
 * and from those with fewer ranks on a node; and what a longer one makes of the best of these. */
void map_rivals_add_spread(struct map_rivals *rivals, int *node_of);
/* The mapping takes the first place, from where it is or instead of the last one. */
void map_rivals_put_first(struct map_rivals *rivals, const char *name, const int *node_of);
void map_rival_list_free(map_rival_list *list);

#endif
