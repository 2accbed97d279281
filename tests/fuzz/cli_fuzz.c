/* cli_fuzz.c - command lines: what is taken keeps its limits; the rest is refused, never a crash */
#include <setjmp.h>

#include "base/die.h"

static jmp_buf refused;
static _Noreturn void stop(const char *fmt, ...)
{
	(void)fmt;
	longjmp(refused, 1);
}
#define die stop
#include "base/cli.c"
#include "base/cli_outputs.c"
#undef die

#include "base/options.h"
#include "fuzz.h"

/* A refusal ends the program, so that nobody frees what getopt_long was given. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static const struct registry shapes;
static const struct entry ball = {.name = "ball"};
static const struct entry *const entries[] = {&ball};
static const struct registry shapes = {
	.name = "shapes", .noun = "shape", .entries = entries, .n = 1};

static bool flag;
static int64_t number;
static double real;
static const char *text, *file, *word, *pick, *made;
static struct cli_list list;
static const struct option_def options[] = {
	OPT_FLAG('f', "flag", &flag, "A flag."),
	OPT_INT('i', "int", &number, "N", 3, 9, "A number."),
	OPT_REAL('r', "real", &real, "X", 0.5, 2, "A real one."),
	OPT_TEXT('x', "text", &text, "TEXT", "A text."),
	OPT_FILE(0, "file", &file, "FILE", "A file."),
	OPT_OUTPUT(0, "made", &made, "FILE", "A file that is written."),
	OPT_WORD('w', "word", &word, "WORD", "one|two", "A word."),
	OPT_PICK('p', "pick", &pick, "SHAPE", &shapes, "A pick."),
	OPT_LIST('l', "list", &list, "TEXT", "Texts."),
	{0}};
static const struct tool tool = {
	.name = "fuzz",
	.summary = "none",
	.usage = (const char *const[]){"[WORD]", NULL},
	.options = options,
	.common = CLI_TOPOLOGY | CLI_SEED | CLI_JOBS | CLI_PARTIAL | CLI_PROGRESS,
	.max_operands = 2,
};

/* What is there to free after a refusal, which ends a real program. */
static struct option_def *all;
static struct buf command;

static void parse(int argc, char **argv)
{
	static struct common_values values;
	bool given[64] = {false}; /* by option; there are fewer */

	all = tool_options(&tool, &values);
	record_command(&command, &tool, argc, argv);
	if (!parse_options(&tool, all, given, argc, argv)) {
		cli_check_outputs(&tool, values.context.output);
		check_operands(&tool, argc - optind, argv + optind);
		fuzz_must(number == 0 || (number >= 3 && number <= 9), "numbers keep their limits");
		fuzz_must(real == 0 || (real >= 0.5 && real <= 2), "reals too");
		fuzz_must(word == NULL || str_eq(word, "one") || str_eq(word, "two"),
			  "words are among the choices");
		fuzz_must(values.context.seed >= 0 && values.context.nthreads >= 1,
			  "defaults hold");
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static bool is_silent;
	char *line = fuzz_text(bytes, n), *argv[34] = {"fuzz"};
	int argc = 1;

	if (!is_silent && freopen("/dev/null", "w", stdout) == NULL)
		abort();
	is_silent = true;
	argc += str_split(line, '\n', argv + 1, 32);
	while (argc > 1 && argv[argc - 1][0] == '\0') /* text that ends in a newline */
		argc--;
	argv[argc] = NULL;
	number = 0;
	real = 0;
	flag = false;
	text = file = word = pick = made = NULL;
	list = (struct cli_list){0};
	optind = 0;
	if (setjmp(refused) == 0)
		parse(argc, argv);
	free_lists(all);
	free(all);
	buf_free(&command);
	free(line);
	return 0;
}
