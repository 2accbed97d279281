/* night_measure.h - the numbers of a night, as evalmetrics has them */
#ifndef REPORT_NIGHT_MEASURE_H
#define REPORT_NIGHT_MEASURE_H

#include "report/night.h"

/* The summaries of a metrics table by policy, or of one for the whole stream. */
int night_read_metrics(struct night *night, struct table_in *in, struct err *err);

/* The operands that are jobs, or those that have netsim's times; to be freed. */
char **night_job_paths(const struct night *night, bool only_estimates);
/* The first operand that is a table of nodes; NULL: there is none. */
const char *night_nodes_path(const struct night *night);

/* Measures the jobs among the operands: what evalmetrics --by policy prints of wait, queue, spread,
 * schedule and idle. */
int night_measure(struct night *night, const struct night_options *options, struct err *err);

#endif
