/* cli.c - a tool's option table becomes its command line */
#include "base/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli_doc.h"
#include "base/cli_outputs.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

#ifndef PLACETOOLS_VERSION
#error "PLACETOOLS_VERSION comes from the Makefile"
#endif

struct cli_common cli = {.seed = 1, .nthreads = 1, .command = ""};

/* Values that getopt_long returns for options without a letter start here. */
enum { LONG_FIRST = 256, LONG_HELP = 1000, LONG_VERSION, LONG_LIST, LONG_MDOC, LONG_COMPLETION };

static struct buf command_line;
static VEC(void *) owned; /* freed at exit, so that the leak checker stays on */

static void free_owned(void)
{
	for (size_t i = 0; i < owned.n; i++)
		free(owned.at[i]);
	vec_free(&owned);
	buf_free(&command_line);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       strchr("-_./=,:+@%^[]", c) != NULL;
}

/* Quotes what a shell would take apart, so that the recorded command can be pasted. */
static void add_word(struct buf *line, const char *word)
{
	bool plain = *word != '\0';

	for (const char *p = word; *p != '\0'; p++)
		plain = plain && is_plain(*p);
	if (plain) {
		buf_str(line, word);
		return;
	}
	buf_char(line, '\'');
	for (const char *p = word; *p != '\0'; p++) {
		if (*p == '\'')
			buf_str(line, "'\\''");
		else
			buf_char(line, *p == '\n' || *p == '\t' ? ' ' : *p);
	}
	buf_char(line, '\'');
}

static void record_command(const struct tool *tool, int argc, char **argv)
{
	buf_str(&command_line, tool->name);
	for (int i = 1; i < argc; i++) {
		buf_char(&command_line, ' ');
		add_word(&command_line, argv[i]);
	}
	cli.command = command_line.text;
}

static void junk(const struct option_def *option, const char *text, const char *noun)
{
	if (option->min == 0 && option->max == 0)
		die("--%s: '%s' is not %s", option->name, text, noun);
	if (option->max >= 9e15)
		die("--%s: '%s' is not %s of at least %.15g", option->name, text, noun,
		    option->min);
	die("--%s: '%s' is not %s from %.15g to %.15g", option->name, text, noun, option->min,
	    option->max);
}

static void set_word(const struct option_def *option, const char *text)
{
	size_t n = strlen(text);

	for (const char *p = option->choices; *p != '\0';) {
		size_t len = strcspn(p, "|");

		if (len == n && memcmp(p, text, n) == 0) {
			*(const char **)option->target = text;
			return;
		}
		p += len + (p[len] == '|');
	}
	die("--%s: '%s' is not one of %s", option->name, text, option->choices);
}

static void add_to_list(const struct option_def *option, const char *text)
{
	struct cli_list *list = option->target;
	bool was_empty = list->n == 0;
	const char **old = list->at;

	list->at = xrealloc(list->at, (size_t)list->n + 1, sizeof(*list->at));
	list->at[list->n++] = text;
	for (size_t i = 0; i < owned.n && !was_empty; i++)
		if (owned.at[i] == (void *)old)
			owned.at[i] = (void *)list->at;
	if (was_empty)
		vec_push(&owned, (void *)list->at);
}

static void set_option(const struct option_def *option, const char *text)
{
	bool limits = option->min != 0 || option->max != 0;

	switch (option->type) {
	case OPTION_FLAG:
		*(bool *)option->target = true;
		return;
	case OPTION_INT:
		if (num_int(text, limits ? (int64_t)option->min : INT64_MIN / 2,
			    limits && option->max < 9e15 ? (int64_t)option->max : INT64_MAX / 2,
			    option->target) != 0)
			junk(option, text, "a whole number");
		return;
	case OPTION_REAL:
		if (num_real(text, limits ? option->min : -1e300, limits ? option->max : 1e300,
			     option->target) != 0)
			junk(option, text, "a number");
		return;
	case OPTION_WORD:
		set_word(option, text);
		return;
	case OPTION_LIST:
		add_to_list(option, text);
		return;
	case OPTION_TEXT:
	case OPTION_FILE:
	case OPTION_PICK:
		if (*text == '\0')
			die("--%s: its argument is empty, %s was wanted", option->name,
			    option->arg);
		*(const char **)option->target = text;
		return;
	}
}

/* The tables that getopt_long wants, made from all options of the tool. */
static void make_tables(const struct option_def *options, struct buf *letters,
			struct option **longs)
{
	int n = 0;

