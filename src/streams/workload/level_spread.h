/* level_spread.h - sizes, numbers and patterns of the jobs in the study of Level-Spread */
#ifndef WORKLOAD_LEVEL_SPREAD_H
#define WORKLOAD_LEVEL_SPREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/mem.h"

enum { STUDY_SIZES = 8 };

struct study_size {
	int nodes, njobs;
	const char *pattern;
};

struct study_workload {
	char name[160];
	struct study_size sizes[STUDY_SIZES]; /* [nsizes] from the smallest to the largest */
	int nsizes;
};

typedef VEC(char *) study_patterns;

/* "16", "16+64": rising. */
int study_sizes_parse(struct study_workload *workload, const char *text, struct err *err);
/* "all" (the six of §V-C), or a list such as [alltoall,halo3d26:n=8]. */
int study_patterns_parse(study_patterns *patterns, const char *text, struct err *err);
void study_patterns_free(study_patterns *patterns);

/*
 * A random workload (§VI-D): large jobs of group_size + 1 … nnodes / 2 nodes, small ones of 2 …
 * group_size, uniform; then their numbers, at least one of each, uniform as far as there is room:
 * the first one leaves room for one job of the other size. number distinguishes workloads.
 */
int study_draw(struct study_workload *workload, int nnodes, int group_size, bool is_large_first,
	       uint64_t seed, int64_t number, struct err *err);
void study_draw_patterns(struct study_workload *workload, const study_patterns *patterns,
			 uint64_t seed, int64_t number);

#endif
