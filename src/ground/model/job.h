/* job.h - the rows of a jobs stream, typed: what schedulers and policies read of them */
#ifndef MODEL_JOB_H
#define MODEL_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "formats/table.h"
#include "model/domain_asks.h"
#include "model/lacking.h"
#include "model/topo.h"

/* Not said: of times, in nanoseconds. */
#define JOB_NO_TIME INT64_MIN

/* The column policy of a row that says where a job was, beside where policies place it. */
#define JOB_RECORDED "recorded"

/* The values of the column class; "unprofiled" is a third one. */
#define JOB_SENSITIVE "network-sensitive"
#define JOB_INSENSITIVE "network-insensitive"

struct job {
	struct row row;   /* as it was read; its cells live as the stream's rows do */
	const char *name; /* never NULL */
	const char *run;  /* NULL: none */
	int nnodes;
	int64_t submit_ns, runtime_ns, walltime_ns, start_ns, end_ns; /* JOB_NO_TIME */
	int64_t eligible_ns;      /* it starts no earlier; JOB_NO_TIME */
	const char *depends;      /* jobs that must have ended before; NULL: none */
	int64_t depends_delay_ns; /* that it arrives after their end */
	const char *class;        /* NULL: not classified */
	double sensitivity;       /* 0 … 1, or NAN */
	const char *nodelist;     /* NULL: not placed */
	int io_nodes;             /* I/O nodes that it asks for; 0: none, or as many as io_pinned */
	const char *io_pinned;    /* NULL: any will do */
	const char *io_nodelist;  /* of a placed job; NULL: not said */
	const char *partition;    /* or several, with commas; NULL: not said */
	const char *features;     /* that its nodes must have; NULL: none */
	const char *reservation;  /* that it runs in; NULL: none */
	bool is_withdrawn;        /* of a log: it left the queue at end_ns, and never starts */
	bool is_suspended;        /* it has its nodes' memory, and no CPUs */
	bool is_shared;           /* it has CPUs of its nodes and not all of them */
	bool asks_share;          /* it need not have whole nodes: exclusive=no */
	bool exclusive_topo;      /* no other job gets nodes of its leaf switches */
	bool accepts_others;      /* others may have its CPUs, too: oversubscribe=yes */
	/* In all; 0: unknown. The lists give what it has of each node, else
	 * divided evenly. */
	int64_t cpus, gpus, memory_bytes;
	const char *gpu_type;                                        /* NULL: any */
	const char *cpus_per_node, *gpus_per_node, *memory_per_node; /* 8(x2),4; NULL: not said */
	int segment;                                                 /* nodes; 0: none */
	struct domain_texts domains;                                 /* what it asks of them */
	int64_t ranks_per_node;                                      /* 0: not said */
	/* It asks for tasks and takes nnodes to nodes_max nodes for them; 0: it asks for nodes. */
	int nodes_max;
	int64_t tasks, cpus_per_task, tasks_per_node; /* tasks_per_node 0: any number */
	const char *het_job;                          /* that it is a component of; NULL: none */
	int leaf_switches;                            /* at most so many routers; 0: any number */
	int array_limit;        /* tasks of its array under way at a time; 0: any number */
	int64_t switch_wait_ns; /* how long it waits for that; JOB_NO_TIME: as long as it takes */
	/* Of a heterogeneous job as queues have it; ncomponents 0: it is a row of its own. */
	const struct job *const *components;
	int ncomponents;
};

/* Where the columns are; -1: not there. */
struct job_columns {
	int job, state, reservation, run, nodes, submit, eligible, depends, depends_delay, runtime,
		walltime, start, end, class, sensitivity, nodelist, io_nodes, io_pinned,
		io_nodelist, partition, features, cpus, exclusive, exclusive_topo, oversubscribe,
		tasks, gpus, gpu_type, memory, cpus_per_node, gpus_per_node, memory_per_node,
		segment, ranks_per_node, leaf_switches, switch_wait, het_job, nodes_max,
		cpus_per_task, tasks_per_node, array_limit, within, slices, spread, balance,
		together;
};

void job_columns_bind(struct job_columns *columns, const struct table_in *in);

/* Reads the typed part of a row. Returns 0, or -1: no name, a time before the one it
 * must follow. */
int job_read(struct job *job, const struct job_columns *columns, const struct row *row,
	     struct err *err);

/* Whether a job of this state (NULL: not said) has its nodes and goes on: an end is by its limit.
 */
bool job_state_runs(const char *state);
/* Whether it has ended, started or not. */
bool job_state_ended(const char *state);

bool job_is_class(const struct job *job, const char *class);

/* The nodes of a placed job, in order, appended; they must be as many as it asks for. Returns 0 or
 * -1 with the row's FILE:LINE. */
int job_nodes(const struct job *job, const struct topo *topo, int_vec *nodes, struct err *err);
/* The same of those that the machine has; lacking (NULL: it must have all) takes the others, and is
 * met then. */
int job_nodes_known(const struct job *job, const struct topo *topo, int_vec *nodes,
		    struct lacking *lacking, struct err *err);

#endif