	while (options[n].name != NULL)
		n++;
	*longs = xcalloc((size_t)n + 6, sizeof(**longs));
	buf_char(letters, ':');
	for (int i = 0; i < n; i++) {
		bool has_arg = options[i].type != OPTION_FLAG;

		(*longs)[i] = (struct option){options[i].name, has_arg, NULL, LONG_FIRST + i};
		if (options[i].letter != 0) {
			buf_char(letters, options[i].letter);
			if (has_arg)
				buf_char(letters, ':');
		}
	}
	(*longs)[n++] = (struct option){"help", no_argument, NULL, LONG_HELP};
	(*longs)[n++] = (struct option){"version", no_argument, NULL, LONG_VERSION};
	(*longs)[n++] = (struct option){"list", optional_argument, NULL, LONG_LIST};
	(*longs)[n++] = (struct option){"mdoc", no_argument, NULL, LONG_MDOC};
	(*longs)[n++] = (struct option){"completion", required_argument, NULL, LONG_COMPLETION};
}

static _Noreturn void finish_answer(void)
{
	exit(cli_finish(EXIT_YES));
}

static void answer(const struct tool *tool, int what, const char *arg)
{
	switch (what) {
	case LONG_HELP:
		cli_print_help(tool, stdout);
		break;
	case LONG_VERSION:
		printf("%s (placetools) %s\n", tool->name, PLACETOOLS_VERSION);
		break;
	case LONG_LIST:
		if (cli_print_list(tool, arg, stdout) != 0)
			die("--list: %s has no registry '%s'; see --list alone", tool->name, arg);
		if (arg == NULL && tool->list_more != NULL)
			tool->list_more(stdout);
		break;
	case LONG_MDOC:
		cli_print_mdoc(tool, stdout);
		break;
	default:
		if (cli_print_completion(tool, arg, stdout) != 0)
			die("--completion: '%s' is not bash or zsh", arg);
		break;
	}
	finish_answer();
}

static const struct option_def *by_letter(const struct option_def *options, int letter)
{
	while (options->name != NULL && options->letter != letter)
		options++;
	return options;
}

/* getopt_long refused a word: unknown, ambiguous, or with an argument that it does not take. */
static _Noreturn void refuse(const struct tool *tool, char **argv)
{
	const char *word = argv[optind - 1];

	if (optopt >= LONG_FIRST)
		die("option '%.*s' takes no argument; see %s --help", (int)strcspn(word, "="), word,
		    tool->name);
	if (optopt != 0)
		die("unknown option '-%c'; see %s --help", optopt, tool->name);
	die("unknown option '%s'; see %s --help", word, tool->name);
}

static _Noreturn void refuse_missing(const struct tool *tool, char **argv)
{
	if (optopt < LONG_FIRST)
		die("option '-%c' needs an argument; see %s --help", optopt, tool->name);
	die("option '%s' needs an argument; see %s --help", argv[optind - 1], tool->name);
}

static void parse_options(const struct tool *tool, int argc, char **argv)
{
	const struct option_def *options = cli_all_options(tool);
	struct buf letters = {0};
	struct option *longs;
	int c, index;

	make_tables(options, &letters, &longs);
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters.text, longs, &index)) != -1) {
		if (c == '?')
			refuse(tool, argv);
		if (c == ':')
			refuse_missing(tool, argv);
		if (c >= LONG_HELP)
			answer(tool, c, optarg);
		else
			set_option(c >= LONG_FIRST ? &options[c - LONG_FIRST]
						   : by_letter(options, c),
				   optarg);
	}
	buf_free(&letters);
	free(longs);
}

int cli_parse(const struct tool *tool, int argc, char **argv)
{
	int noperands;

	die_set_name(tool->name);
	atexit(free_owned);
	record_command(tool, argc, argv);
	parse_options(tool, argc, argv);
	die_set_quiet(cli.quiet);
	die_set_verbose(cli.verbose);
	cli_check_outputs(tool);
	noperands = argc - optind;
	if (noperands < tool->min_operands)
		die("an operand is missing: %s %s; see --help", tool->name, tool->usage[0]);
	if (tool->max_operands >= 0 && noperands > tool->max_operands)
		die("unexpected operand '%s'; see %s --help", argv[optind + tool->max_operands],
		    tool->name);
	return optind;
}

int cli_finish(int status)
{
	/* what the disk refuses may be told as late as at the close (NFS) */
	if (fflush(stdout) == 0 && !ferror(stdout) && (fclose(stdout) == 0 || errno == EBADF))
		return status;
	if (errno != EPIPE)
		die("standard output: %s", strerror(errno));
	return EXIT_TROUBLE;
}
