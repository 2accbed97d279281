/* jobgen.c - workloads: jobs, the papers' experiments, counters */
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
	.summary = "generate workloads: jobs, the experiments of papers, counters",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_PARTIAL,
	.registries = registries,
	.min_operands = 1,
	.max_operands = -1,
};

static int prepare(const struct run_context *context, const struct workload *workload,
		   struct workload_input *input, char **paths, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};

	if (!workload->reads_jobs && paths[0] != NULL)
		return err_set(err, "%s reads no jobs, but '%s' was given", workload->entry.name,
			       paths[0]);
	if (workload->reads_jobs &&
	    table_open(&input->jobs, kinds, paths, context->accepts_partial, err) != 0)
		return -1;
	if (!workload->needs_topology && context->topology == NULL)
		return 0;
	return topo_resolve(&input->topo, context->topology, input->jobs, err);
}

static int run(const struct run_context *context, char **operands, struct err *err)
{
	struct workload_input input = {.is_whole = true, .seed = (uint64_t)context->seed};
	struct pick pick;
	int status;

	if (pick_parse(&pick, &workloads, operands[0], err) != 0)
		return -1;
	status = prepare(context, workload_of(pick.entry), &input, operands + 1, err);
	if (status == 0)
		status = out_open(&input.out, context->output, context->command, err);
	if (status == 0)
		status = workload_of(pick.entry)->write(&pick, &input, err);
	status = out_finish(input.out, status, input.is_whole, err);
	table_close(input.jobs);
	topo_free(input.topo);
	pick_free(&pick);
	return status != 0 ? -1 : input.is_whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
