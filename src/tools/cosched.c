/* cosched.c - jobs that share the devices of a node, simulated */
#include <stddef.h>

#include "base/cli.h"
#include "base/options.h"
#include "cosched/node_jobs.h"
#include "cosched/policy/node_policy.h"
#include "cosched/sharing.h"

static struct cosched_options how = {.policy = "elastic"};
static struct cli_list kernels;
static const char *release = "all";
static struct sharing_options sharing;
static struct cli_list sets;

static const struct option_def options[] = {
	OPT_FILE('d', "devices", &how.devices, "DEVICES",
		 "The devices of a node: a YAML file "
		 "(placetools-devices(5)), or @NAME of share/devices."),
	OPT_FILES('k', "kernels", &kernels, "KERNELS",
		  "How fast applications run on the devices, a kernels stream. May be "
		  "given more than once."),
	OPT_PICK('p', "policy", &how.policy, "POLICY", &node_policies, "Which devices a job gets.",
		 .def = "elastic"),
	OPT_WORD(0, "release", &release, "WHICH", "all|changed",
		 "What a job releases when it moves to another set: all of "
		 "its devices, or only those that it leaves.",
		 .def = "all"),
	OPT_OUTPUT(0, "timeline", &how.side.timeline, "FILE",
		   "Write what each device did for which job, a timeline stream."),
	OPT_OUTPUT(0, "slices", &how.side.slices, "FILE", "Write each slice, a slices stream."),
	OPT_OUTPUT(0, "bound", &how.side.bound, "FILE",
		   "Write the makespan that no schedule of a run beats, a metrics stream:"
		   " a baseline for evalmetrics -m schedule."),
	OPT_TEXT(0, "share", &sharing.kernel, "APP:SIZE",
		 "Instead of jobs: write what sets of devices are worth to this kernel, "
		 "a stream of the kind sharing."),
	OPT_LIST(0, "on", &sets, "SET",
		 "With --share: a set of devices, as in gpu+fpga; may be given more "
		 "than once. Default: every set."),
	OPT_TEXT('S', "slice-counts", &sharing.counts, "COUNTS",
		 "With --share: numbers of slices instead of the kernel's own, such as "
		 "16,64 or 16:1024:x4 (16, 64, 256, 1024)."),
	{0}};

static const struct registry *const registries[] = {&node_policies, NULL};

static const struct tool tool = {
	.name = "cosched",
	.summary = "simulate jobs that share the CPUs, GPUs and FPGAs of a node",
	.usage =
		(const char *const[]){
			"-d DEVICES -k KERNELS… [-p POLICY] [--release WHICH] "
			"[--timeline FILE] [--slices FILE] [--bound FILE] [-j N] [JOBS…]",
			"-d DEVICES -k KERNELS… --share APP:SIZE [--on SET]… [-S COUNTS]", NULL},
	.options = options,
	.common = CLI_JOBS | CLI_PARTIAL,
	.registries = registries,
	.max_operands = -1,
};

static int run(const struct run_context *context, char **paths, struct err *err)
{
	char *kernels_paths[64] = {NULL};
	struct cosched_result result;

	if (how.devices == NULL)
		return err_set(err, "-d, --devices is missing; expected a YAML file of "
				    "devices, or @NAME as in -d @diss-node");
	if (kernels.n == 0 || kernels.n >= 64)
		return err_set(err, kernels.n == 0
					    ? "-k, --kernels is missing; expected a kernels stream"
					    : "--kernels: more than 63 streams");
	for (int i = 0; i < kernels.n; i++)
		kernels_paths[i] = (char *)kernels.at[i];
	how.kernels = kernels_paths;
	if (sharing.kernel == NULL && (sets.n > 0 || sharing.counts != NULL))
		return err_set(err, "--on and -S need --share");
	if (sharing.kernel != NULL && paths[0] != NULL)
		return err_set(err, "--share reads no jobs");
	if (sharing.kernel != NULL) {
		sharing.devices = how.devices;
		sharing.kernels = how.kernels;
		sharing.sets = sets.at;
		sharing.nsets = sets.n;
		return sharing_write(context, &sharing, err) == 0 ? EXIT_YES : -1;
	}
	how.release_changed = release[0] == 'c';
	if (cosched_stream(context, &how, paths, &result, err) != 0)
		return -1;
	if (result.nunable > 0)
		warn("%lld of %lld jobs can run on no device", (long long)result.nunable,
		     (long long)(result.njobs + result.nunable));
	return result.is_whole ? EXIT_YES : EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
