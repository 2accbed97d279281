/* night_eval.h - what evalmetrics measures of a stream, read back */
#ifndef REPORT_NIGHT_EVAL_H
#define REPORT_NIGHT_EVAL_H

#include "measure/metric/eval.h"
#include "report/night.h"

/*
 * Runs the metrics over an open stream and hands their table to read; -1: either failed. Every
 * number of a report that evalmetrics prints too comes this way.
 */
int night_eval(const struct run_context *run, struct table_in *in, const struct eval_options *eval,
	       int (*read)(void *context, struct table_in *metrics, struct err *err), void *context,
	       struct err *err);

/* A new empty file below $TMPDIR, or /tmp; NULL with a message. To be unlinked and freed. */
char *night_temporary(struct err *err);

#endif
