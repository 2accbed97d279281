/* open_loop.h - nodes that send whatever comes back: latency against offered load */
#ifndef SIM_OPEN_LOOP_H
#define SIM_OPEN_LOOP_H

#include "base/registry.h"
#include "formats/table.h"
#include "sim/params/params.h"
#include "sim/sim.h"

extern const struct registry open_patterns; /* "open-loop-patterns": uniform, adversarial, … */

/*
 * Every node makes messages at random, each at its own rate of load times what its link can carry,
 * in slots of the time that one message takes there (Bernoulli). After warmup slots those made in
 * measure slots are followed until all have come, while more are made (Dally and Towles,
 * Principles and Practices of Interconnection Networks, 2004, §24.3). One row of a loadcurve for
 * each load; latency is from the making to the delivery. After drain times as long a run is given
 * up, and the row says so.
 */
int open_loop_run(struct table_out *out, struct topo *topo, const struct sim_params *params,
		  const char *pattern, uint64_t seed, struct netsim_result *result,
		  struct err *err);

/* netsim --open-loop: on the machine of -t, to output (NULL: standard output). */
int open_loop_stream(const struct netsim_options *options, const char *output,
		     struct netsim_result *result, struct err *err);

#endif
