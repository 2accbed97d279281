/* classify_stream.h - classification of whole streams: profiles, or jobs by a database
 * of profiles */
#ifndef TRAFFIC_CLASSIFY_CLASSIFY_STREAM_H
#define TRAFFIC_CLASSIFY_CLASSIFY_STREAM_H

#include "traffic/classify/sensitivity.h"
#include "formats/table.h"
#include "traffic/classify/classifier.h"
#include "traffic/classify/profile_db.h"

enum classify_mode { CLASSIFY_ROWS, CLASSIFY_TEST, CLASSIFY_CALIBRATE, CLASSIFY_TRAIN };

struct classify_options {
	enum classify_mode mode;
	double threshold;               /* in the class; recorded as ##threshold= */
	const struct classifier *model; /* decides in place of the threshold; NULL: none */
	const char *model_path;         /* recorded as ##model= */
	double spread;    /* a learned profile holds from nodes/spread to nodes·spread */
	bool smooth;      /* sensitivity between 0 and 1, else 0 or 1 */
	double low, high; /* of the smooth sensitivity */
	const struct profile_db *db; /* for jobs; NULL: the input is profiles */
	struct classifier_how teach; /* of a model; its tolerance is every mode's */
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

/*
 * Reads profiles that have a slowdown and writes, as metrics of scope threshold and (with a model)
 * model, how many of them each classifies right: accuracy, and the numbers of right and wrong
 * ones of both kinds; of the model also the mean log-loss.
 */
int classify_test(struct table_in *in, struct table_out *table,
		  const struct classify_options *options, double tolerance, struct err *err);

/*
 * What the options ask for, from in to a new table of out. *separates: false where no threshold
 * separates; *whole: the input was, and nothing failed.
 */
int classify_pass(const struct run_context *context, struct table_in *in, struct out *out,
		  const struct classify_options *options, bool *separates, bool *whole,
		  struct err *err);

#endif
