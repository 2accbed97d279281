/* open_loop.h - nodes that send whatever comes back: latency against offered load */
#ifndef SIM_OPEN_LOOP_H
#define SIM_OPEN_LOOP_H

#include "base/run_context.h"
#include "formats/table.h"
#include "sim/netsim_options.h"
#include "sim/open_pattern.h"
#include "sim/params/params.h"

/*
 * Every node makes messages at random, each at its own rate of load times what its link can carry,
 * in slots of the time that one message takes there (Bernoulli). After warmup slots those made in
 * measure slots are followed until all have come, while more are made (Dally and Towles,
 * Principles and Practices of Interconnection Networks, 2004, §24.3). One row of a loadcurve for
 * each load; latency is from the making to the delivery. After drain times as long a run is given
 * up, and the row says so.
 */
int open_loop_run(const struct run_context *context, struct table_out *out, struct topo *topo,
		  const struct sim_params *params, const char *pattern,
		  struct netsim_result *result, struct err *err);

/* netsim --open-loop: on the context's topology, to its output. */
int open_loop_stream(const struct run_context *context, const struct netsim_options *options,
		     struct netsim_result *result, struct err *err);

#endif
