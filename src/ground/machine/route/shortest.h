/* shortest.h - shortest routes found by searching the graph, for networks without a structure */
#ifndef MACHINE_ROUTE_SHORTEST_H
#define MACHINE_ROUTE_SHORTEST_H

#include "machine/route/routing.h"

/* Where the channels of a router to other routers begin (those to nodes come first): [nrouters]. */
int64_t *search_first_channels(struct topo *topo);

/*
 * Keeps what was found for the destinations asked for lately: an array of width·nrouters numbers
 * for each, of which as many fit as 256 MiB hold (at least 2).
 */
struct search_cache {
	int nslots;
	size_t size;    /* numbers of one array */
	int *router_of; /* [nslots] or -1 */
	int32_t **slot; /* [nslots] */
};
void search_cache_open(struct search_cache *cache, const struct topo *topo, int width);
void search_cache_close(struct search_cache *cache);
/* The array of a router; *is_new: its contents are to be made. */
int32_t *search_cache_get(struct search_cache *cache, int router, bool *is_new);

/* Among n equally good channels, the one for a destination: the first, or (spread) the place that
 * rest, its number divided by the numbers of ways at the routers before, has modulo n. This is
 * D-mod-k on fat trees. */
int search_choose(bool is_spread, int n, int *rest);

enum route_ties search_ties(const struct pick *pick);
/* The parameters ties= and entropy=. Outside the simulator what is drawn is spread. */
#define SEARCH_TIES                                                                                \
	{.key = "ties",                                                                            \
	 .type = PARAM_WORD,                                                                       \
	 .def = "spread",                                                                          \
	 .choices = "spread|lowest|hash|random|adaptive",                                          \
	 .meaning = "which of equally short paths. spread: by the destination's "                  \
		    "number (on fat trees D-mod-k). lowest: the router, then the "                 \
		    "cable, of the lowest number, on networks without a closed form. "             \
		    "Only in netsim: hash, per flow, as ECMP; per packet random, or "              \
		    "adaptive, least queued (not on dragonflies). Of fat trees these "             \
		    "choose upwards"},                                                             \
	{                                                                                          \
		.key = "entropy", .type = PARAM_INT, .min = 1, .max = 65536, .def = "1",           \
		.meaning = "queue pairs between two NICs: the packets of a message take turns "    \
			   "on them, and each is a flow of its own",                               \
		.with = "ties=hash"                                                                \
	}

#endif
