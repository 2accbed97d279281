/* geometry.h - what can be said of where a job's nodes are: checks written from the definitions */
#ifndef MEASURE_CHECKER_GEOMETRY_H
#define MEASURE_CHECKER_GEOMETRY_H

#include "machine/route/route.h"
#include "base/registry.h"
#include "base/str.h"
#include "model/topo.h"

/*
 * Bleuse, Lucarelli, Trystram: A Methodology for Handling Data Movements by Anticipation. Nothing
 * here is shared with how allocate finds nodes that keep a constraint, so that each is a test of
 * the other.
 *
 * A node computes unless the topology lists it as a separate I/O node. Two nodes are adjacent when
 * they hang on one router, or on two that a cable joins. A network is direct where every router has
 * nodes; else it is hierarchical: its nodes are joined through switches.
 */
enum { NODE_COMPUTES = 1, NODE_DOES_IO = 2, NODE_SERVES = 4 };

struct geometry {
	struct topo *topo;
	struct routing *routing;  /* the caller's */
	struct routing *shortest; /* minimal: for distances */
	bool is_direct;
	bool is_adaptive;     /* messages may take other ways than the one that route_path says */
	unsigned char *flags; /* [nnodes] NODE_SERVES: computes, and may ever be given out */
	int *ncompute;        /* [nrouters] compute nodes that hang on it */
	int *rank;            /* [nrouters] 0: it has nodes; else links to the nearest that has */

	/* The job at hand: geometry_mark. */
	int job;
	int *job_of;                   /* [nnodes] the last job that had the node */
	int *state_job, *router_state; /* [nrouters] of enum router_state, known for that job */
	int *seen_of, nseen;           /* [nrouters] for walks */
	int *link_of, nlinked;         /* [nlinks] for geometry_links; made when first needed */
	int_vec path, queue;

	/* How routes are covered: geometry_cover. */
	bool is_by_router; /* the first router and the last node determine a route */
	bool is_walked;    /* and from each of its routers on, it is that of a message from there */
	/* [nrouters] for geometry_steps: passed on the way to the node at hand; ends of routes that
	 * are the same to each node there. */
	int *passed_of, *single_of, npassed;
	int ndims;        /* of a mesh or torus with routes in dimension order; else <= 0 */
	const int *sizes; /* [ndims] */
	int_vec from, to;
};

/* routing, may_serve [nnodes] (NULL: all may be given out) are the caller's; the former must
 * outlive the geometry. */
int geometry_open(struct geometry *geometry, struct topo *topo, struct routing *routing,
		  const bool *may_serve, struct err *err);
void geometry_close(struct geometry *geometry);

static inline bool geometry_computes(const struct geometry *geometry, int node)
{
	return (geometry->flags[node] & NODE_COMPUTES) != 0;
}

/* Where a job reaches its files: an I/O node, or a switch (node -1) that has an entry point. */
struct io_place {
	int node, router;
};
typedef VEC(struct io_place) io_places;

/* A job's nodes, and what it uses for I/O. */
struct region {
	const int *nodes; /* [n] */
	int n;
	const struct io_place *io; /* [nio] */
	int nio;
	const int *links; /* [nlinks] of the routes between its nodes, in order; NULL: not known */
	int nlinks;
};

/* Appends the places of a list of nodes and switches. */
int geometry_io_read(const struct geometry *geometry, const char *text, io_places *io,
		     struct err *err);

/* A route from node a to b. Other than 0 ends it. */
typedef int visit_route_fn(void *context, int a, int b);
/*
 * Visits routes between nodes of a region that together pass every router and every link that the
 * routes of all its pairs pass: all pairs; or where a route's first router determines it, a node of
 * each router with all nodes; or in dimension order, for each dimension, some of as many pairs as
 * there are parts of routes in that dimension. Some come twice. Returns what ended it, or 0.
 */
int geometry_cover(struct geometry *geometry, const struct region *region, visit_route_fn *visit,
		   void *context);
/* A link from one router to the next on a route. Other than 0 ends it. */
typedef int visit_step_fn(void *context, int router, int next, int link);
/* Visits each step between routers of the routes between the nodes of a region, where is_walked:
 * once per last node, or router where that is enough. -1: two of its nodes have no route. Returns
 * what ended it, or 0. After it, from has the first of the region's nodes on each router. */
