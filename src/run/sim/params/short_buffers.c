/* short_buffers.c - input buffers that keep a link from its bandwidth */
#include <math.h>

#include "base/die.h"
#include "sim/params/params.h"

/* From a packet's leaving until its credit is back, if it goes on at once. */
static double round_trip_s(const struct sim_params *params, int level)
{
	return (double)(2 * params->levels[level].latency_ps + params->router_delay_ps +
			params->credit_delay_ps) *
	       1e-12;
}

void sim_params_warn_buffers(const struct sim_params *params, const struct topo *topo)
{
	double have = (double)params->input_buffer_bytes, most = have;
	int worst = -1;

	for (int level = LINK_TERMINAL; level < topo->nlevels; level++) {
		double needs = params->levels[level].bandwidth * round_trip_s(params, level);

		if (needs > most) {
			most = needs;
			worst = level;
		}
	}
	if (worst < 0)
		return;
	warn("input-buffer: %lld bytes hold %s links to %.3g of %.3g GB/s, as a credit is back "
	     "after %.3g us: -s input-buffer=%.0fKiB is enough",
	     (long long)params->input_buffer_bytes, topo->levels[worst].name,
	     have / round_trip_s(params, worst) / 1e9, params->levels[worst].bandwidth / 1e9,
	     round_trip_s(params, worst) * 1e6,
	     ceil((most + 2 * (double)params->packet_bytes) / 1024));
}
