/* jobgen.c - workloads: jobs, the papers' experiments, counters */
#include <stdlib.h>

#include "machine/load.h"
#include "workload/workload.h"
#include "base/cli.h"
#include "formats/out.h"
#include "formats/table.h"
#include "model/kinds.h"

static const struct option_def options[] = {{0}};
static const char *const usage[] = {"[-t TOPOLOGY] SPEC", "[-t TOPOLOGY] SPEC [JOBS…]", NULL};
static const struct registry *const registries[] = {&workloads, NULL};

static const struct tool tool = {
	.name = "jobgen",
	.summary = "make workloads: jobs, the experiments of papers, counters",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_PARTIAL,
	.registries = registries,
	.min_operands = 1,
	.max_operands = -1,
};

static void prepare(const struct workload *workload, struct workload_input *input, char **paths)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	struct err err;

	if (!workload->reads_jobs && paths[0] != NULL)
		die("%s reads no jobs, but '%s' was given", workload->entry.name, paths[0]);
	if (workload->reads_jobs && table_open(&input->jobs, kinds, paths, &err) != 0)
		die("%s", err.msg);
	if ((workload->needs_topology || cli.topology != NULL) &&
	    topo_resolve(&input->topo, cli.topology, input->jobs, &err) != 0)
		die("%s", err.msg);
}

int main(int argc, char **argv)
{
	struct workload_input input = {.is_whole = true};
	const struct workload *workload;
	struct pick pick;
	struct err err, why;
	int status;

	argv += cli_parse(&tool, argc, argv);
	if (pick_parse(&pick, &workloads, argv[0], &err) != 0)
		die("%s", err.msg);
	workload = workload_of(pick.entry);
	input.seed = (uint64_t)cli.seed;
	prepare(workload, &input, argv + 1);
	if (out_open(&input.out, cli.output, &err) != 0)
		die("%s", err.msg);
	if (workload->write(&pick, &input, &err) != 0) {
		out_close(input.out, false, &why);
		die("%s", err.msg);
	}
	status = input.is_whole ? EXIT_YES : EXIT_TROUBLE;
	if (out_close(input.out, input.is_whole, &err) != 0) {
		if (err.msg[0] != '\0')
			die("%s", err.msg);
		status = EXIT_TROUBLE;
	}
	table_close(input.jobs);
	topo_free(input.topo);
	pick_free(&pick);
	return cli_finish(status);
}
