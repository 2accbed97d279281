/* prelude.h - text before a kernel's source, so that a slice sees the ids and sizes of the whole */
#ifndef LIVE_SLICE_PRELUDE_H
#define LIVE_SLICE_PRELUDE_H

/*
 * A launch with an offset has right global ids and nothing else: group ids begin at 0, sizes are
 * those of the slice. Macros before the program's text put functions in the place of the runtime's,
 * in helper functions, too, where the extra kernel parameter of the dissertation (§4.3.1) does not
 * reach. What they need of the whole comes in one of three manners:
 *
 * PRELUDE_MARK: a launch of one or two dimensions goes out as one of three. The last one has size 1
 * and its offset is a mark: the whole size, the dimensions there were, the one that is cut. Nothing
 * is compiled in, so one build serves all sizes, and unsliced launches and stored binaries are
 * right.
 * PRELUDE_FIXED: launches of three dimensions, which leave no room: sizes are compiled in. Slices
 * lie one group behind their place, so that all of them have an offset and one variant serves them.
 * PRELUDE_PARAMETER: each kernel gets one more parameter, and launches have no offset (OpenCL 1.0).
 * PRELUDE_NONE: no prelude; a plain launch with offsets.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/slice/slice.h"

enum prelude_manner { PRELUDE_MARK, PRELUDE_FIXED, PRELUDE_PARAMETER, PRELUDE_NONE };

/* The source with what goes before it, to be freed; line 1 of the source stays line 1. slicing:
 * read for PRELUDE_FIXED only. PRELUDE_PARAMETER also adds the parameter to each kernel. */
char *prelude_text(const char *source, enum prelude_manner manner, const struct slicing *slicing);

/* The arguments of clEnqueueNDRangeKernel for a slice. */
struct prelude_launch {
	uint32_t dims;
	size_t offset[RANGE_DIMS], global[RANGE_DIMS], local[RANGE_DIMS];
};

/* Whether a mark has room for the range: false above 2^30 work items in two dimensions. */
bool prelude_fits(const struct slicing *slicing);
void prelude_slice(const struct slicing *slicing, enum prelude_manner manner, struct slice slice,
		   struct prelude_launch *launch);
/* PRELUDE_PARAMETER: the value of the last argument, a ulong8. */
void prelude_argument(const struct slicing *slicing, struct slice slice, uint64_t value[8]);

#endif
