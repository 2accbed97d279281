/* clslice.c - OpenCL kernels in slices, dealt to the devices of a node */
#include <stddef.h>

#include "base/cli.h"
#include "base/options.h"
#include "base/str.h"
#include "live/live_run.h"
#include "live/merge/merge.h"

static struct live_options how = {.deal = "forward"};
static struct cli_list set, saved;
static const char *offset = "global";

static const struct option_def options[] = {
	OPT_FILE('d', "devices", &how.devices, "DEVICES",
		 "The devices: a YAML file (placetools-devices(5)), or @NAME of share/devices.",
		 .def = "the first OpenCL device"),
	OPT_TEXT('u', "use", &how.use, "SET", "Use some of the devices only, as a+b.",
		 .def = "all"),
	OPT_INT('S', "slices", &how.work.nslices, "N", 1, 1e9,
		"Cut the kernel into N slices of whole work groups.", .def = "16"),
	OPT_LIST('s', "set", &set, "NAME=NUMBER",
		 "A parameter of the kernel's description; may be given more than once."),
	OPT_WORD(
		0, "offset", &offset, "HOW", "global|parameter",
		"How a kernel gets to know its slice: from the offset of the launch, or, as OpenCL "
		"1.0 has none, from one more parameter.",
		.def = "global"),
	OPT_WORD(0, "deal", &how.deal, "ORDER", "forward|backward|shuffled",
		 "The order in which slices are dealt.", .def = "forward"),
	OPT_FLAG(0, "verify", &how.verifies,
		 "Also run the kernel whole on the first device, and compare the outputs: status 1 "
		 "if they differ."),
	OPT_LIST(0, "save", &saved, "BUFFER=FILE", "Write a buffer to a file, as bytes."),
	OPT_FLAG(0, "shared", &how.opencl.is_shared,
		 "Two devices of the file may be the same one of OpenCL."),
	OPT_DURATION(0, "timeout", &how.opencl.timeout_s, "TIME", 0, 1e8,
		     "Give up when a slice takes longer; 0: never.", .def = "0"),
	OPT_OUTPUT(0, "timeline", &how.timeline, "FILE",
		   "Write what each device did, a stream of the kind timeline."),
	{0}};

static const struct registry *const registries[] = {&merges, NULL};

static const struct tool tool = {
	.name = "clslice",
	.summary = "run OpenCL kernels in slices on the devices of a node",
	.usage = (const char *const[]){"[-d DEVICES] [-S N] [--verify] KERNEL.yaml",
				       "check [-d DEVICES] [-S N] KERNEL.yaml",
				       "profile [-d DEVICES] [-S N] KERNEL.yaml",
				       "plan [-S N] KERNEL.yaml", NULL},
	.options = options,
	.common = CLI_SEED,
	.registries = registries,
	.min_operands = 1,
	.max_operands = -1,
};

enum action { RUN, CHECK, PROFILE, PLAN, NACTIONS };
static const char *const actions[NACTIONS] = {
	[CHECK] = "check", [PROFILE] = "profile", [PLAN] = "plan"};

static enum action action_of(char ***operands)
{
	for (int action = CHECK; action < NACTIONS; action++)
		if (str_eq((*operands)[0], actions[action])) {
			(*operands)++;
			return (enum action)action;
		}
	return RUN;
}

static int run(const struct run_context *context, char **operands, struct err *err)
{
	enum action action = action_of(&operands);
	int status = 0;

	if (operands[0] == NULL || operands[1] != NULL)
		return err_set(err, "expected one KERNEL.yaml");
	how.kernel = operands[0];
	how.work.set = set.at;
	how.work.nset = set.n;
	how.work.by_parameter = offset[0] == 'p';
	how.work.seed = context->seed;
	how.save = saved.at;
	how.nsave = saved.n;
	if (action == PLAN)
		status = live_plan(context, &how, err);
	else if (action == CHECK)
		status = live_check(&how, err);
	else if (action == PROFILE)
		status = live_profile(context, &how, err);
	else
		status = live_run(context, &how, err);
	if (status == 1)
		warn("%s", err->msg);
	return status == 1 ? EXIT_NO : status;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
