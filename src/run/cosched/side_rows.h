/* side_rows.h - the tables beside the jobs: what devices did, and slices */
#ifndef COSCHED_SIDE_ROWS_H
#define COSCHED_SIDE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/run_context.h"
#include "formats/table.h"

/* Files to write; NULL: none. */
struct side_paths {
	const char *timeline, *slices, *bound;
};

struct side_rows {
	struct out *timeline_out, *slices_out, *bound_out;
	struct table_out *timeline, *slices, *bound; /* NULL: not asked for */
	const char *policy;
};

/* policy outlives it. */
int side_rows_open(struct side_rows *side, const struct run_context *context,
		   const struct side_paths *paths, const char *policy, struct err *err);
int side_rows_close(struct side_rows *side, bool whole, struct err *err);
/* run NULL: none; node "": none */
void side_rows_span(struct side_rows *side, const char *run, const char *job, const char *node,
		    const char *device, const char *state, int64_t start_ns, int64_t end_ns);
void side_rows_slice(struct side_rows *side, const char *run, const char *job, const char *node,
		     const char *device, int64_t slice, int64_t start_ns, int64_t end_ns);

/* The least makespan of a run, as evalmetrics -m schedule has that of a schedule; NAN:
 * not known. */
void side_rows_bound(struct side_rows *side, const char *run, double seconds);

#endif
