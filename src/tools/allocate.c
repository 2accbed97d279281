/* allocate.c - idle nodes for jobs */
#include "place/constraint/constraint.h"
#include "machine/order/order.h"
#include "machine/route/route.h"
#include "base/cli.h"
#include "base/options.h"
#include "base/time.h"
#include "model/job.h"
#include "place/queue/queue.h"
#include "place/free_racks.h"
#include "place/place.h"

static struct allocate_options how;
static struct cli_list nodes, traffic, constraint_list, keep;
static const char *at, *replay;
static int64_t read_ahead;
static const char *order = "input";
static struct free_options freeing = {.cost = "nodes"};

static const struct option_def options[] = {
	OPT_PICK('p', "policy", &how.policy, "POLICY", &alloc_policies,
		 "Which idle nodes a job gets.", .def = "simple"),
	OPT_PICK('q', "queue", &how.queue, "QUEUE", &queues,
		 "Which of the waiting jobs starts next.", .def = "none"),
	OPT_PICKS('c', "constraint", &constraint_list, "CONSTRAINT", &constraints,
		  "A constraint on a job's nodes: it waits until such nodes are idle. May"
		  " be given more than once."),
	OPT_PICK('r', "routing", &how.routing, "ROUTING", &routings,
		 "The routes that constraints use; default: the topology's, else minimal.",
		 .with = "constraint"),
	OPT_FLAG(0, "candidates", &how.lists_candidates,
		 "List every node list that a job could get now, each as a separate run. "
		 "For small machines."),
	OPT_FILES(0, "nodes", &nodes, "FILE",
		  "What the scheduler says of the machine: a nodes stream, whose idle nodes with "
		  "role compute or both are assigned, and no others; a partitions stream; a "
		  "reservations stream."),
	OPT_TEXT(
		0, "idle", &how.idle, "HOSTS",
		"The idle nodes, as in --hosts; the others are busy. Without --nodes and --idle all "
		"are idle."),
	OPT_TEXT(0, "hosts", &how.hosts, "HOSTS",
		 "Assign only these nodes: a host list such as n[0-3], or a host file such as "
		 "$PBS_NODEFILE."),
	OPT_TEXT(0, "at", &at, "TIME",
		 "Of a log, the state at this time (seconds since the epoch, or ISO 8601 with its "
		 "zone): jobs that ran keep their nodes, those that waited are placed, others are "
		 "left out."),
	OPT_FILES(0, "traffic", &traffic, "TRAFFIC",
		  "Network traffic per router or node, a traffic stream. A decision uses "
		  "the newest window that has ended by then."),
	OPT_PICK(
		0, "replay", &replay, "[POLICY]", &alloc_policies,
		"Place jobs again that came with their nodes, by this policy, else that of -p. Each "
		"keeps its row, with policy recorded, and gets a second one from its submission on. "
		"The default queue is then easy. Rows of other policies pass as they are."),
	OPT_INT(0, "read-ahead", &read_ahead, "N", 1, 1e9,
		"Read only N jobs (or a few more) ahead of the queue, not the whole run: memory is "
		"for jobs that wait or run, and for rows that wait for an earlier one. The jobs must "
		"come in the order of submit_s, each at most N rows late; those that came with "
		"their nodes first."),
	OPT_WORD(0, "order", &order, "ORDER", "input|end",
		 "Rows leave in the order of the input, or by the end of their jobs: then none "
		 "waits for an earlier one. Jobs that get no nodes leave when that is decided, "
		 "jobs without an end last.",
		 .def = "input"),
	OPT_TEXT(0, "free", &freeing.domains, "LEVEL:N",
		 "Free N domains of this level, beside those that are empty: write the rows of the "
		 "running jobs that are to move, with the nodes that they get."),
	OPT_WORD(0, "cost", &freeing.cost, "COST", "nodes|jobs|job-nodes",
		 "What --free moves least of: nodes; jobs; or all nodes of such jobs.",
		 .def = "nodes", .with = "free"),
	OPT_LIST(0, "keep", &keep, "JOB", "A job that --free leaves where it is.", .with = "free"),
	OPT_OUTPUT(
		0, "mapping", &how.mapping, "FILE",
		"Write where the ranks of the placed jobs go, a mapping stream. Only for policies "
		"that map ranks, such as map."),
	OPT_FLAG(0, "explain", &how.explains,
		 "Add the column reason: what decided, or why a job waits."),
	{0}};

static const struct registry *const registries[] = {&alloc_policies, &constraints, &orders, NULL};

static const struct tool tool = {
	.name = "allocate",
	.summary = "assign nodes to jobs",
	.usage =
		(const char *const[]){
			"[-t TOPOLOGY] [-p POLICY] [-q QUEUE] [-c CONSTRAINT]… [-r ROUTING] "
			"[--nodes FILE]… [--idle HOSTS] [--hosts HOSTS] [--traffic TRAFFIC] "
			"[--mapping FILE] [--explain] [--at TIME] "
			"[--replay[=POLICY] | --candidates] [--read-ahead N] [--order input|end] [JOBS…]",
			"--free LEVEL:N [--cost nodes|jobs|job-nodes] [--keep JOB]… [-t TOPOLOGY] "
			"[-p POLICY] [JOBS…]",
			NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_PARTIAL | CLI_STRICT,
	.registries = registries,
	.max_operands = -1,
};

static int run(const struct run_context *context, char **paths, struct err *err)
{
	struct allocate_result result;

	how.nodes = (char *const *)nodes.at;
	how.traffic = (char *const *)traffic.at;
	how.constraints = constraint_list.at;
	how.nconstraints = constraint_list.n;
	how.nahead = (int)read_ahead;
	how.by_end = str_eq(order, "end");
	how.replays = replay != NULL;
	how.at_ns = JOB_NO_TIME;
	if (at != NULL && time_read(at, &how.at_ns, err) != 0)
		return err_prefix(err, "--at: ");
	freeing.keep = (const char *const *)keep.at;
	if (freeing.domains != NULL)
		return free_racks_run(context, &freeing, &how, paths, err);
	if (how.replays && *replay != '\0' && how.policy != NULL)
		return err_set(err, "-p and --replay=POLICY say the same thing: give one");
	if (how.replays && *replay != '\0')
		how.policy = replay;
	how.policy = how.policy != NULL ? how.policy : "simple";
	how.queue = how.queue != NULL ? how.queue : how.replays ? "easy" : "none";
	if (how.lists_candidates && (how.replays || how.mapping != NULL || how.by_end))
		return err_set(
			err, how.replays ? "--replay and --candidates exclude each other"
			     : how.mapping != NULL
				     ? "--candidates places no job: --mapping has no ranks to write"
				     : "--candidates places no job: --order has no ends to go by");
	if (at != NULL && (how.replays || read_ahead > 0))
		return err_set(err, "--at goes with neither --replay nor --read-ahead");
	if (allocate_stream(context, &how, paths, &result, err) != 0)
		return -1;
	if (result.nbooked > 0 && result.nplaced + result.nwaiting == 0)
		warn("all %lld jobs came with their nodes and keep them: none "
		     "was placed (--replay places them anew)",
		     (long long)result.nbooked);
	if (result.nwaiting > 0)
		warn("%lld of %lld jobs could not be placed", (long long)result.nwaiting,
		     (long long)(result.nwaiting + result.nplaced));
	if (result.nheld > 0)
		say("jobs kept at one time: at most %lld", (long long)result.nheld);
	return result.is_whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
