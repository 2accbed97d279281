/* clidemo.c - a tool with an option of every type, for the tests of the command line */
#include <stdio.h>

#include "base/cli.h"
#include "base/options.h"
#include "base/str.h"

static const struct registry shapes;
static const struct param ball_params[] = {
	{.key = "size",
	 .type = PARAM_INT,
	 .min = 1,
	 .max = 9,
	 .def = "3",
	 .unit = "m",
	 .meaning = "how large it is"},
	{.key = "fit",
	 .type = PARAM_WORD,
	 .choices = "best|first",
	 .def = "best",
	 .meaning = "which hole it takes"},
	{.key = "weight",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1e16,
	 .optional = true,
	 .meaning = "the share \xe2\x80\xa6"},
	{.key = "inner",
	 .type = PARAM_PICK,
	 .registry = &shapes,
	 .optional = true,
	 .meaning = "what is inside"},
	{0},
};
static const struct entry ball = {
	.name = "ball",
	.aliases = "sphere,orb",
	.summary = "round on all sides",
	.paper = "Archimedes, On the Sphere, \xc2\xa7"
		 "I",
	.example = "ball:size=2,fit=first",
	.params = ball_params,
};
static const struct entry dot = {.name = "dot", .summary = "of no size", .example = "dot"};
static const struct entry *const entries[] = {&ball, &dot};
static const struct registry shapes = {
	.name = "shapes", .noun = "shape", .entries = entries, .n = 2};
static const struct registry *const registries[] = {&shapes, NULL};

static bool flag;
static int64_t count = 5;
static double ratio = .5;
static const char *text = ".", *file = ".", *word = "low", *shape = "dot";
static struct cli_list list;

static const struct option_def options[] = {
	OPT_FLAG('f', "flag", &flag, "Turns it on. Then it is on."),
	OPT_INT('c', "count", &count, "N", -3, 9, "Counts.", .def = "5"),
	OPT_REAL(0, "ratio", &ratio, "R", 0, 1, "A ratio.", .def = "0.5"),
	OPT_TEXT(0, "text", &text, "TEXT", "Any text."),
	OPT_FILE(0, "file", &file, "FILE", "Any file."),
	OPT_WORD('w', "word", &word, "WORD", "low|lower|high", "How much.", .def = "low"),
	OPT_PICK('s', "shape", &shape, "SHAPE", &shapes, "The shape; it's [round].", .def = "dot"),
	OPT_LIST('l', "list-item", &list, "ITEM", "An item."),
	{0}};

static const char *const usage[] = {"[-f] [-s SHAPE] FILE...", NULL};
static const struct tool tool = {
	.name = "clidemo",
	.summary = "Shows what the command line said",
	.usage = usage,
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_JOBS | CLI_PARTIAL,
	.registries = registries,
	.min_operands = 1,
	.max_operands = 3,
};

static int run(const struct run_context *context, char **operands, struct err *err)
{
	if (str_eq(operands[0], "fail"))
		return err_set(err, "failed as it was told");
	if (str_eq(operands[0], "no"))
		return EXIT_NO;
	if (str_eq(operands[0], "gone")) {
		err_reader_gone(err);
		return err_prefix(err, "not said: ");
	}
	printf("flag=%d count=%lld ratio=%g text=%s file=%s word=%s shape=%s\n", flag,
	       (long long)count, ratio, text, file, word, shape);
	for (int i = 0; i < list.n; i++)
		printf("item %s\n", list.at[i]);
	for (; *operands != NULL; operands++)
		printf("operand %s\n", *operands);
	printf("seed=%lld threads=%lld partial=%d output=%s topology=%s\n",
	       (long long)context->seed, (long long)context->nthreads, context->accepts_partial,
	       context->output != NULL ? context->output : "-",
	       context->topology != NULL ? context->topology : "-");
	printf("command=%s\n", context->command != NULL ? context->command : "-");
	say("verbose");
	warn("warning");
	return EXIT_YES;
}

int main(int argc, char **argv)
{
	return cli_run(&tool, run, argc, argv);
}
