/* policy.h - allocation policies: which idle nodes a job gets */
#ifndef PLACE_POLICY_POLICY_H
#define PLACE_POLICY_POLICY_H

#include "base/registry.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/job.h"
#include "model/mapping.h"
#include "model/traffic_table.h"
#include "place/state/idle.h"

/* An open policy with what it keeps between jobs. */
struct alloc {
	const struct alloc_policy *policy;
	const struct pick *pick;
	struct topo *topo;
	bool accepts_partial; /* of files that it reads */
	void *state;
};

/* What a decision is made from. */
struct alloc_request {
	struct machine *machine; /* its idle nodes are the feasible ones: at least job->nnodes */
	const struct job *job;
	const struct traffic_window *traffic; /* NULL: none has ended by now */
	bool is_traffic_old;                  /* then: one has, but longer ago than max-age */
	uint64_t seed;
	bool is_trial; /* the machine is only looked at: nothing is taken of it */
	/* A source of draws in 0 … n − 1 in place of the keyed generator; NULL but in tests. */
	uint64_t (*draw)(void *context, uint64_t n);
	void *draw_context;
};

struct alloc_policy {
	struct entry entry;
	bool wants_traffic;  /* then it has a parameter max-age */
	bool wants_stall;    /* of it the stalls */
	bool heeds_domains;  /* within, slices, spread and balance of a job */
	bool keeps_segments; /* each in a block: else a segment is in one domain, see eligible */
	bool may_refuse;     /* a job, though enough nodes are idle: queues can't just count them */
	/* Prepares alloc->state, or refuses the machine. NULL: nothing to do. */
	int (*open)(struct alloc *alloc, struct err *err);
	void (*close)(struct alloc *alloc);
	/* A run begins: what earlier jobs left in the state is forgotten. NULL: nothing is kept. */
	void (*restart)(struct alloc *alloc);
	/* A job got these nodes for good, where choose may only have been a try. NULL:
	 * never mind. */
	void (*placed)(struct alloc *alloc, const struct alloc_request *request,
		       const int_vec *nodes);
	/*
	 * Appends the first n of these nodes [a bit for each], which are as many at least: for a
	 * policy that always takes the first ones of an order, whatever the job and whatever it
	 * took before, and says nothing about it. NULL: it does not.
	 */
	void (*first)(struct alloc *alloc, const uint64_t *idle, int n, int_vec *nodes);
	/*
	 * Where the ranks of a job go on nodes that it got, in the order they were picked. mapping
	 * is zeroed before, and stays so where nothing is known of the job's ranks. NULL: the
	 * policy says nothing of ranks.
	 */
	int (*map)(struct alloc *alloc, const struct job *job, const int_vec *nodes, uint64_t seed,
		   struct mapping *mapping, struct err *err);
	/*
	 * Appends job->nnodes nodes in the order of picking and takes each from the machine
	 * (alloc_take). May add to reason what decided. 1: done; 0: it can't be, reason says why;
	 * -1: error.
	 */
	int (*choose)(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		      struct buf *reason, struct err *err);
};

extern const struct registry alloc_policies; /* "policies" */
/* How a policy that is known by an alias is named in the column "policy"; any other text as it is.
 */
const char *alloc_policy_in(const char *column, const char *text);

/* pick must outlive it. accepts_partial: truncated files that it reads are taken as whole. */
int alloc_open(struct alloc *alloc, const struct pick *pick, struct topo *topo,
	       bool accepts_partial, struct err *err);
void alloc_close(struct alloc *alloc);

/*
 * Chooses and takes. 1: nodes has the job's nodes; 0: none were taken, reason says why; -1:
 * error. nodes and reason are cleared first.
 */
int alloc_choose(struct alloc *alloc, const struct alloc_request *request, int_vec *nodes,
		 struct buf *reason, struct err *err);

/* A run begins; a job that was chosen for starts: for policies that keep a history. */
void alloc_restart(struct alloc *alloc);
void alloc_placed(struct alloc *alloc, const struct alloc_request *request, const int_vec *nodes);

/* ---- for policies ---- */

static inline void alloc_take(const struct alloc_request *request, int node, int_vec *nodes)
{
	machine_take(request->machine, node);
	vec_push(nodes, node);
}

/* Takes idle nodes of a router in label order until the job has all. */
void alloc_take_router(const struct alloc_request *request, int router, int_vec *nodes);
/* The idle node with the lowest label below a domain of a tier (0: router), or -1. */
int alloc_first_idle(const struct machine *machine, int tier, int domain);

/*
 * One idle node (the first in label order) of each domain of a tier in turn, round after round,
 * until the job has all. The domains are child[from] … child[to - 1]; child NULL: from … to - 1.
 */
void alloc_round_robin(const struct alloc_request *request, int tier, int from, int to,
		       const int *child, int_vec *nodes);

/* The job's generator for a purpose. */
struct alloc_rng {
	struct rng rng;
	const struct alloc_request *request;
};
struct alloc_rng alloc_rng(const struct alloc_request *request, const char *purpose);
uint64_t alloc_draw(struct alloc_rng *rng, uint64_t n);

/* The tier of the groups that a policy goes over: the one below the whole machine; -1 with a
 * message where routers are not grouped. */
int alloc_group_tier(const struct alloc *alloc, struct err *err);

/* Domains of a tier that have nodes below them, in order: [*n], to be freed. */
int *alloc_domains_with_nodes(const struct topo *topo, int tier, int *n);

#endif
