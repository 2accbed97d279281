/* placed.h - which job holds which node, for drawings of a machine */
#ifndef MACHINE_EXPORT_PLACED_H
#define MACHINE_EXPORT_PLACED_H

#include "base/mem.h"
#include "machine/export/exporter.h"
#include "model/topo.h"

/* When a job runs, ns. */
struct placed_time {
	int64_t start_ns, end_ns;
};

/* The jobs of one run and policy. */
struct placed_panel {
	const char *run, *policy;      /* "." where the table has none */
	VEC(char *) names;             /* of the jobs that have nodes, in the order of the table */
	VEC(struct placed_time) times; /* theirs */
	int *job_of;                   /* [nnodes] or -1 */
};

struct placed {
	VEC(struct placed_panel) panels;     /* in the order they come; at least one */
	VEC(struct topo_export_panel) shown; /* the same for exporters */
	int nhidden; /* jobs with a node that is drawn for one of another time */
	struct arena arena;
};

/* From a table of jobs. Refuses one of another machine, and more runs and policies than a picture
 * has panels. time_ns: only jobs that run then; INT64_MIN: all, and a node that jobs hold in turn
 * has the first. 1: the table was truncated, and this is what was there. */
int placed_read(struct placed *placed, const struct topo *topo, const char *path, int64_t time_ns,
		bool accepts_partial, struct err *err);
void placed_free(struct placed *placed);

#endif
