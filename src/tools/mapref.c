/* mapref.c - the ranks of a job get their nodes and cores */
#include <stdlib.h>

#include "map/map.h"
#include "base/cli.h"
#include "formats/out.h"

static struct map_request request = {.choice = {.policy = "multilevel"}};

static const struct option_def options[] = {
	{.letter = 'g',
	 .name = "graph",
	 .type = OPTION_FILE,
	 .target = &request.graph,
	 .arg = "COMM",
	 .help = "The communication graph, a stream of the kind comm; \"-\" is standard input."},
	{.letter = 'a',
	 .name = "allocation",
	 .type = OPTION_FILE,
	 .target = &request.allocation.jobs,
	 .arg = "JOBS",
	 .help = "Placed jobs, a stream of the kind jobs: the allocation is the nodelist of one of "
		 "them, and its ranks_per_node holds unless the option says otherwise."},
	{.name = "job",
	 .type = OPTION_TEXT,
	 .target = &request.allocation.job,
	 .arg = "ID",
	 .help = "The job that is meant where the graph or the jobs are about several."},
	{.name = "hosts",
	 .type = OPTION_TEXT,
	 .target = &request.allocation.hosts,
	 .arg = "HOSTLIST",
	 .help = "The allocation, in its order; without it and -a the job has the whole machine."},
	{.name = "ranks-per-node",
	 .type = OPTION_INT,
	 .target = &request.allocation.ranks_per_node,
	 .arg = "N",
	 .help = "How many ranks a node takes; without it one for each of its cores.",
	 .min = 1,
	 .max = 65536},
	{.letter = 'p',
	 .name = "policy",
	 .type = OPTION_PICK,
	 .target = &request.choice.policy,
	 .arg = "MAPPER",
	 .help = "How ranks are placed.",
	 .def = "multilevel",
	 .registry = &map_policies},
	{.name = "partition",
	 .type = OPTION_PICK,
	 .target = &request.choice.partition,
	 .arg = "PARTITION",
	 .help = "How ranks are grouped for a mapper that places groups; each has its usual one.",
	 .registry = &map_partitions},
	{.name = "refine",
	 .type = OPTION_PICK,
	 .target = &request.choice.refiner,
	 .arg = "REFINER",
	 .help = "What refines the mapping; each mapper has its usual one.",
	 .registry = &map_refiners},
	{.name = "cores",
	 .type = OPTION_WORD,
	 .target = &request.choice.cores,
	 .arg = "WHICH",
	 .help = "near: ranks of a node that talk much get cores that are near, where the topology "
		 "knows how they nest; in-order: rank by rank. Without it near, but in order for "
		 "the "
		 "mappers in-order, cyclic and random.",
	 .choices = "near|in-order"},
	{.letter = 'm',
	 .name = "metric",
	 .type = OPTION_PICK,
	 .target = &request.metric,
	 .arg = "METRIC",
	 .help = "What ptram keeps small; without it the sum of all four terms.",
	 .registry = &map_objectives},
	{.name = "ignore-routes",
	 .type = OPTION_FLAG,
	 .target = &request.ignores_routes,
	 .help = "Mappers and refiners spread each message over all shortest ways instead of the "
		 "machine's routes. What --stats tells is on those all the same."},
	{.letter = 'r',
	 .name = "routing",
	 .type = OPTION_PICK,
	 .target = &request.routing,
	 .arg = "ROUTING",
	 .help = "The routes that loads are counted on; without it what the topology says.",
	 .registry = &routings},
	{.name = "stats",
	 .type = OPTION_FILE,
	 .target = &request.stats,
	 .arg = "FILE",
	 .help = "Writes what each stage took and reached, a stream of the kind metrics."},
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

int main(int argc, char **argv)
{
	struct err err;
	bool whole;

	cli_parse(&tool, argc, argv);
	if (request.graph == NULL)
		die("-g COMM is missing; see --help");
	if (map_job(&request, cli.output, &whole, &err) != 0) {
		if (err.msg[0] == '\0')
			return EXIT_TROUBLE;
		die("%s", err.msg);
	}
	return cli_finish(whole ? EXIT_YES : EXIT_TROUBLE);
}
