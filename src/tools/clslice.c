/* clslice.c - OpenCL kernels in slices, dealt to the devices of a node */
#include <stddef.h>

#include "base/cli.h"
#include "base/options.h"
#include "cosched/policy/node_policy.h"
#include "live/live_actions.h"
#include "live/merge/merge.h"

static struct live_request what = {
	.how = {.deal = "forward"}, .reset = {.policy = "elastic"}, .jobs = {.scale = .02}};
static struct cli_list set, saved, kernels;
static const char *offset = "global", *release = "all", *grade = "slice";

static const struct option_def options[] = {
	OPT_FILE('d', "devices", &what.how.devices, "DEVICES",
		 "The devices: a YAML file (placetools-devices(5)), or @NAME of share/devices.",
		 .def = "the first OpenCL device"),
	OPT_TEXT('u', "use", &what.how.use, "SET", "Use some of the devices only, as a+b.",
		 .def = "all"),
	OPT_INT('S', "slices", &what.how.work.nslices, "N", 1, 1e9,
		"Cut the kernel into N slices of whole work groups.", .def = "16"),
	OPT_LIST('s', "set", &set, "NAME=NUMBER",
		 "A parameter of the kernel's description; may be given more than once."),
	OPT_WORD(
		0, "offset", &offset, "HOW", "global|parameter",
		"How a kernel gets to know its slice: from the offset of the launch, or, as OpenCL "
		"1.0 has none, from one more parameter.",
		.def = "global"),
	OPT_WORD(0, "deal", &what.how.deal, "ORDER", "forward|backward|shuffled",
		 "The order in which slices are dealt.", .def = "forward"),
	OPT_FLAG(0, "verify", &what.how.verifies,
		 "Also run the kernel whole on the first device, and compare the outputs: status 1 "
		 "if they differ."),
	OPT_LIST(0, "save", &saved, "BUFFER=FILE", "Write a buffer to a file, as bytes."),
	OPT_FLAG(0, "shared", &what.how.opencl.is_shared,
		 "Two devices of the file may be the same one of OpenCL."),
	OPT_DURATION(0, "timeout", &what.how.opencl.timeout_s, "TIME", 0, 1e8,
		     "Give up when a slice takes longer; 0: never.", .def = "0"),
	OPT_FLAG(
		0, "cpu-time", &what.how.counts_cpu,
		"With profile: times in processor time of the process, over the devices of the set, "
		"for devices that are processors of a busy machine."),
	OPT_OUTPUT(0, "timeline", &what.how.timeline, "FILE",
		   "Write what each device did, a stream of the kind timeline."),
	OPT_FILES('k', "kernels", &kernels, "KERNELS",
		  "With jobs: how fast applications are on the devices, a stream of the kind "
		  "kernels."),
	OPT_REAL(0, "scale", &what.jobs.scale, "F", 1e-6, 1,
		 "With jobs: seconds here for a second of the model.", .def = "0.02"),
	OPT_PICK('p', "policy", &what.reset.policy, "POLICY", &node_policies,
		 "With reset and jobs: which devices a job gets.", .def = "elastic"),
	OPT_WORD(
		0, "release", &release, "WHICH", "all|changed",
		"With reset, jobs and switch: what a job releases when it moves to another set: all of its devices, "
		"or only those that it leaves.",
		.def = "all"),
	OPT_WORD(
		0, "grade", &grade, "GRADE", "choose|slice|share",
		"With run: the program sees one device only; or its launches become slices there; or "
		"they are dealt to all devices that it gets.",
		.def = "slice"),
	OPT_FLAG(
		0, "tell", &what.program.tells,
		"With run: print at the end which grade the program had, on which devices, and how many "
		"launches were sliced."),
	OPT_FLAG(0, "force", &what.reset.is_forced, "With reset: even if jobs live."),
	{0}};

static const struct registry *const registries[] = {&merges, &node_policies, NULL};

static const struct tool tool = {
	.name = "clslice",
	.summary = "run OpenCL kernels in slices on the devices of a node",
	.usage =
		(const char *const[]){
			"[-d DEVICES] [-S N] [--verify] KERNEL.yaml",
			"check [-d DEVICES] [-S N] KERNEL.yaml",
			"profile [-d DEVICES] [-S N] KERNEL.yaml", "plan [-S N] KERNEL.yaml",
			"switch -d DEVICES [-S N] [--release WHICH] KERNEL.yaml",
			"run [-d DEVICES] [-S N] [--grade GRADE] [--tell] -- PROGRAM [ARGUMENT…]",
			"jobs -d DEVICES -k KERNELS [-p POLICY] [--scale F] [JOBS…]",
			"reset -d DEVICES [-p POLICY] [--release WHICH] [--force]", "ps", "log",
			NULL},
	.options = options,
	.common = CLI_SEED | CLI_PARTIAL,
	.registries = registries,
	.min_operands = 1,
	.max_operands = -1,
};

static int run(const struct run_context *context, char **operands, struct err *err)
{
	what.how.work.set = set.at;
	what.how.work.nset = set.n;
	what.how.work.by_parameter = offset[0] == 'p';
	what.how.work.seed = context->seed;
	what.how.save = saved.at;
	what.how.nsave = saved.n;
	what.jobs.kernels = kernels.at;
	what.jobs.nkernels = kernels.n;
	what.program.grade = grade;
	what.reset.release_changed = release[0] == 'c';
	return live_act(context, &what, operands, err);
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
