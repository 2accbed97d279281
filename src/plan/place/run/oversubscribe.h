/* oversubscribe.h - how the jobs of a partition share nodes: Slurm's OverSubscribe */
#ifndef PLACE_RUN_OVERSUBSCRIBE_H
#define PLACE_RUN_OVERSUBSCRIBE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/names.h"

enum sharing_kind {
	SHARING_NO,       /* a CPU is one job's; jobs that ask for it get parts of nodes */
	SHARING_YES,      /* jobs that accept it get CPUs that others have, too */
	SHARING_FORCE,    /* all jobs do, and none gets whole nodes */
	SHARING_EXCLUSIVE /* all jobs get whole nodes */
};

struct sharing {
	enum sharing_kind kind;
	int njobs; /* that may have one CPU; 1 unless YES or FORCE */
};

/* Of each partition that says it; ids are their numbers. Zeroed: none says it. */
struct sharings {
	struct map ids;
	VEC(struct sharing) of;
};

/*
 * What a node's row says: a word for each of its partitions, in their order, or one for all: "no",
 * "exclusive", "yes:2", "force:2", case aside; without a number 4, as in Slurm. A partition shares
 * its nodes in one way: what says otherwise than a row before is refused.
 */
int sharings_add(struct sharings *sharings, const char *partitions, const char *words,
		 struct err *err);
/* The number of a partition that said it, or -1. */
int sharings_find(const struct sharings *sharings, const char *name, size_t n);
void sharings_free(struct sharings *sharings);

#endif
