/* congestion.h - nodes, then ranks change places to lower the most loaded links */
#ifndef MAP_REFINE_CONGESTION_H
#define MAP_REFINE_CONGESTION_H

#include "map/problem/problem.h"
#include "map/search/search.h"

/* The work of a search at effort 1, which is less than a second at 4 096 ranks; and from which
 * effort on there is time to begin hot. */
enum { CONGESTION_HOT = 4 };
int64_t congestion_work(const struct map_input *in);
/* Refines a start a little, by one alone with routes of its own, and says how far it got. Nodes of
 * a kind are exchanged whole. is_cut: the start is a cut. node_of [nranks] is changed in place. */
struct search_result congestion_try(const struct map_input *in, struct routes *routes, bool is_cut,
				    int *node_of);

/*
 * How many other starts are worth a whole search: where nodes have unlike room, links fill up
 * behind slower ones, and mappings whose links carry alike differ by a fifth in simulated time
 * (tests/bench/mapref-matrix.sh uneven). Elsewhere one.
 */
int congestion_nothers(const struct map_input *in);
/* Whether they still are, after a whole search from the best one: where nodes have equal room, if
 * that is soon over, or ranks are still to be tried apart. node_of [nranks] */
bool congestion_needs_others(const struct map_input *in, const int *node_of);

/* Whether ranks of nodes of a kind would be tried apart, which congestion_try does not. node_of
 * [nranks] */
bool congestion_may_part(const struct map_input *in, struct routes *routes, const int *node_of);

/* Whether nodes hold several ranks, alike to all others: whole nodes are exchanged first.
 * node_of [nranks] */
bool nodes_are_of_a_kind(const struct map_input *in, const int *node_of);
/*
 * Ranks change places between routers with several nodes: what leaves a router loads its links, and
 * on which of its nodes ranks are can but even that out. All members of in->team work on it for so
 * long. Fills router_of [nranks] with sources of in->routes. *is_done: false where routes_bundle
 * makes none, or nothing goes between routers, or less than over the nodes' own links. Returns 0,
 * or -1 with err set.
 */
int routers_search(const struct map_input *in, int64_t work, const int *node_of, int *router_of,
		   bool *is_done, struct err *err);

/* The same by all of the team, each member with its routes. */
int congestion_refine(const struct map_input *in, int64_t most, int *node_of,
		      struct map_refine_result *result, struct err *err);

#endif
