/* netsim.c - jobs on a simulated network */
#include "mpi/pattern/pattern.h"
#include "machine/route/route.h"
#include "base/cli.h"
#include "base/progress.h"
#include "sim/open_loop.h"
#include "sim/params/params.h"
#include "sim/sim.h"

static struct netsim_options how = {.iterations = 1, .ranks_per_node = 1, .time_scale = 1};
static struct cli_list settings;

static const struct option_def options[] = {
	{.name = "profile",
	 .type = OPTION_PICK,
	 .target = &how.profile,
	 .arg = "PROFILE",
	 .help = "A set of parameters.",
	 .def = "default",
	 .registry = &sim_profiles},
	{.letter = 's',
	 .name = "set",
	 .type = OPTION_LIST,
	 .target = &settings,
	 .arg = "KEY=VALUE",
	 .help = "A parameter of --list=parameters, such as packet=2KiB or global-latency=1us; "
		 "stronger than the topology file and the profile."},
	{.letter = 'r',
	 .name = "routing",
	 .type = OPTION_PICK,
	 .target = &how.routing,
	 .arg = "ROUTING",
	 .help = "How packets find their way.",
	 .def = "the machine's own, else the profile's",
	 .registry = &routings},
	{.letter = 'p',
	 .name = "pattern",
	 .type = OPTION_TEXT,
	 .target = &how.pattern,
	 .arg = "PATTERN",
	 .help = "What jobs do that name no pattern: one of --list=patterns, or a sum of them such "
		 "as halo3d+allreduce. Without it they are silent."},
	{.name = "open-loop",
	 .type = OPTION_PICK,
	 .target = &how.open_loop,
	 .arg = "PATTERN",
	 .help = "No jobs: nodes send at random, and latency against load is written.",
	 .registry = &open_patterns},
	{.name = "bytes",
	 .type = OPTION_TEXT,
	 .target = &how.bytes,
	 .arg = "SIZE",
	 .help = "Size of a message of jobs that do not say it.",
	 .def = "the pattern's own, else 1KiB"},
	{.name = "iterations",
	 .type = OPTION_INT,
	 .target = &how.iterations,
	 .arg = "N",
	 .help = "Iterations of jobs that do not say it; 0: until the others end.",
	 .def = "1",
	 .max = 2147483647},
	{.name = "ranks-per-node",
	 .type = OPTION_INT,
	 .target = &how.ranks_per_node,
	 .arg = "N",
	 .help = "Ranks on each node of jobs that do not say it.",
	 .def = "1",
	 .min = 1,
	 .max = 1 << 20},
	{.name = "mapping",
	 .type = OPTION_FILE,
	 .target = &how.mapping,
	 .arg = "MAPPING",
	 .help = "Where ranks go, a stream of the kind mapping; jobs that it does not have go by "
		 "their column mapping."},
	{.name = "scheduled",
	 .target = &how.is_scheduled,
	 .help = "Jobs start at their start_s, seen from the first one of their run. Without it "
		 "they start together."},
	{.name = "time-scale",
	 .type = OPTION_REAL,
	 .target = &how.time_scale,
	 .arg = "F",
	 .help = "With --scheduled: simulated seconds for a second of start_s.",
	 .def = "1",
	 .min = 1e-12,
	 .max = 1e6},
	{.name = "until",
	 .type = OPTION_TEXT,
	 .target = &how.until,
	 .arg = "T",
	 .help = "Each run ends at this simulated time; jobs that are not done have no times."},
	{.name = "ranks",
	 .type = OPTION_FILE,
	 .target = &how.ranks,
	 .arg = "FILE",
	 .help = "Write the times of every rank."},
	{.name = "links",
	 .type = OPTION_FILE,
	 .target = &how.links,
	 .arg = "FILE",
	 .help = "Write what went over every direction of every link."},
	{.name = "counters",
	 .type = OPTION_FILE,
	 .target = &how.counters,
	 .arg = "FILE",
	 .help = "Write what the routers of one run count, as LDMS stores those of Aries."},
	{.name = "counters-every",
	 .type = OPTION_TEXT,
	 .target = &how.counters_every,
	 .arg = "T",
	 .help = "Simulated time between two samples of the counters.",
	 .def = "100us"},
	{0}};

static const struct registry *const registries[] = {&open_patterns, &patterns,       &routings,
						    &sim_profiles,  &sim_parameters, NULL};

static const struct tool tool = {
	.name = "netsim",
	.summary = "simulate the communication of jobs on a network",
	.usage = (const char *const[]){"[-t TOPOLOGY] [--profile PROFILE] [-s KEY=VALUE]… "
				       "[-r ROUTING] [-p PATTERN] [--mapping MAPPING] "
				       "[--links FILE] [--ranks FILE] [--counters FILE] "
				       "[--until T] [JOBS…]",
				       "-t TOPOLOGY --open-loop PATTERN", NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_JOBS | CLI_PARTIAL | CLI_PROGRESS,
	.registries = registries,
	.max_operands = -1,
};

int main(int argc, char **argv)
{
	struct netsim_result result;
	struct err err;

	argv += cli_parse(&tool, argc, argv);
	how.settings = settings.at;
	how.nsettings = settings.n;
	how.shows_progress = cli.progress;
	progress_watch();
	if (netsim_stream(&how, argv, cli.output, &result, &err) != 0) {
		if (err.msg[0] == '\0')
			return EXIT_TROUBLE;
		die("%s", err.msg);
	}
	netsim_tell(&result);
	return cli_finish(result.is_whole ? EXIT_YES : EXIT_TROUBLE);
}
