/* states.h - which nodes were idle before the jobs came, as checks need it */
#ifndef MEASURE_CHECK_STATES_H
#define MEASURE_CHECK_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/mem.h"
#include "formats/table.h"
#include "measure/check/site.h"

enum node_duty { DUTY_COMPUTE = 1, DUTY_IO = 2 };

struct node_state {
	const char *name;                   /* NULL: of a host list */
	bool is_idle;                       /* may be given out */
	bool is_usable;                     /* idle, or held by a job that will give it back */
	unsigned duties;                    /* of enum node_duty */
	const char *word;                   /* "drained", for messages */
	const char *partitions, *features;  /* separated by commas; NULL: none */
	const char *oversubscribe;          /* a word for each of partitions, or one; NULL */
	const char *reservation, *gpu_type; /* NULL: none */
	/* What it has, and what was in use; -1: not known. Memory in bytes. */
	int64_t cpus, gpus, memory, cpus_used, gpus_used, memory_used;
};

struct node_states {
	struct map index; /* name → place in at */
	VEC(struct node_state) at;
	struct site site;                               /* partitions and reservations */
	struct node_state others;                       /* what is not listed */
	bool has_partitions, has_features;              /* the stream has them */
	bool has_reservations, has_gpus, has_resources; /* likewise */
	struct arena arena;
};

/*
 * What the options of a tool say. nodes [ends in NULL]: tables of nodes (at most one; what it does
 * not list is neither idle nor usable), of partitions and of reservations. idle: a host list or
 * host file of the idle nodes; what it does not list is not idle. Without a table of nodes and idle
 * all nodes are idle. hosts: only these may be given out. NULL: not given.
 */
int node_states_given(struct node_states *states, char *const *nodes, const char *idle,
		      const char *hosts, bool accepts_partial, struct err *err);
void node_states_free(struct node_states *states);

/* Of a node by name, which needs not be listed. */
struct node_state node_states_of(const struct node_states *states, const char *name);

#endif
