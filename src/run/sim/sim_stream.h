/* sim_stream.h - a jobs stream is simulated, by this process or several */
#ifndef SIM_SIM_STREAM_H
#define SIM_SIM_STREAM_H

#include "base/processes.h"
#include "sim/sim.h"

/* As netsim_stream. All processes call it alike, and fare alike. */
int sim_stream(const struct run_context *context, const struct netsim_options *options,
	       struct processes *processes, char *const *paths, struct netsim_result *result,
	       struct err *err);

#endif
