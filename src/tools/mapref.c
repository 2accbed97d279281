/* mapref.c - the ranks of a job get their nodes and cores */
#include <stdlib.h>

#include "map/map.h"
#include "map/problem/aim.h"
#include "sim/params/params.h"
#include "sim/params/sim_travel.h"
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
		"Write N mappings: what the mapper takes, then the best of any mapper, each with a "
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
		 "are sent at once, and what hops and copies inside nodes take. Default: all are "
		 "so large that they ask first."),
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

static int learn_travel(struct travel *travel, struct topo *topo, struct err *err)
{
	return sim_travel(travel, topo, how.profile, how.largest, err);
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
