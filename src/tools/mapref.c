/* mapref.c - the ranks of a job get their nodes and cores */
#include <math.h>
#include <stdlib.h>

#include "map/map.h"
#include "map/problem/aim.h"
#include "sim/params/params.h"
#include "base/cli.h"
#include "base/num.h"
#include "base/options.h"
#include "formats/out.h"

static struct {
	const char *bytes, *profile; /* NULL: not given */
	double largest;              /* bytes of the largest message */
} how;
static struct map_request request = {
	.imbalance = -1, .expected = -1, .choice = {.policy = "multilevel"}};

static const struct option_def options[] = {
	OPT_FILE('g', "graph", &request.graph, "COMM",
		 "The communication graph, a comm stream; \"-\" is standard input."),
	OPT_FILE('a', "allocation", &request.allocation.jobs, "JOBS",
		 "Placed jobs, a jobs stream. The allocation is the nodelist of one of "
		 "them; its ranks_per_node applies unless the option is given."),
	OPT_TEXT(0, "job", &request.allocation.job, "ID",
		 "The job to map, if the graph or the jobs have several."),
	OPT_TEXT(0, "hosts", &request.allocation.hosts, "HOSTS",
		 "The allocation, in this order: a host list such as n[0-3], or a host file with"
		 " its slots. Default without -a: the whole machine."),
	OPT_INT(0, "ranks-per-node", &request.allocation.ranks_per_node, "N", 1, 65536,
		"Number of ranks per node. Default: the slots of a host file, else one per core."),
	OPT_REAL(0, "imbalance", &request.imbalance, "E", 0, 1000,
		 "Any number of ranks: each node takes up to 1 + E times its share, whatever its "
		 "cores."),
	OPT_PICK('p', "policy", &request.choice.policy, "MAPPER", &map_policies,
		 "How to place ranks.", .def = "multilevel"),
	OPT_PICK(0, "partition", &request.choice.partition, "PARTITION", &map_partitions,
		 "How to group ranks for a mapper that places groups. The default depends"
		 " on the mapper."),
	OPT_PICK(0, "refine", &request.choice.refiner, "REFINER", &map_refiners,
		 "How to refine the mapping. The default depends on the mapper."),
	OPT_WORD(0, "cores", &request.choice.cores, "WHICH", "near|in-order",
		 "near: ranks of a node that exchange much data get cores that are close,"
		 " if the topology describes how cores nest. in-order: rank by rank. "
		 "Default: near, but in-order for the mappers in-order, cyclic and "
		 "random."),
	OPT_PICK('m', "metric", &request.metric, "METRIC", &map_objectives,
		 "What the mapping minimizes. Default: in-turn; of ptram the sum of all four "
		 "terms of its paper."),
	OPT_INT(0, "finalists", &request.nfinalists, "N", 1, 1000,
		"Write the N best mappings that were found by any mapper, best first, each with a "
		"run of its own."),
	OPT_FLAG(0, "ignore-routes", &request.ignores_routes,
		 "Mappers and refiners spread each message over all shortest paths "
		 "instead of using the machine's routes. --stats always uses the "
		 "machine's routes."),
	OPT_PICK('r', "routing", &request.routing, "ROUTING", &routings,
		 "The routes on which loads are counted. Default: the topology's."),
	OPT_REAL(
		0, "expected", &request.expected, "F", 0, 1,
		"Count the loads that an adaptive routing is expected to cause, instead of those of "
		"one path: equal minimal paths share a message, and F is the part that takes "
		"minimal paths where the routing has detours."),
	OPT_TEXT(0, "bytes", &how.bytes, "SIZE",
		 "Size of the largest message, as in netsim: a rehearsal then knows which messages "
		 "are sent at once, and what a hop takes. Default: all are so large that they ask "
		 "first."),
	OPT_PICK(0, "profile", &how.profile, "PROFILE", &sim_profiles,
		 "The parameters of netsim that a rehearsal takes this from.", .def = "default",
		 .with = "bytes"),
	OPT_OUTPUT(0, "explain", &request.explain, "FILE",
		   "Write in words what each stage gained, and what is proven to be the least."),
	OPT_OUTPUT(0, "stats", &request.stats, "FILE",
		   "Write the time and the result of each stage, a metrics stream."),
	{0}};

static const struct registry *const registries[] = {
	&map_policies, &map_partitions, &map_refiners, &map_objectives,
	&routings,     &sim_profiles,   NULL};

static const struct tool tool = {
	.name = "mapref",
	.summary = "map the ranks of a job to nodes and cores",
	.usage = (const char *const[]){"-g COMM [-t TOPOLOGY] [-a JOBS [--job ID] | --hosts "
				       "HOSTLIST] [-p MAPPER] [--refine REFINER]",
				       NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_PARTIAL | CLI_JOBS,
	.registries = registries,
};

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

/* In parts of the largest message, and of its time on a link of capacity 1. */
static int learn_travel(struct travel *travel, struct topo *topo, struct err *err)
{
	static const char *const settings[] = {"guesses=accept"};
	struct sim_params params;
	int level = level_of_nodes(topo);
	double per_ps, largest_ps; /* of a link of capacity 1 */

	if (sim_params_open(&params, topo, how.profile, settings, 1, NULL, err) != 0)
		return -1;
	per_ps = params.levels[level].bandwidth / topo->levels[level].bandwidth *
		 topo->levels[LINK_TERMINAL].bandwidth * 1e-12;
	largest_ps = how.largest / per_ps;
	*travel = (struct travel){
		.eager = (double)params.eager_bytes / how.largest,
		.packet = (double)params.packet_bytes / how.largest,
		.room = (double)params.input_buffer_bytes / how.largest,
		.hop = (double)(params.router_delay_ps + params.levels[level].latency_ps) /
		       largest_ps,
		.copy = per_ps / (params.levels[LINK_NODE].bandwidth * 1e-12),
		.copy_overhead = (double)params.copy_overhead_ps / largest_ps,
		.copy_eager = (double)params.copy_eager_bytes / how.largest,
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

static int run(const struct run_context *context, char **operands, struct err *err)
{
	bool whole;

	(void)operands;
	if (request.graph == NULL)
		return err_set(err, "-g COMM is missing; see --help");
	if (request.nfinalists > 0 && (request.stats != NULL || request.explain != NULL))
		return err_set(err, "--finalists has no --%s: there are several mappings",
			       request.stats != NULL ? "stats" : "explain");
	if (how.bytes != NULL) {
		if (num_bytes(how.bytes, &how.largest) != 0 || !(how.largest >= 1))
			return err_set(err, "--bytes: '%s' is not a size such as 1KiB", how.bytes);
		request.learn_travel = learn_travel;
	}
	if (map_job(context, &request, &whole, err) != 0)
		return -1;
	return whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
