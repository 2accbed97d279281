/* eval.h - metrics over a stream: of each row, summarised by columns, beside a baseline */
#ifndef MEASURE_METRIC_EVAL_H
#define MEASURE_METRIC_EVAL_H

#include "base/run_context.h"
#include "measure/metric/metric.h"
#include "formats/out.h"

struct eval_options {
	const char *const *metrics; /* [nmetrics] picks; none: all that the stream and what is
				       given allow */
	int nmetrics;
	const char *by;       /* columns with commas; "." the whole stream; NULL: no summaries */
	bool each;            /* rows of single items beside the summaries */
	const char *baseline; /* COLUMN=VALUE or a file; NULL: none */
	bool paired;          /* differences to the baseline, summarised over pairs */
	double ci;            /* level of intervals of means; 0: none */
	const char *routing;  /* NULL: not given */
	bool has_at;          /* only jobs that run at */
	int64_t at_ns;
	/* Only jobs that were there some time from since_ns to until_ns, both included; nodes that
	 * the machine lacks are left out of lists. */
	bool is_of_night;
	int64_t since_ns, until_ns;
	double expected;           /* as link_loads_count has it; below 0: not given */
	char *const *traffic;      /* files, ends in NULL; NULL: none */
	const char *graph, *links; /* a comm stream; where a links table goes; NULL: none */
};

/* Measures an open stream and writes a metrics table. *whole: no input was truncated. */
int eval_stream(const struct run_context *context, struct table_in *in,
		const struct eval_options *options, struct out *out, bool *whole, struct err *err);

#endif
