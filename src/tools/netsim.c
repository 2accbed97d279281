/* netsim.c - jobs on a simulated network */
#include "mpi/pattern/pattern.h"
#include "machine/route/route.h"
#include "base/cli.h"
#include "base/mem.h"
#include "base/options.h"
#include "sim/open_loop.h"
#include "sim/params/params.h"
#include "sim/sim.h"
#include "sim/storage/io_schedule.h"

#include <stdlib.h>

static struct netsim_options how = {.iterations = -1, .time_scale = 1};
static struct cli_list allowed, settings;
static const char *gpu;

static const struct option_def options[] = {
	OPT_PICK(0, "profile", &how.profile, "PROFILE", &sim_profiles, "A set of parameters.",
		 .def = "default"),
	OPT_LIST('s', "set", &settings, "KEY=VALUE",
		 "Set a parameter of --list=parameters, such as packet=2KiB or "
		 "global-latency=1us. It overrides the topology file and the profile."),
	OPT_FLAG(0, "show-parameters", &how.shows_parameters,
		 "Write all parameters, each with where its value comes from (default, profile, "
		 "topology, -s or -r), as a profile that --profile file:path=FILE reads; simulate "
		 "nothing. With -v every output has them in its head."),
	OPT_WORD(0, "gpu", &gpu, "WAY", "hostcopy|gpudirect|trace",
		 "Buffers of messages are on GPUs: copied to the host first, sent from GPU to GPU, "
		 "or as each call of a trace says. The same as -s gpu=WAY."),
	OPT_PICK('r', "routing", &how.routing, "ROUTING", &routings, "How packets are routed.",
		 .def = "the machine's own, else the profile's"),
	OPT_TEXT('p', "pattern", &how.pattern, "PATTERN",
		 "The pattern of jobs that do not name one: one of --list=patterns, or a "
		 "sum such as halo3d+allreduce. Default: such jobs are silent."),
	OPT_PICK(0, "open-loop", &how.open_loop, "PATTERN", &open_patterns,
		 "No jobs: nodes send at random times, and latency against load is "
		 "written."),
	OPT_TEXT(0, "bytes", &how.bytes, "SIZE",
		 "Message size of jobs that do not specify"
		 " one.",
		 .def = "the pattern's own, else 1KiB"),
	OPT_INT(0, "iterations", &how.iterations, "N", 0, 2147483647,
		"Iterations of jobs that do not specify them; 0: until all others end.",
		.def = "1"),
	OPT_INT(0, "ranks-per-node", &how.ranks_per_node, "N", 1, 1 << 20,
		"Ranks per node of jobs that do not specify them.", .def = "1"),
	OPT_FILE(0, "mapping", &how.mapping, "MAPPING",
		 "Where ranks go, a mapping stream. Jobs that it does not contain use "
		 "their column mapping."),
	OPT_FILES(0, "allow-paths", &allowed, "FOLDER",
		  "Patterns of jobs may also name files below this folder, not only below"
		  " that of the jobs. May be given more than once."),
	OPT_INT(0, "partitions", &how.partitions, "N", 0, 1024,
		"Divide the machine into N partitions, whatever -j is. 0: as many as -j leaves "
		"threads for a run, on large machines. Results do not depend on it; with -v "
		"netsim reports what the partitions did.",
		.def = "0"),
	OPT_FLAG(0, "scheduled", &how.is_scheduled,
		 "Start jobs at their start_s, relative to the first one of their run. "
		 "Default: all start together."),
	OPT_REAL(0, "time-scale", &how.time_scale, "F", 1e-12, 1e6,
		 "With --scheduled: simulated seconds per second of start_s.", .def = "1",
		 .with = "scheduled"),
	OPT_TEXT(0, "until", &how.until, "T",
		 "End each run at this simulated time. Unfinished jobs have no times."),
	OPT_OUTPUT(0, "ranks", &how.ranks, "FILE", "Write the times of every rank."),
	OPT_OUTPUT(0, "links", &how.links, "FILE",
		   "Write what every direction of every link carried."),
	OPT_PICK(0, "io-schedule", &how.io_schedule, "SCHEDULE", &io_schedules,
		 "When the ranks of a job may begin their I/O.", .def = "none"),
	OPT_OUTPUT(0, "io", &how.io, "FILE",
		   "Write every I/O operation with its times, an iotrace stream."),
	OPT_OUTPUT(0, "storage", &how.storage, "FILE", "Write what each storage device did."),
	OPT_OUTPUT(0, "counters", &how.counters, "FILE",
		   "Write the counters of the routers in LDMS's format for "
		   "Aries."),
	OPT_TEXT(0, "counters-every", &how.counters_every, "T",
		 "Simulated time between two samples of the counters.", .def = "100us",
		 .with = "counters"),
	{0}};

static const struct registry *const registries[] = {
	&open_patterns, &patterns, &routings, &sim_profiles, &sim_parameters, &io_schedules, NULL};

static const struct tool tool = {
	.name = "netsim",
	.summary = "simulate the communication of jobs on a network",
	.usage = (const char *const[]){"[-t TOPOLOGY] [--profile PROFILE] [-s KEY=VALUE]… [-r "
				       "ROUTING] [-p PATTERN] [--mapping MAPPING] "
				       "[--allow-paths FOLDER]… [--links FILE] [--ranks FILE] "
				       "[--io FILE] [--storage FILE] [--counters FILE] [--until T] "
				       "[JOBS…]",
				       "-t TOPOLOGY --open-loop PATTERN",
				       "-t TOPOLOGY --show-parameters", NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_JOBS | CLI_PARTIAL | CLI_PROGRESS,
	.registries = registries,
	.max_operands = -1,
};

static int run(const struct run_context *context, char **paths, struct err *err)
{
	struct netsim_result result;
	const char **all = xcalloc((size_t)settings.n + 1, sizeof(*all));
	char *way = gpu != NULL ? xasprintf("gpu=%s", gpu) : NULL;
	int status;

	for (how.nsettings = 0; how.nsettings < settings.n; how.nsettings++)
		all[how.nsettings] = settings.at[how.nsettings];
	if (way != NULL)
		all[how.nsettings++] = way;
	how.settings = all;
	how.allowed = allowed.at;
	how.nallowed = allowed.n;
	status = netsim_stream(context, &how, paths, &result, err);
	free(way);
	free(all);
	if (status != 0)
		return -1;
	netsim_tell(&result);
	return result.is_whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
