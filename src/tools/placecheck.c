/* placecheck.c - whether what must hold in a stream does */
#include "measure/check/constraint_check.h"
#include "measure/checker/geometry.h"
#include "machine/order/order.h"
#include "machine/load.h"
#include "base/cli.h"
#include "base/options.h"
#include "model/kinds.h"

static const char *nodes, *idle, *routing;
static struct cli_list constraints; /* picks of checkers */
static int64_t limit = 100;
static bool machine_only;

static const struct option_def options[] = {
	OPT_FILE(0, "nodes", &nodes, "NODES",
		 "The states of the nodes before the jobs came, a stream of the kind nodes: jobs "
		 "that a policy placed must have nodes that were idle there, or had become so."),
	OPT_TEXT(0, "idle", &idle, "HOSTLIST", "The nodes that were idle before the jobs came."),
	OPT_PICKS('c', "constraint", &constraints, "CONSTRAINT", &checkers,
		  "Jobs that a policy placed must keep this constraint; several may be given."),
	OPT_PICK('r', "routing", &routing, "ROUTING", &routings,
		 "The routes that constraints look at.", .def = "the machine's own, else minimal"),
	OPT_FLAG(0, "machine", &machine_only, "Check the machine alone; no stream is read."),
	OPT_INT(0, "limit", &limit, "N", 0, 1e15,
		"Tell at most this many broken invariants; 0 means all.", .def = "100"),
	{0}};

static const struct registry *const registries[] = {&checks, &checkers, &orders, &routings, NULL};

static const struct tool tool = {
	.name = "placecheck",
	.summary = "check that what must hold in a stream does",
	.usage = (const char *const[]){"[-t TOPOLOGY] [-c CONSTRAINT]… [-r ROUTING] [--nodes NODES "
				       "| --idle HOSTLIST] "
				       "[--limit N] [STREAM…]",
				       "--machine -t TOPOLOGY [--limit N]", NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_PARTIAL | CLI_NO_OUTPUT,
	.registries = registries,
	.max_operands = -1,
};

static void tell(void *context, const char *text)
{
	(void)context;
	warn("%s", text);
}

/* The machine, if anything says which it is: -t, the stream, $PLACETOOLS_TOPOLOGY. */
static struct topo *find_topology(const struct table_in *in)
{
	struct topo *topo = NULL;
	struct err err;

	if ((machine_only || constraints.n > 0 || topo_is_named(cli.topology, in)) &&
	    topo_resolve(&topo, cli.topology, in, &err) != 0)
		die("%s", err.msg);
	return topo;
}

static void read_states(struct node_states *states)
{
	struct err err;

	if ((nodes != NULL && node_states_read(states, nodes, &err) != 0) ||
	    (idle != NULL && node_states_from_list(states, idle, &err) != 0))
		die("%s%s", nodes != NULL ? "--nodes: " : "", err.msg);
}

/* Returns whether the stream was whole. */
static bool check(struct table_in *in, struct topo *topo, const struct node_states *states,
		  struct findings *findings)
{
	struct constraint_checks *rules = NULL;
	const char *first;
	struct err err;

	if (constraints.n > 0 && constraint_checks_open(&rules, topo, routing, states,
							constraints.at, constraints.n, &err) != 0)
		die("--constraint: %s", err.msg);
	if (check_stream(in, topo, states, rules, findings, &err) != 0)
		die("%s", err.msg);
	if (rules != NULL && constraint_checks_nopen(rules, &first) > 0)
		warn("placements that a constraint was not decided for: %lld; the first: %s",
		     (long long)constraint_checks_nopen(rules, &first), first);
	constraint_checks_close(rules);
	return table_is_whole(in);
}

int main(int argc, char **argv)
{
	struct findings findings = {.tell = tell};
	struct node_states states = {0};
	struct table_in *in = NULL;
	struct topo *topo;
	struct err err;
	bool whole = true;

	argv += cli_parse(&tool, argc, argv);
	findings.most = limit;
	if (nodes != NULL && idle != NULL)
		die("--nodes and --idle say the same thing: give one");
	if (machine_only && (argv[0] != NULL || nodes != NULL || idle != NULL || constraints.n > 0))
		die("--machine goes with -t and --limit only: no stream is read");
	if (!machine_only && table_open(&in, all_kinds, argv, &err) != 0)
		die("%s", err.msg);
	if (constraints.n > 0 && table_kind(in) != &kind_jobs)
		die("--constraint: a %s stream has no placed jobs", table_kind(in)->name);
	topo = find_topology(in);
	read_states(&states);
	if (topo != NULL)
		check_machine(topo, &findings);
	if (in != NULL)
		whole = check(in, topo, nodes != NULL || idle != NULL ? &states : NULL, &findings);
	node_states_free(&states);
	topo_free(topo);
	table_close(in);
	if (limit > 0 && findings.n > limit)
		warn("%lld more broken invariants are not shown (--limit)",
		     (long long)(findings.n - limit));
	say("broken invariants: %lld", (long long)findings.n);
	return cli_finish(!whole ? EXIT_TROUBLE : findings.n > 0 ? EXIT_NO : EXIT_YES);
}
