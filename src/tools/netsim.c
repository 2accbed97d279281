/* netsim.c - jobs on a simulated network */
#include "mpi/pattern/pattern.h"
#include "machine/route/route.h"
#include "base/cli.h"
#include "base/options.h"
#include "sim/open_loop.h"
#include "sim/params/params.h"
#include "sim/sim.h"

static struct netsim_options how = {.iterations = 1, .ranks_per_node = 1, .time_scale = 1};
static struct cli_list allowed, settings;

static const struct option_def options[] = {
	OPT_PICK(0, "profile", &how.profile, "PROFILE", &sim_profiles, "A set of parameters.",
		 .def = "default"),
	OPT_LIST('s', "set", &settings, "KEY=VALUE",
		 "A parameter of --list=parameters, such as packet=2KiB or global-latency=1us; "
		 "stronger than the topology file and the profile."),
	OPT_PICK('r', "routing", &how.routing, "ROUTING", &routings, "How packets find their way.",
		 .def = "the machine's own, else the profile's"),
	OPT_TEXT('p', "pattern", &how.pattern, "PATTERN",
		 "What jobs do that name no pattern: one of --list=patterns, or a sum of them such "
		 "as halo3d+allreduce. Without it they are silent."),
	OPT_PICK(0, "open-loop", &how.open_loop, "PATTERN", &open_patterns,
		 "No jobs: nodes send at random, and latency against load is written."),
	OPT_TEXT(0, "bytes", &how.bytes, "SIZE", "Size of a message of jobs that do not say it.",
		 .def = "the pattern's own, else 1KiB"),
	OPT_INT(0, "iterations", &how.iterations, "N", 0, 2147483647,
		"Iterations of jobs that do not say it; 0: until the others end.", .def = "1"),
	OPT_INT(0, "ranks-per-node", &how.ranks_per_node, "N", 1, 1 << 20,
		"Ranks on each node of jobs that do not say it.", .def = "1"),
	OPT_FILE(0, "mapping", &how.mapping, "MAPPING",
		 "Where ranks go, a stream of the kind mapping; jobs that it "
		 "does not have go by their column mapping."),
	OPT_FILES(0, "allow-paths", &allowed, "FOLDER",
		  "Patterns of jobs may name files below this folder, too, not only below that of "
		  "the jobs. May be given more than once."),
	OPT_FLAG(0, "scheduled", &how.is_scheduled,
		 "Jobs start at their start_s, seen from the first one of "
		 "their run. Without it they start together."),
	OPT_REAL(0, "time-scale", &how.time_scale, "F", 1e-12, 1e6,
		 "With --scheduled: simulated seconds for a second of start_s.", .def = "1"),
	OPT_TEXT(0, "until", &how.until, "T",
		 "Each run ends at this simulated time; jobs that are not done have no times."),
	OPT_OUTPUT(0, "ranks", &how.ranks, "FILE", "Write the times of every rank."),
	OPT_OUTPUT(0, "links", &how.links, "FILE",
		   "Write what went over every direction of every link."),
	OPT_OUTPUT(0, "counters", &how.counters, "FILE",
		   "Write what the routers of one run count, as LDMS stores those of Aries."),
	OPT_TEXT(0, "counters-every", &how.counters_every, "T",
		 "Simulated time between two samples of the counters.", .def = "100us"),
	{0}};

static const struct registry *const registries[] = {&open_patterns, &patterns,       &routings,
						    &sim_profiles,  &sim_parameters, NULL};

static const struct tool tool = {
	.name = "netsim",
	.summary = "simulate the communication of jobs on a network",
	.usage = (const char *const[]){"[-t TOPOLOGY] [--profile PROFILE] [-s KEY=VALUE]… [-r "
				       "ROUTING] [-p PATTERN] [--mapping MAPPING] "
				       "[--allow-paths FOLDER]… [--links FILE] [--ranks FILE] "
				       "[--counters FILE] [--until T] [JOBS…]",
				       "-t TOPOLOGY --open-loop PATTERN", NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_JOBS | CLI_PARTIAL | CLI_PROGRESS,
	.registries = registries,
	.max_operands = -1,
};

static int run(const struct run_context *context, char **paths, struct err *err)
{
	struct netsim_result result;

	how.settings = settings.at;
	how.nsettings = settings.n;
	how.allowed = allowed.at;
	how.nallowed = allowed.n;
	if (netsim_stream(context, &how, paths, &result, err) != 0)
		return -1;
	netsim_tell(&result);
	return result.is_whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