int geometry_steps(struct geometry *geometry, const struct region *region, visit_step_fn *visit,
		   void *context);
/* geometry_open does it. */
void geometry_set_cover(struct geometry *geometry);

/* Sets links to those of the routes between the nodes of a region, each once, in order. */
void geometry_links(struct geometry *geometry, const struct region *region, int_vec *links);

/* From here on this is the job at hand. */
void geometry_mark(struct geometry *geometry, const struct region *region);
/* Whether the job at hand has the node. */
static inline bool geometry_has(const struct geometry *geometry, int node)
{
	return geometry->job_of[node] == geometry->job;
}

/* Whose a router is: the job's, if all compute nodes below it are; no job's, if there are none. */
enum router_state { ROUTER_OURS, ROUTER_NOBODYS, ROUTER_FOREIGN };
enum router_state geometry_router(struct geometry *geometry, int router);
/* A compute node below a router that is foreign, not of the job. */
int geometry_stranger(struct geometry *geometry, int router);
/* How many compute nodes are below a router. */
int geometry_count_below(struct geometry *geometry, int router);

/* Def. 1, for pairs of different nodes: levels on hierarchical networks (1: one leaf switch), links
 * between their routers elsewhere. DISTANCE_MOST: no route. */
int geometry_distance(const struct geometry *geometry, int node_a, int node_b);

/* Whether two nodes are adjacent. */
bool geometry_adjacent(const struct geometry *geometry, int node_a, int node_b);

/* The router at the end of a channel; or -1, if that is a node. */
int geometry_router_at(const struct geometry *geometry, int channel);

/* ---- checks of the constraints ---- */

enum verdict {
	VERDICT_BROKEN,
	VERDICT_HOLDS,
	VERDICT_OPEN, /* it says nothing here, or a bounded search did not decide it */
};

struct checker {
	const struct checker_type *type;
	const struct pick *pick;
	struct geometry *geometry;
	void *state;
};

struct checker_type {
	struct entry entry;
	bool is_of_pairs; /* of two jobs that run at one time: compare; else of each: check */
	/* Prepares state. NULL: nothing to do. Also after it failed, close is called. */
	int (*open)(struct checker *checker, struct err *err);
	void (*close)(struct checker *checker);
	/* The witness says what breaks it, or why the verdict is open; of compare NULL is allowed.
	 */
	enum verdict (*check)(struct checker *checker, const struct region *region,
			      struct buf *witness);
	enum verdict (*compare)(struct checker *checker, const struct region *a,
				const struct region *b, struct buf *witness);
};

/* Of the same names and parameters as allocate's constraints. */
extern const struct registry checkers; /* "constraints" */

/* pick, geometry must outlive it. */
int checker_open(struct checker *checker, const struct pick *pick, struct geometry *geometry,
		 struct err *err);
/* The same where the pick is of something else with the parameters of a checker: a metric. */
int checker_open_as(struct checker *checker, const struct checker_type *type,
		    const struct pick *pick, struct geometry *geometry, struct err *err);
void checker_close(struct checker *checker);
/* A job with no nodes is VERDICT_OPEN. witness is cleared first. */
enum verdict checker_check(struct checker *checker, const struct region *region,
			   struct buf *witness);

/* What allocate enforces is checked here, and measured by evalmetrics: one list for all three. */
#define X(name)                                                                                    \
	extern const struct param geometry_params_##name[];                                        \
	extern const struct checker_type checker_##name;
#include "place/constraint/constraints.def"
#undef X

/* What allocate's constraints also take, and what means nothing to a check. */
#define CHECKER_PARAMS                                                                             \
	{.key = "wait",                                                                            \
	 .type = PARAM_DURATION,                                                                   \
	 .optional = true,                                                                         \
	 .unit = "s",                                                                              \
	 .meaning = "for allocate; ignored by checks"},                                            \
	{                                                                                          \
		.key = "best-effort", .type = PARAM_BOOL, .def = "no",                             \
		.meaning = "for allocate; ignored by checks"                                       \
	}

/* "the route from n0 to n3" into text. */
void geometry_say_route(const struct geometry *geometry, int node_a, int node_b, struct buf *text);
void geometry_say_node(const struct geometry *geometry, int node, struct buf *text);
void geometry_say_router(const struct geometry *geometry, int router, struct buf *text);

#endif
