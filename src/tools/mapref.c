/* mapref.c - the ranks of a job get their nodes and cores */
#include <stdlib.h>

#include "map/map.h"
#include "base/cli.h"
#include "base/options.h"
#include "formats/out.h"

static struct map_request request = {.choice = {.policy = "multilevel"}};

static const struct option_def options[] = {
	OPT_FILE('g', "graph", &request.graph, "COMM",
		 "The communication graph, a stream of the kind comm; \"-\" is standard input."),
	OPT_FILE('a', "allocation", &request.allocation.jobs, "JOBS",
		 "Placed jobs, a stream of the kind jobs: the allocation is the nodelist of one of "
		 "them, and its ranks_per_node holds unless the option says otherwise."),
	OPT_TEXT(0, "job", &request.allocation.job, "ID",
		 "The job that is meant where the graph or the jobs are about several."),
	OPT_TEXT(0, "hosts", &request.allocation.hosts, "HOSTLIST",
		 "The allocation, in its order; without it and -a the job has the whole machine."),
	OPT_INT(0, "ranks-per-node", &request.allocation.ranks_per_node, "N", 1, 65536,
		"How many ranks a node takes; without it one for each of its cores."),
	OPT_PICK('p', "policy", &request.choice.policy, "MAPPER", &map_policies,
		 "How ranks are placed.", .def = "multilevel"),
	OPT_PICK(0, "partition", &request.choice.partition, "PARTITION", &map_partitions,
		 "How ranks are grouped for a mapper that places groups; each has its usual one."),
	OPT_PICK(0, "refine", &request.choice.refiner, "REFINER", &map_refiners,
		 "What refines the mapping; each mapper has its usual one."),
	OPT_WORD(0, "cores", &request.choice.cores, "WHICH", "near|in-order",
		 "near: ranks of a node that talk much get cores that are near, where the topology "
		 "knows how they nest; in-order: rank by rank. Without it near, but in order for "
		 "the mappers in-order, cyclic and random."),
	OPT_PICK('m', "metric", &request.metric, "METRIC", &map_objectives,
		 "What ptram keeps small; without it the sum of all four terms."),
	OPT_FLAG(0, "ignore-routes", &request.ignores_routes,
		 "Mappers and refiners spread each message over all shortest ways instead of the "
		 "machine's routes. What --stats tells is on those all the same."),
	OPT_PICK('r', "routing", &request.routing, "ROUTING", &routings,
		 "The routes that loads are counted on; without it what the topology says."),
	OPT_OUTPUT(0, "stats", &request.stats, "FILE",
		   "Writes what each stage took and reached, a stream of the kind metrics."),
	{0}};

static const struct registry *const registries[] = {&map_policies,   &map_partitions, &map_refiners,
						    &map_objectives, &routings,       NULL};

static const struct tool tool = {
	.name = "mapref",
	.summary = "map the ranks of a job to nodes so that no link carries much more than others",
	.usage = (const char *const[]){"-g COMM [-t TOPOLOGY] [-a JOBS [--job ID] | --hosts "
				       "HOSTLIST] [-p MAPPER] [--refine REFINER]",
				       NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_PARTIAL | CLI_JOBS,
	.registries = registries,
};

static int run(const struct run_context *context, char **operands, struct err *err)
{
	bool whole;

	(void)operands;
	if (request.graph == NULL)
		return err_set(err, "-g COMM is missing; see --help");
	if (map_job(context, &request, &whole, err) != 0)
		return -1;
	return whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
