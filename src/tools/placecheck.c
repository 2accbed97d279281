/* placecheck.c - whether what must hold in a stream does */
#include <stdlib.h>

#include "measure/check/constraint_check.h"
#include "measure/check/segments.h"
#include "measure/checker/geometry.h"
#include "machine/order/order.h"
#include "machine/load.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/options.h"
#include "model/kinds.h"

static const char *idle, *hosts, *routing, *sizes;
static struct cli_list nodes;
static struct cli_list constraints; /* picks of checkers */
static int64_t limit = 100;
static bool machine_only, waiting;

static const struct option_def options[] = {
	OPT_FILES(0, "nodes", &nodes, "FILE",
		  "What the scheduler said before the jobs: a nodes stream (jobs placed by a "
		  "policy must have nodes that were idle there or had become idle), a partitions "
		  "stream, a reservations stream."),
	OPT_TEXT(0, "idle", &idle, "HOSTS",
		 "The nodes that were idle before the jobs: a host list or a host file."),
	OPT_TEXT(0, "hosts", &hosts, "HOSTS",
		 "Jobs placed by a policy must have only these nodes, likewise."),
	OPT_PICKS('c', "constraint", &constraints, "CONSTRAINT", &checkers,
		  "Jobs placed by a policy must satisfy this constraint."),
	OPT_PICK('r', "routing", &routing, "ROUTING", &routings, "The routes that constraints use.",
		 .def = "the machine's own, else minimal", .with = "constraint"),
	OPT_TEXT(0, "block-sizes", &sizes, "SIZES",
		 "Slurm's BlockSizes, as 30,120: the blocks that segments are planned for."),
	OPT_FLAG(0, "waiting", &waiting, "Report waiting jobs for which the nodes left would do."),
	OPT_FLAG(0, "machine", &machine_only, "Check only the machine; no stream is read."),
	OPT_INT(0, "limit", &limit, "N", 0, 1e15, "Report at most N violations; 0 means all.",
		.def = "100"),
	{0}};

static const struct registry *const registries[] = {&checks, &checkers, &orders, &routings, NULL};

static const struct tool tool = {
	.name = "placecheck",
	.summary = "check a stream's invariants",
	.usage =
		(const char *const[]){
			"[-t TOPOLOGY] [-c CONSTRAINT]… [-r ROUTING] [--nodes FILE]… [--idle HOSTS] "
			"[--hosts HOSTS] [--block-sizes SIZES] [--waiting] [--limit N] [STREAM…]",
			"--machine -t TOPOLOGY [--limit N]", NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_PARTIAL | CLI_STRICT | CLI_NO_OUTPUT,
	.registries = registries,
	.max_operands = -1,
};

static void tell(void *context, const char *text)
{
	(void)context;
	warn("%s", text);
}

static int check_options(char **paths, struct err *err)
{
	if (machine_only &&
	    (paths[0] != NULL || nodes.n > 0 || idle != NULL || hosts != NULL || constraints.n > 0))
		return err_set(err, "--machine goes with -t and --limit only: no stream is read");
	return 0;
}

/* The machine, if anything says which it is: -t, the stream, $PLACETOOLS_TOPOLOGY. */
static int find_topology(struct topo **topo, const struct run_context *context,
			 const struct table_in *in, struct err *err)
{
	if (machine_only || constraints.n > 0 || topo_is_named(context->topology, in))
		return topo_resolve(topo, context->topology, in, err);
	return 0;
}

/* *whole: the stream was. */
static int check(struct table_in *in, struct topo *topo, const struct node_states *states,
		 struct findings *findings, bool *whole, struct err *err)
{
	struct constraint_checks *rules = NULL;
	struct block_sizes block_sizes = {.n = 0};
	const char *first;
	int status;

	if (sizes != NULL && block_sizes_read(&block_sizes, sizes, err) != 0)
		return err_prefix(err, "--block-sizes: ");
	if (constraints.n > 0 && constraint_checks_open(&rules, topo, routing, states,
							constraints.at, constraints.n, err) != 0)
		return err_prefix(err, "--constraint: ");
	status = check_stream(in, topo, states, rules, &block_sizes, waiting, findings, err);
	if (status == 0 && rules != NULL && constraint_checks_nopen(rules, &first) > 0)
		warn("placements that a constraint was not decided for: %lld; the first: %s",
		     (long long)constraint_checks_nopen(rules, &first), first);
	constraint_checks_close(rules);
	*whole = status == 0 && table_is_whole(in);
	return status;
}

static int report(const struct findings *findings, bool whole)
{
	if (limit > 0 && findings->n > limit)
		warn("%lld more broken invariants are not shown (--limit)",
		     (long long)(findings->n - limit));
	say("broken invariants: %lld", (long long)findings->n);
	return !whole ? EXIT_TROUBLE : findings->n > 0 ? EXIT_NO : EXIT_YES;
}

static int run(const struct run_context *context, char **paths, struct err *err)
{
	struct findings findings = {.tell = tell, .most = limit, .is_strict = context->is_strict};
	struct node_states states = {0};
	char **nodes_paths = xcalloc((size_t)nodes.n + 1, sizeof(*nodes_paths));
	struct table_in *in = NULL;
	struct topo *topo = NULL;
	bool whole = true;
	int status = check_options(paths, err);

	for (int i = 0; i < nodes.n; i++)
		nodes_paths[i] = (char *)nodes.at[i];
	if (status == 0 && !machine_only)
		status = table_open(&in, all_kinds, paths, context->accepts_partial, err);
	if (status == 0 && constraints.n > 0 && table_kind(in) != &kind_jobs)
		status = err_set(err, "--constraint: a %s stream has no placed jobs",
				 table_kind(in)->name);
	if (status == 0)
		status = find_topology(&topo, context, in, err);
	if (status == 0)
		status = node_states_given(&states, nodes_paths, idle, hosts,
					   context->accepts_partial, err);
	if (status == 0 && topo != NULL)
		check_machine(topo, machine_only, &findings);
	if (status == 0 && in != NULL)
		status = check(in, topo,
			       nodes.n > 0 || idle != NULL || hosts != NULL ? &states : NULL,
			       &findings, &whole, err);
	free(nodes_paths);
	node_states_free(&states);
	topo_free(topo);
	table_close(in);
	return status != 0 ? -1 : report(&findings, whole);
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
