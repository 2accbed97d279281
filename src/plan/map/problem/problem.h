/* problem.h - what mappers and refiners are given, and what they give */
#ifndef MAP_PROBLEM_PROBLEM_H
#define MAP_PROBLEM_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "map/problem/aim.h"
#include "map/problem/others.h"
#include "map/problem/travel.h"
#include "map/routes/map_routes.h"
#include "machine/route/route.h"
#include "base/registry.h"
#include "model/comm.h"
#include "model/topo.h"

struct digits_memo;
struct parts_memo;

/*
 * A job to be mapped: its communication graph and its allocation. Nodes are indices into the
 * allocation, whose order is the order of the leaders in the paper (Mirsadeghi & Afsahi, PTRAM).
 */
struct map_input {
	struct topo *topo;
	struct routes *routes;        /* between the nodes of the allocation; maybe spread */
	struct routes *real_routes;   /* the machine's own: the same, unless routes are spread */
	const struct comm *comm;      /* directed, of the ranks */
	const struct comm *symmetric; /* both directions added up, without self edges */
	const int *nodes;             /* [nnodes] nodes of the machine */
	int nnodes;
	const int *room; /* [nnodes] ranks that each can take */
	int nslots;      /* Σ room, at least comm->nranks */
	uint64_t seed;
	bool accepts_partial;        /* of files that a mapper reads */
	struct team *team;           /* who works on it; all processes are given the same */
	const char *routing;         /* the pick of the routes; NULL: the topology's */
	double hops;                 /* links between two nodes, on average; 0: not known */
	struct digits_memo *digits;  /* of this job (map/grid/digits.h); NULL: nothing is kept */
	struct parts_memo *parts;    /* the same, of map_parts_make */
	const struct travel *travel; /* NULL: of large messages */
	bool *is_rehearsed;          /* set where mappings are rehearsed; NULL: not requested */
	/* A mapper sets it where its own refiner would be of no use. */
	bool *is_settled;
	/* A mapper adds to it what its own refiner may bring as far; NULL: not requested. */
	struct map_others *others;
	/* What -m says is to be small; NULL: what the mapper says. */
	const struct map_aim *aim;
};

/* The routes that one member looks up: the input's own for the first of a process. */
struct map_routes {
	struct routes *routes, own;
	struct routing *routing;
};
int map_routes_open(struct map_routes *mine, const struct map_input *in, int member,
		    struct err *err);
void map_routes_close(struct map_routes *mine);
/* Whether a member is the first of its process, which keeps the result. */
bool map_is_own(const struct map_input *in, int member);

/*
 * Super-processes: groups of ranks that go to one node each (PTRAM §IV-C1). Group g holds size[g]
 * ranks; comm is the directed graph of the groups.
 */
struct map_parts {
	int nparts;
	int *part_of; /* [nranks] */
	int *size;    /* [nparts] */
	struct comm *comm;
};

struct map_policy {
	struct entry entry;
	/* How ranks are grouped unless --partition says otherwise: a pick of map_partitions; NULL:
	 * the policy places ranks, and takes no parts. */
	const char *partition;
	/* What refines its result unless --refine says otherwise: "none", "ptram", … */
	const char *refine;
	/* Where that depends on the pick, to be freed; NULL: refine says. */
	char *(*refine_of)(const struct pick *pick);
	bool falls_back;    /* what it finds is compared with ranks in order, and with rivals */
	bool takes_weights; /* minimises the weighted sum that in->aim is */
	bool is_given;      /* another program's mapping, which is taken as it is */
	bool keeps_cores;   /* ranks of a node go to its cores in order unless --cores says near */
	/* Of ranks (parts NULL): node_of [nranks]; of parts: node_of [parts->nparts], each node
	 * once. */
	int (*run)(const struct map_input *in, const struct map_parts *parts,
		   const struct pick *pick, int *node_of, struct err *err);
};

struct map_partition {
	struct entry entry;
	bool is_by_slot; /* parts are ranks, and each slot of a node is a separate place */
	/* Fills part_of for parts of the given sizes. size [nparts] */
	int (*run)(const struct map_input *in, const struct pick *pick, int nparts, const int *size,
		   int *part_of, struct err *err);
};

struct map_refine_result {
	int64_t nrounds, nmoves;
};

struct map_refiner {
	struct entry entry;
	bool wants_parts; /* swaps whole parts */
	/* Changes node_of [nranks] in place. */
	int (*run)(const struct map_input *in, const struct map_parts *parts,
		   const struct pick *pick, int *node_of, struct map_refine_result *result,
		   struct err *err);
};

extern const struct registry map_policies;   /* "mappers" */
extern const struct registry map_partitions; /* "partitions" */
extern const struct registry map_refiners;   /* "refiners" */

extern const struct map_policy map_policy_in_order;
extern const struct map_refiner map_refiner_none, map_refiner_congestion;

/* Groups the ranks; as many parts as the job needs nodes, sized by the rooms in list order. */
int map_parts_make(struct map_parts *parts, const struct map_input *in, const struct pick *pick,
		   struct err *err);
void map_parts_free(struct map_parts *parts);

/* What map_parts_make found last for a job, of which most mappers want the same. */
struct parts_memo {
	const struct comm *comm;
	const int *room; /* other rooms have other parts */
	char *partition; /* a pick as text; NULL: nothing yet */
	int *part_of;    /* [nranks] */
};
void parts_memo_open(struct parts_memo *memo, const struct map_input *in);
void parts_memo_close(struct parts_memo *memo);

/* The nodes that parts were sized for [nparts], in list order: those with room. To be freed. */
int *map_used_nodes(const struct map_input *in, const struct map_parts *parts);
/* Where parts are on nodes (each of map_used_nodes once) without room for them they change places:
 * the largest first, with the first one that is smaller and has enough. */
void map_make_fit(const struct map_input *in, const struct map_parts *parts, int *node_of);
/* The places of the allocation in an order of the machine's vertices [n] (NULL: as they are
 * numbered); those at one vertex as they are listed. at [nnodes] */
void map_nodes_in_order(const struct map_input *in, const int *order, int n, int *at);
/* The i-th of an order of all parts goes to the i-th node in use of an order of all nodes. part_at
 * [nparts], node_at [nnodes] */
void map_along(const struct map_input *in, const struct map_parts *parts, const int *part_at,
	       const int *node_at, int *node_of);

/* Whether all nodes can take as many ranks as any other. */
bool map_rooms_are_equal(const struct map_input *in);
/* Nodes with room for as many ranks as part g has, none of which is used: for mappers of parts. */
bool map_fits(const struct map_input *in, const struct map_parts *parts, int part, int node);

#endif
