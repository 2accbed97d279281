/* slurm_rows.h - a job and a node as any of Slurm's commands report them, put into rows */
#ifndef CONVERT_READER_SLURM_ROWS_H
#define CONVERT_READER_SLURM_ROWS_H

#include <stdint.h>

#include "base/str.h"
#include "convert/reader/slurm_fields.h"
#include "convert/reader/requeue.h"
#include "convert/reader/slurm_asks.h"
#include "formats/slurm/slurm_units.h"
#include "model/flow.h"

#define SLURM_NO_TIME INT64_MIN /* nanoseconds */

/* Texts are their maker's until the row was put; NULL, -1 and SLURM_NO_TIME: not known. */
struct slurm_job {
	const char *id, *name, *user, *account, *partition, *state, *reason, *nodelist;
	const char *features, *reservation, *het_job, *binary;
	const char *dependency; /* as Slurm writes it: afterok:12(unfulfilled),singleton */
	int64_t nodes, tasks, segment, submit_ns, start_ns, end_ns, runtime_ns, walltime_ns;
	int64_t eligible_ns; /* matters where it is after submit_ns */
	struct slurm_tres tres;
	struct slurm_asks asks;
	const char *cpus_per_node, *gpus_per_node, *memory_per_node;
};

struct slurm_job_columns {
	int job, submit, eligible, depends, nodes, tasks, runtime, walltime, app, user, account,
		partition, cpus, gpus, gpu_type, memory, cpus_per_node, gpus_per_node,
		memory_per_node, features, reservation, segment, het_job, state, reason, start, end,
		nodelist;
	struct slurm_asks_columns asks;
	struct buf depends_text; /* of the row being made */
	struct requeue requeue;
};

/*
 * The jobs whose end a dependency waits for: "12,13_4" of afterok:12:13_4(unfulfilled). What waits
 * for their start (after), or names none (singleton), is left out. Cleared before.
 */
void slurm_depends(const char *dependency, struct buf *names);

/* How many nodes a list names; 0: none, or it is no list. */
int64_t slurm_count_nodes(const char *list);

/* Whether a job that ended got no nodes: its start, if one is printed, is when it was withdrawn. */
bool slurm_is_withdrawn(const char *state, const char *nodelist, int64_t start_ns, int64_t end_ns);

void slurm_job_clear(struct slurm_job *job);
void slurm_job_declare(struct slurm_job_columns *columns, struct flow *flow);
/* Sets the cells; the caller emits the row. A job that waits gets no start and no end: those
 * are the scheduler's guess. */
void slurm_job_put(const struct slurm_job *job, struct slurm_job_columns *columns,
		   struct flow *flow);
void slurm_job_end(struct slurm_job_columns *columns); /* after the last row */

struct slurm_node {
	const char *name, *state, *partitions, *features, *reservation, *reason;
	int64_t sockets, cores, cpus, gpus, cpus_used, gpus_used, weight;
	double memory_bytes, memory_used_bytes;
	char gpu_type[64];
};

struct slurm_node_columns {
	int node, state, partitions, features, sockets, cores, cpus, gpus, gpu_type, memory,
		cpus_used, gpus_used, memory_used, weight, reservation, reason;
};

void slurm_node_clear(struct slurm_node *node);
void slurm_node_declare(struct slurm_node_columns *columns, struct flow *flow);
void slurm_node_put(const struct slurm_node *node, const struct slurm_node_columns *columns,
		    struct flow *flow);

/* Numbers node by node as 8(x2),4. Zeroed is empty. */
struct slurm_shares {
	struct buf text;
	int64_t last, count;
};
void slurm_shares_add(struct slurm_shares *shares, int64_t number, int64_t count);
const char *slurm_shares_text(struct slurm_shares *shares); /* NULL: none; empties it at the end */
void slurm_shares_clear(struct slurm_shares *shares);
void slurm_shares_free(struct slurm_shares *shares);

/* All rows of a listing, each by read_row, which returns -1 for one that cannot be read: it is left
 * out, too. */
int slurm_read_rows(struct slurm_table *table, struct flow *flow,
		    int (*read_row)(void *context, struct err *err), void *context,
		    struct err *err);

#endif
