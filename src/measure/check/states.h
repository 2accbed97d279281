/* states.h - which nodes were idle before the jobs came, as checks need it */
#ifndef MEASURE_CHECK_STATES_H
#define MEASURE_CHECK_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/names.h"
#include "base/mem.h"
#include "formats/table.h"

enum node_duty { DUTY_COMPUTE = 1, DUTY_IO = 2 };

struct node_state {
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
	struct node_state others;                       /* what is not listed */
	bool has_partitions, has_features;              /* the stream has them */
	bool has_reservations, has_gpus, has_resources; /* likewise */
	struct arena arena;
};

/* All nodes idle; or from a nodes stream, where what is not listed is neither idle nor usable; or
 * from a host list or host file of the idle nodes, where what is not listed is not idle. */
void node_states_all(struct node_states *states);
int node_states_read(struct node_states *states, const char *path, bool accepts_partial,
		     struct err *err);
int node_states_from_list(struct node_states *states, const char *hosts, struct err *err);
/* Only these nodes, a host list or host file, may be given out. */
int node_states_keep(struct node_states *states, const char *hosts, struct err *err);
/* What the options of a tool say; NULL: not given. */
int node_states_given(struct node_states *states, const char *nodes, const char *idle,
		      const char *hosts, bool accepts_partial, struct err *err);
void node_states_free(struct node_states *states);

/* Of a node by name, which needs not be listed. */
struct node_state node_states_of(const struct node_states *states, const char *name);

#endif
