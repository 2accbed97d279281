/* sim.h - a jobs stream is simulated, run by run */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/err.h"
#include "base/run_context.h"
#include "sim/netsim_options.h"

/* Reads jobs (paths ends in NULL; none: standard input) and writes them with what became of them to
 * the context's output. */
int netsim_stream(const struct run_context *context, const struct netsim_options *options,
		  char *const *paths, struct netsim_result *result, struct err *err);

/* What there is to warn of, and under -v the totals, on standard error. */
void netsim_tell(const struct netsim_result *result);

#endif
