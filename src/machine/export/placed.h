/* placed.h - which job holds which node, for drawings of a machine */
#ifndef MACHINE_EXPORT_PLACED_H
#define MACHINE_EXPORT_PLACED_H

#include "base/mem.h"
#include "model/topo.h"

struct placed {
	VEC(char *) names; /* of the jobs that have nodes, in the order of the table */
	int *job_of;       /* [nnodes] or -1 */
	struct arena arena;
};

/* From a table of jobs. Refuses one of another machine, and one of several runs. A node that jobs
 * hold in turn has the first. 1: the table was cut off, and this is what was there. */
int placed_read(struct placed *placed, const struct topo *topo, const char *path,
		bool accepts_partial, struct err *err);
void placed_free(struct placed *placed);

#endif
