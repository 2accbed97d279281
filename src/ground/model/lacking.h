/* lacking.h - nodes that jobs have and the machine lacks: a login node, one that is new */
#ifndef MODEL_LACKING_H
#define MODEL_LACKING_H

#include <stdbool.h>

#include "base/names.h"
#include "formats/hostlist.h"

/* Zeroed is empty. */
struct lacking {
	struct map names;
	struct hostlist list;
	int nnodes, njobs;
	bool is_met; /* by the job being read; whoever reads jobs clears it before each */
};

/* A node that the machine lacks; as a topo_unknown_fn. */
void lacking_take(void *lacking, const char *name, size_t n);
/* After each job. */
void lacking_count(struct lacking *lacking);
/* "2 jobs on 1 node that the machine lacks: login1", or without the jobs, where none had one; to be
 * freed. NULL: no node. */
char *lacking_text(struct lacking *lacking);
void lacking_free(struct lacking *lacking);

#endif
