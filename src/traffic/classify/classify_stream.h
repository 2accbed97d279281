/* classify_stream.h - classification of whole streams: profiles, or jobs by a database of profiles
 */
#ifndef TRAFFIC_CLASSIFY_CLASSIFY_STREAM_H
#define TRAFFIC_CLASSIFY_CLASSIFY_STREAM_H

#include "traffic/classify/sensitivity.h"
#include "formats/table.h"
#include "traffic/classify/profile_db.h"

struct classify_options {
	double threshold;            /* in the class; recorded as ##threshold= */
	bool smooth;                 /* sensitivity between 0 and 1, else 0 or 1 */
	double low, high;            /* of the smooth sensitivity */
	const struct profile_db *db; /* for jobs; NULL: the input is profiles */
	const char *learn_path;      /* add the profiles to this database; NULL: do not */
};

/* Which rows were which, and how many profiles the database learned. */
struct classify_counts {
	size_t nsensitive, ninsensitive, nunprofiled, nlearned;
};

/*
 * Adds the columns class and sensitivity to a stream of profiles, or of jobs; a job without a
 * profile is unprofiled and has no sensitivity. One pass. Nothing is learned from truncated input.
 */
int classify_stream(const struct run_context *context, struct table_in *in, struct table_out *table,
		    const struct classify_options *options, struct classify_counts *counts,
		    struct err *err);

/*
 * Reads profiles that have a slowdown and writes what they say of the threshold as metrics:
 * separates (1 or 0), low, high and middle of the interval, profiles on the wrong side.
 */
int classify_calibration(struct table_in *in, struct table_out *table, double tolerance,
			 bool *separates, struct err *err);

#endif
