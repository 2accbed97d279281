/* sim_travel.c - how the messages of a job go through a network, by the parameters of a profile */
#include "sim/params/sim_travel.h"

#include <math.h>

#include "sim/params/params.h"

/* The level of a node's link: a machine of explicit links may have none of the terminal level, to
 * whose bandwidth capacities are relative. */
static int level_of_nodes(struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);

	for (int v = 0; v < topo->nnodes; v++)
		if (graph->first[v] < graph->first[v + 1])
			return graph->links[graph->channel[graph->first[v]] / 2].level;
	return LINK_TERMINAL;
}

int sim_travel(struct travel *travel, struct topo *topo, const char *profile, double largest,
	       struct err *err)
{
	static const char *const settings[] = {"guesses=accept"};
	struct sim_params params;
	int level = level_of_nodes(topo);
	double per_ps, largest_ps; /* of a link of capacity 1 */

	if (sim_params_open(&params, topo, profile, settings, 1, NULL, err) != 0)
		return -1;
	per_ps = params.levels[level].bandwidth / topo->levels[level].bandwidth *
		 topo->levels[LINK_TERMINAL].bandwidth * 1e-12;
	largest_ps = largest / per_ps;
	*travel = (struct travel){
		.eager = (double)params.eager_bytes / largest,
		.packet = (double)params.packet_bytes / largest,
		.room = (double)params.input_buffer_bytes / largest,
		.hop = (double)(params.router_delay_ps + params.levels[level].latency_ps) /
		       largest_ps,
		.setup = (double)(params.call_enter_ps + params.send_setup_ps +
				  params.call_exit_ps) /
			 largest_ps,
		.copy = per_ps / (params.levels[LINK_NODE].bandwidth * 1e-12),
		.copy_overhead = (double)params.copy_overhead_ps / largest_ps,
		.copy_eager = (double)params.copy_eager_bytes / largest,
		.ncopies = (int)params.copy_servers,
	};
	if (params.local_delay_ps > 0) { /* inside a node all takes that long */
		travel->copy = 0;
		travel->copy_overhead = (double)params.local_delay_ps / largest_ps;
		travel->copy_eager = HUGE_VAL;
	}
	sim_params_close(&params);
	return 0;
}
