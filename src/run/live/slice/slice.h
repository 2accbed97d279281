/* slice.h - an NDRange cut into slices of whole work groups along one dimension */
#ifndef LIVE_SLICE_SLICE_H
#define LIVE_SLICE_SLICE_H

/*
 * Khetawat, dissertation (2022), §4.3.1: work items synchronise only within their group, so any
 * number of whole groups can be launched apart. Groups are dealt as evenly as they go: the first
 * slices have one more. Items behind the last whole group, where a runtime takes such, belong to
 * the last slice.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { RANGE_DIMS = 3 };

/* One launch of a kernel, in work items. */
struct range {
	int dims;                   /* 1 to 3 */
	int64_t offset[RANGE_DIMS]; /* the program's own; 0 beyond dims */
	int64_t global[RANGE_DIMS]; /* at least 1; 1 beyond dims */
	int64_t local[RANGE_DIMS];  /* 0: the launcher chooses; 1 beyond dims */
};

struct slicing {
	struct range range; /* local is set */
	int dimension;      /* the one that is cut */
	int64_t ngroups;    /* along it, a last one that is not whole included */
	int64_t n;          /* slices */
	bool is_clipped;    /* more slices than groups were asked for */
};

/* Work items along the dimension that is cut, counted from 0. */
struct slice {
	int64_t first, count;
};

/* Sets local where it is 0: the largest divisors of global, the fastest dimension first, of at most
 * 64 work items, 16 in a dimension where there are two or more. */
void range_choose_local(struct range *range);

/*
 * dimension -1: the slowest varying one of those with most groups. Fewer groups than nslices: as
 * many slices as groups. -1: a range without work items, a dimension that isn't there, or local
 * sizes that don't divide the global ones while takes_rest is false.
 */
int slicing_make(struct slicing *slicing, const struct range *range, int dimension, int64_t nslices,
		 bool takes_rest, struct err *err);
struct slice slicing_slice(const struct slicing *slicing, int64_t number);
/* The slice of a work item along the dimension. */
int64_t slicing_number(const struct slicing *slicing, int64_t item);

#endif
