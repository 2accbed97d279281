/* forward.h - where a packet goes next: the routings in a form that is fast */
#ifndef SIM_NETWORK_FORWARD_H
#define SIM_NETWORK_FORWARD_H

#include "machine/route/routing.h"
#include "base/err.h"

struct net;
struct net_message;
struct packet;

/* How a packet chooses among equal paths, where that is drawn. */
struct tie_draws {
	enum route_ties ties;
	int64_t npairs; /* of TIES_HASH: queue pairs between two NICs */
};
struct tie_draws tie_draws_of(const struct routing *routing);

/*
 * A routing of machine/route, compiled for one machine. With empty queues (or, for random ones,
 * with the same intermediate router) packets go where route_path() says; a test holds both against
 * each other.
 */
struct forward {
	const struct forward_type *type;
	struct routing *routing; /* what it was compiled from */
	void *state;             /* the type's own */
	int nvcs;            /* needed, so that no packets can wait for each other in a circle */
	int64_t table_bytes; /* of next-hop tables, 0: there are none */
	const struct detours *far; /* of one that looks at other routers' queues; or NULL */
};

/* What of a network stays in a processor's caches: all; little; not even its tables. */
enum net_reach { NET_SMALL, NET_LARGE, NET_FAR, NET_REACHES };

/*
 * What a network that needs nothing special has of its kind: hop.h and hop_inject.h, with the
 * functions of the type in them.
 */
struct forward_hops {
	/* All events up to net->run.limit_ps, which may come closer meanwhile. */
	void (*run[NET_REACHES])(struct net *net);
	int64_t (*send)(struct net *net, const struct net_message *message); /* net_send */
};

struct forward_type {
	const char *name;
	/* Whether it can do this routing on this machine. */
	bool (*fits)(const struct routing *routing);
	int (*open)(struct net *net, struct err *err);
	void (*close)(struct forward *forward);
	/* The channels by which a message leaves node a and reaches node b; -1: there is
	 * no path. */
	int (*ends)(struct net *net, int a, int b, int32_t *up, int32_t *out);
	/* A new packet whose message is known, before it leaves the node by up. */
	void (*begin)(struct net *net, int32_t up, struct packet *packet);
	/* The channel by which it will leave a router that it is sent to; NOBODY: next() decides.
	 * It becomes packet->onward. */
	int32_t (*onward)(struct net *net, int router, const struct packet *packet);
	/* The channel by which it leaves router (of packet->nhops routers so far this is one); *vc
	 * becomes the virtual channel there. */
	int32_t (*next)(struct net *net, int router, struct packet *packet, int *vc);
	struct forward_hops hops;
	struct forward_hops mixed_hops; /* of one that HOP_MIXED does for */
	/* Better ones for this network; NULL: there are none. */
	const struct forward_hops *(*choose)(const struct net *net);
	/* It has come; NULL: nothing to do. */
	void (*end)(struct net *net, struct packet *packet);
	/*
	 * What a packet takes with it to another partition, whose state is not this one's, and has
	 * there again; NULL: partitions share the state, which no packet changes.
	 */
	void (*leave)(struct net *net, struct packet *packet, int32_t legs[4]);
	void (*enter)(struct net *net, struct packet *packet, const int32_t legs[4]);
	/* All packets that were under way are dropped; NULL: nothing to do. */
	void (*drop)(struct net *net);
};

extern const struct forward_type forward_dragonfly, forward_paths, forward_table, forward_tree;

/* How routings decide between the minimal path and a
 * detour (machine/route/adaptive.h). */
enum detour_via { VIA_GROUP, VIA_ROUTER, VIA_NODE };
struct detours {
	enum route_detour kind;
	enum detour_via via;
	double threshold, bias;
	bool counts_hops, reads_credits;
	int ncandidates;
};
void detours_read(struct detours *detours, const struct routing *routing);
/* The load of a link as the routing reads it: bytes. */
int64_t detour_load(struct net *net, const struct detours *detours, int32_t channel);
/* The same of any router's link, as a packet at router knows it (published.c). */
int64_t detour_far_load(struct net *net, const struct detours *detours, int router,
			int32_t channel);
/* Whether the minimal path is taken: loads of the two first links, links of the two paths. */
static inline bool detour_is_minimal(const struct detours *detours, int64_t load_min, int hops_min,
				     int64_t load_non, int hops_non)
{
	if (!detours->counts_hops)
		hops_min = hops_non = 1;
	return (double)(load_min * hops_min) <=
	       detours->threshold * (double)(load_non * hops_non) + detours->bias;
}

/* SST's rule: whether a detour's first link has more than threshold times the room of the minimal
 * path's. */
bool detour_has_room(struct net *net, const struct detours *detours, int32_t direct,
		     int32_t detour);

/* Whether any link could have that much room, so that a detour is worth looking at. */
bool detour_could_have_room(struct net *net, const struct detours *detours, int32_t direct);

int forward_open(struct net *net, const char *routing, struct err *err);
/* For a partition: shares what it can with the one that the other partitions have. */
int forward_open_part(struct net *net, const struct net *first, struct err *err);
void forward_close_part(struct forward *forward);
void forward_close(struct forward *forward);
void forward_drop(struct net *net);

#endif
