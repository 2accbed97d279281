/* stock.h - the CPUs, GPUs and memory of nodes, and which jobs have which part of them */
#ifndef PLACE_RUN_STOCK_H
#define PLACE_RUN_STOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"
#include "model/job.h"
#include "place/run/oversubscribe.h"

/* Of a capacity: nothing is known of it, and nothing is refused for it. */
#define STOCK_UNKNOWN INT64_MAX

enum { GPU_ANY = -1, GPU_UNKNOWN = -2 /* a type that no node has */ };

/* What a job has, or asks for, of one node. */
struct share {
	int64_t cpus, gpus, memory; /* bytes */
	int gpu_type;
	bool is_whole; /* no other job has the node */
	/* So many jobs of its partition may have one CPU: the CPUs count in so many rows, in each
	 * of which a CPU is one job's. 1: no other job has its CPUs. partition: -1 if not known. */
	int nrows, partition;
};

struct holding {
	int job;
	struct share share;
	int row; /* of its CPUs */
};

struct gpu_count {
	int type;
	int64_t n;
};

struct stock_node {
	bool is_open;                /* its unused part may be given out though it is busy */
	bool is_busy;                /* it was when the nodes were listed */
	bool is_held;                /* so it is, and no job is known that will give it back */
	int64_t cpus, gpus, memory;  /* capacities */
	VEC(struct gpu_count) types; /* of GPUs; one type of all GPUs, or several */
	struct share others;         /* in use by jobs that are not known */
	struct share told;           /* in use when the nodes were listed */
	VEC(struct holding) of;
};

/*
 * Jobs that share nodes are counted: CPUs, GPUs by type and memory, each at most what the node has.
 * An end that is planned (of a job by its number) is what makes room in a time to come.
 */
struct stock {
	int nnodes;
	struct stock_node *nodes; /* [nnodes] */
	struct map types;
	struct sharings sharings; /* of partitions */
	struct share least;       /* that every node has, of those that may be given out */
	int ntypes;
	/* [jobs] of those that run, which have not ended now; NULL: not known */
	const int64_t *planned_end, *now_ns;
};

struct stock *stock_new(int nnodes);
void stock_free(struct stock *stock); /* NULL is allowed */

/* A node has so much. gpu_type: "a100", or "a100:2,v100:2", or several without their numbers; NULL:
 * not known. */
void stock_set_gpus(struct stock *stock, int node, int64_t gpus, const char *gpu_type);
/* Nodes are known; those that are not given out at all [nnodes] do not count for the least. */
void stock_ready(struct stock *stock, const bool *is_away);

/* What a job asks of each node, at most; refuses lists that are none. How it shares depends on the
 * partition. */
int stock_request(const struct stock *stock, const struct job *job, struct share *share,
		  struct err *err);
/* How many tasks of a job a node has room for at a time, beside those that have it. */
int64_t stock_tasks(const struct stock *stock, int node, const struct job *job,
		    const struct share *share, int64_t time_ns);
/* The CPUs for the tasks of a job on its nodes [n], in their order: as many tasks as a node has
 * room for, at least one, at most per_node of the job. stock NULL: nothing else is known.
 * cpus [n] */
void stock_deal(const struct stock *stock, const struct job *job, const struct share *share,
		const int *nodes, int n, int64_t *cpus);
/* How a job shares nodes in a partition (its first n bytes; NULL: none is said): is_whole, nrows
 * and partition, and at least one CPU of nodes that are shared. may_share: whether it need not have
 * whole nodes elsewhere. */
void stock_enter(const struct stock *stock, const struct job *job, bool may_share,
		 const char *partition, size_t n, struct share *share);
/* Whether it may get parts of nodes in one of its partitions. */
bool stock_may_share(const struct stock *stock, const struct job *job);
/* Whether every node can serve a job that gets it whole. */
bool stock_serves_all(const struct stock *stock, const struct share *share);
/* Whether a node without jobs can serve a job. */
bool stock_serves(const struct stock *stock, int node, const struct share *share);
/* Whether it can beside those that will still have it at a time (INT64_MIN: now). */
bool stock_has_room(const struct stock *stock, int node, const struct share *share,
		    int64_t time_ns);
/* Whether a node that is not idle may be shared. */
bool stock_is_open(const struct stock *stock, int node);
/* Whether all that have a node are planned to have given it back by then. */
bool stock_is_free_at(const struct stock *stock, int node, int64_t time_ns);

/* A job gets its part of nodes [n], shared as stock_enter said, or gives it back. Lists that are
 * none count as even. */
void stock_take(struct stock *stock, const struct job *job, int number, const int *nodes, int n,
		const struct share *how);
void stock_give_back(struct stock *stock, int number, const int *nodes, int n);
/* Jobs that have parts of nodes have new numbers: number_of. */
void stock_renumber(struct stock *stock, const int *number_of);
/* The number of a job that has the node; -1: none. */
int stock_holder(const struct stock *stock, int node);

/* A run begins with the jobs that have taken their part so far; it ends: no job has anything. */
void stock_begin(struct stock *stock);
void stock_end(struct stock *stock);

#endif
