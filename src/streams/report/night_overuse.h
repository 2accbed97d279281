/* night_overuse.h - nodes of which jobs had more than there is, as placecheck knows it */
#ifndef REPORT_NIGHT_OVERUSE_H
#define REPORT_NIGHT_OVERUSE_H

#include "report/night.h"

enum { OVERUSES_KEPT = 15 };

/* From at_ns on job had nodes together with other (which then is not NULL), though one of them has
 * its nodes alone; or used of the had CPUs, GPUs or bytes of memory (what) of a node. */
struct night_overuse {
	const char *job, *other, *node, *what;
	int64_t at_ns, used, had, nnodes;
};

struct night_overuses {
	struct arena arena;
	VEC(struct night_overuse) of; /* the first OVERUSES_KEPT of n, in the order of time */
	int64_t n;
};

/* Within the window. Reads the jobs among the operands once more. */
int night_overuse_find(const struct night *night, bool is_strict, struct night_overuses *overuses,
		       struct err *err);
void night_overuse_free(struct night_overuses *overuses);

#endif
