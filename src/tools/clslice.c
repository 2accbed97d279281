/* clslice.c - OpenCL kernels in slices, dealt to the devices of a node */
#include <stddef.h>

#include "base/cli.h"
#include "base/options.h"
#include "base/str.h"
#include "cosched/policy/node_policy.h"
#include "live/live_node_state.h"
#include "live/live_run.h"
#include "live/merge/merge.h"

static struct live_options how = {.deal = "forward"};
static struct cli_list set, saved;
static struct live_reset reset = {.policy = "elastic"};
static const char *offset = "global", *release = "all";

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
	OPT_PICK('p', "policy", &reset.policy, "POLICY", &node_policies,
		 "With reset: which devices a job gets.", .def = "elastic"),
	OPT_WORD(
		0, "release", &release, "WHICH", "all|changed",
		"With reset: what a job releases when it moves to another set: all of its devices, "
		"or only those that it leaves.",
		.def = "all"),
	OPT_FLAG(0, "force", &reset.is_forced, "With reset: even if jobs live."),
	{0}};

static const struct registry *const registries[] = {&merges, &node_policies, NULL};

static const struct tool tool = {
	.name = "clslice",
	.summary = "run OpenCL kernels in slices on the devices of a node",
	.usage = (const char *const[]){"[-d DEVICES] [-S N] [--verify] KERNEL.yaml",
				       "check [-d DEVICES] [-S N] KERNEL.yaml",
				       "profile [-d DEVICES] [-S N] KERNEL.yaml",
				       "plan [-S N] KERNEL.yaml",
				       "reset -d DEVICES [-p POLICY] [--release WHICH] [--force]",
				       "ps", "log", NULL},
	.options = options,
	.common = CLI_SEED,
	.registries = registries,
	.min_operands = 1,
	.max_operands = -1,
};

static int run_kernel(const struct run_context *context, struct err *err)
{
	return live_run(context, &how, err);
}

static int plan(const struct run_context *context, struct err *err)
{
	return live_plan(context, &how, err);
}

static int check(const struct run_context *context, struct err *err)
{
	(void)context;
	return live_check(&how, err);
}

static int profile(const struct run_context *context, struct err *err)
{
	return live_profile(context, &how, err);
}

static int reset_state(const struct run_context *context, struct err *err)
{
	(void)context;
	reset.devices = how.devices;
	reset.release_changed = release[0] == 'c';
	return live_reset(&reset, err);
}

/* The words that may stand before the operands; the first, which is none, runs the kernel. */
static const struct action {
	const char *name;
	int (*act)(const struct run_context *context, struct err *err);
	bool has_kernel;
} actions[] = {
	{"", run_kernel, true},   {"check", check, true},        {"profile", profile, true},
	{"plan", plan, true},     {"reset", reset_state, false}, {"ps", live_ps, false},
	{"log", live_log, false},
};

static const struct action *action_of(char ***operands)
{
	for (size_t i = 1; i < sizeof(actions) / sizeof(*actions); i++)
		if (str_eq((*operands)[0], actions[i].name)) {
			(*operands)++;
			return &actions[i];
		}
	return &actions[0];
}

static int run(const struct run_context *context, char **operands, struct err *err)
{
	const struct action *action = action_of(&operands);
	int status, noperands = action->has_kernel ? 1 : 0;

	if ((noperands == 1 && operands[0] == NULL) || operands[noperands] != NULL)
		return noperands == 1 ? err_set(err, "expected one KERNEL.yaml")
				      : err_set(err, "expected nothing behind %s", action->name);
	how.kernel = operands[0];
	how.work.set = set.at;
	how.work.nset = set.n;
	how.work.by_parameter = offset[0] == 'p';
	how.work.seed = context->seed;
	how.save = saved.at;
	how.nsave = saved.n;
	status = action->act(context, err);
	if (status == 1)
		warn("%s", err->msg);
	return status == 1 ? EXIT_NO : status;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
