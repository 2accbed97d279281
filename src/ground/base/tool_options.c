/* tool_options.c - the options that all tools share */
#include "base/tool_options.h"

#include <string.h>

#include "base/mem.h"
#include "base/options.h"

/* The bit of .common that each needs, in their order; the one of CLI_NO_OUTPUT is
 * taken inverted. */
static const unsigned common_bits[] = {
	CLI_TOPOLOGY, CLI_SEED,      CLI_JOBS,      CLI_PARTIAL, CLI_PROGRESS,
	CLI_STRICT,   CLI_NO_OUTPUT, CLI_NO_OUTPUT, 0,           0,
};
enum { NCOMMON = sizeof(common_bits) / sizeof(common_bits[0]) };

static void set_common(struct option_def *options /* [NCOMMON] */, struct common_values *values)
{
	struct run_context *run = &values->context;
	const struct option_def rows[] = {
		OPT_FILE('t', "topology", &run->topology, "TOPO",
			 "The machine: a topology file, a specification such as "
			 "dragonfly:groups=17,routers=4,nodes=4, or @NAME for one of "
			 "the machines that come with placetools (--list=machines).",
			 .def = "the ##topology= of the stream, then $PLACETOOLS_TOPOLOGY"),
		OPT_INT(0, "seed", &run->seed, "N", 0, 9e18,
			"Seed of all random choices. The same input and seed give the "
			"same output everywhere.",
			.def = "1"),
		OPT_INT('j', "threads", &run->nthreads, "N", 1, 1024,
			"Use N threads. The output does not depend on N.", .def = "1"),
		OPT_FLAG(0, "partial", &run->accepts_partial,
			 "Accept truncated input, whose ##end is missing."),
		OPT_FLAG(0, "progress", &run->shows_progress, "Show progress on standard error."),
		OPT_FLAG(0, "strict", &run->is_strict,
			 "End at the first row, node or file that cannot be read, with status 2, "
			 "instead of leaving it out with a warning."),
		OPT_FILE('o', "output", &run->output, "FILE",
			 "Write to this file, which appears under its name once it is "
			 "complete. It is compressed if the name ends in .gz.",
			 .def = "standard output"),
		OPT_FLAG(0, "no-provenance", &values->no_provenance,
			 "Omit the ##command= lines, which record how the output was "
			 "made."),
		OPT_FLAG(0, "quiet", &values->quiet,
			 "Report only errors on standard error, no warnings."),
		OPT_FLAG('v', "verbose", &values->verbose,
			 "Report on standard error what was read and done."),
	};

	_Static_assert(NCOMMON == sizeof(rows) / sizeof(rows[0]), "one bit per option");
	memcpy(options, rows, sizeof(rows));
}

struct option_def *tool_options(const struct tool *tool, struct common_values *values)
{
	struct option_def common[NCOMMON], *all;
	unsigned bits = tool->common ^ CLI_NO_OUTPUT;
	int n = 0;

	*values = (struct common_values){.context = {.seed = 1, .nthreads = 1}};
	set_common(common, values);
	while (tool->options != NULL && tool->options[n].name != NULL)
		n++;
	all = xcalloc((size_t)n + NCOMMON + 1, sizeof(*all));
	if (n > 0)
		memcpy(all, tool->options, (size_t)n * sizeof(*all));
	for (int i = 0; i < NCOMMON; i++)
		if ((bits & common_bits[i]) == common_bits[i])
			all[n++] = common[i];
	return all;
}

const struct option_def tool_answers[] = {
	{.letter = 'h',
	 .name = "help",
	 .help = "Print a summary of the options and exit. With --help NAME: what that policy, "
		 "format, metric, … is, and its parameters."},
	{.letter = 'V', .name = "version", .help = "Print the version and exit."},
	{.name = "list",
	 .arg = "[REGISTRY]",
	 .help = "Print what can be picked by name, with all parameters, from one "
		 "registry or from all, and exit."},
	{0},
};
