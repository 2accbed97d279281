/* routing.h - what an entry of the registry of routings gives */
#ifndef MACHINE_ROUTE_ROUTING_H
#define MACHINE_ROUTE_ROUTING_H

#include "machine/route/route.h"
#include "model/topo_type.h"

struct routing_type;

struct routing {
	const struct routing_type *type;
	struct topo *topo;
	struct pick pick;
	struct routing
		*minimal; /* of one with detours: the routing without them; owned; else NULL */
	/* [levels] of what a link counts where the cables of nodes are chosen by levels; owned;
	 * NULL: all alike */
	int *weights;
	void *state; /* the type's own */
};

/*
 * How messages may leave the minimal path. The simulator reads the parameters of all kinds but
 * DETOUR_NONE from the pick: via= (but for DETOUR_LOCAL), threshold= (but for DETOUR_ALWAYS), and
 * of UGAL and PAR those of ADAPTIVE_UGAL (adaptive.h).
 */
enum route_detour {
	DETOUR_NONE,
	DETOUR_ALWAYS, /* by a random intermediate router */
	DETOUR_UGAL,   /* by the source router's queues */
	DETOUR_UGAL_G, /* by the queues of the whole path */
	DETOUR_PAR,    /* as UGAL, decided again one hop later */
	DETOUR_LOCAL,  /* by the room in the source router's output buffers */
};

/* What is known of the paths without detours: why packets can't wait for each other in a cycle. */
enum route_minimal {
	MINIMAL_TABLE,           /* nothing: any paths */
	MINIMAL_SHORTEST,        /* the topology's own closed form, or by search */
	MINIMAL_UP_DOWN,         /* towards a root, then away from it */
	MINIMAL_DIMENSION_ORDER, /* x first, then y, … */
};

/* Which of equally short paths a packet takes. */
enum route_ties { TIES_SPREAD, TIES_LOWEST, TIES_HASH, TIES_RANDOM, TIES_ADAPTIVE };

/* hops and path are asked for two different nodes, and answer as route.h says: in channels, of
 * which topo.h has 2i and 2i + 1 for the two directions of link i. An entry with nothing but these
 * two works everywhere; its other facts make it faster, or lets it run with fewer
 * virtual channels. */
struct routing_type {
	struct entry entry;
	enum route_detour detour;
	enum route_minimal minimal;                       /* of a detour: of its legs */
	enum route_ties (*ties)(const struct pick *pick); /* NULL: TIES_SPREAD */
	bool is_by_pair; /* two nodes on one router may have different routes to the same node */
	int (*open)(struct routing *routing, struct err *err); /* NULL: nothing to do */
	void (*close)(struct routing *routing); /* frees state; also after a failed open */
	int (*hops)(struct routing *routing, int node_a, int node_b);
	int (*path)(struct routing *routing, int node_a, int node_b, int_vec *path);
};

enum route_ties routing_ties(const struct routing *routing);
/* Whether a packet or its flow decides, not the destination alone. */
static inline bool routing_ties_are_drawn(const struct routing *routing)
{
	return routing_ties(routing) >= TIES_HASH;
}
/* The routing of the legs of its detours; without detours itself. */
static inline const struct routing *routing_legs(const struct routing *routing)
{
	return routing->type->detour != DETOUR_NONE ? routing->minimal : routing;
}
/* Whether every message takes the path that route_path() says, and its length is the topology's
 * closed form, where there is one. */
bool routing_is_closed(const struct routing *routing);
/* Whether the routers of two nodes that hang on one each say how long the route between them is. */
bool routing_lengths_by_router(const struct routing *routing);

#define X(name) extern const struct routing_type routing_type_##name;
#include "machine/route/routings.def"
#undef X

#endif
