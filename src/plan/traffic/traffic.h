/* traffic.h - files of counters in, a traffic table out */
#ifndef TRAFFIC_TRAFFIC_H
#define TRAFFIC_TRAFFIC_H

#include "base/run_context.h"
#include "traffic/aggregate.h"
#include "traffic/inputs.h"
#include "traffic/region.h"
#include "formats/out.h"

struct traffic_run_options {
	const char *source;        /* a pick; NULL: found from the first header */
	const char *header;        /* --header FILE, or NULL */
	const char *since, *until; /* as written, or NULL */
	double window_s, gap_s;    /* gap_s 0: the window */
	double late_s;             /* < 0: as long as the next window */
	int wrap_bits;
	bool allows_empty; /* an input without any sample is whole */
	enum traffic_per per;
	double thresholds[REGION_CLASSES - 1]; /* fractions of time, ascending */
};

/* What there is to say about a finished run. */
struct traffic_run {
	struct feed_counts feed;
	struct aggregate_counts counts;
	size_t nstreams;
	int64_t nwindows;
	char source[256]; /* the pick; "" when there was no header */
	bool is_whole;    /* false: the input was truncated */
	bool is_empty;    /* no sample was there, and that is not allowed: no ##end is written */
};

/*
 * paths ends in NULL; none: standard input. A file in which no line is a sample although it has
 * lines, and producers of which the machine has none, are refused.
 */
int traffic_run(const struct run_context *context, struct traffic_run *run,
		const struct traffic_run_options *options, char *const *paths, struct out *out,
		struct err *err);

/* Counts under -v; warns of samples that were left out though they would have mattered. */
void traffic_run_tell(const struct traffic_run *run, const struct traffic_run_options *how);

#endif
