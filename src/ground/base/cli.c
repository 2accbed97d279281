/* cli.c - a tool from its command line to its status */
#include "base/cli.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cli_doc.h"
#include "base/cli_outputs.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "base/name_hint.h"
#include "base/num.h"
#include "base/progress.h"
#include "base/str.h"
#include "base/tool_options.h"

#ifndef PLACETOOLS_VERSION
#error "PLACETOOLS_VERSION comes from the Makefile"
#endif

/* Values that getopt_long returns for options without a letter start here. */
enum { LONG_FIRST = 256, LONG_HELP = 1000, LONG_VERSION, LONG_LIST, LONG_MDOC, LONG_COMPLETION };

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
	foreign_shell(line, word);
}

static void record_command(struct buf *line, const struct tool *tool, int argc, char **argv)
{
	buf_str(line, tool->name);
	for (int i = 1; i < argc; i++) {
		buf_char(line, ' ');
		add_word(line, argv[i]);
	}
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
	struct near_name near;

	for (const char *p = option->choices; *p != '\0';) {
		size_t len = strcspn(p, "|");

		if (len == n && memcmp(p, text, n) == 0) {
			*(const char **)option->target = text;
			return;
		}
		p += len + (p[len] == '|');
	}
	near_begin(&near, text);
	near_try_all(&near, option->choices, '|');
	die("--%s: '%s' is not one of %s%s", option->name, text, option->choices, near_hint(&near));
}

static void add_to_list(const struct option_def *option, const char *text)
{
	struct cli_list *list = option->target;

	list->at = xrealloc(list->at, (size_t)list->n + 2, sizeof(*list->at));
	list->at[list->n++] = text;
	list->at[list->n] = NULL;
}

static void free_lists(const struct option_def *options)
{
	for (; options->name != NULL; options++)
		if (options->type == OPTION_LIST) {
			struct cli_list *list = options->target;

			free(list->at);
			*list = (struct cli_list){0};
		}
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
		if (num_real_of(text, option->unit, limits ? option->min : -1e300,
				limits ? option->max : 1e300, option->target) != 0)
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
		if (text != NULL && *text == '\0')
			die("--%s: its argument is empty, expected %s", option->name, option->arg);
		*(const char **)option->target = text != NULL ? text : "";
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
	buf_str(letters, ":hV");
	for (int i = 0; i < n; i++) {
		int has_arg = options[i].type == OPTION_FLAG ? no_argument
			      : options[i].arg[0] == '['     ? optional_argument
							     : required_argument;

		(*longs)[i] = (struct option){options[i].name, has_arg, NULL, LONG_FIRST + i};
		if (options[i].letter != 0) {
			buf_char(letters, options[i].letter);
			if (has_arg == required_argument)
				buf_char(letters, ':');
		}
	}
	(*longs)[n++] = (struct option){"help", optional_argument, NULL, LONG_HELP};
	(*longs)[n++] = (struct option){"version", no_argument, NULL, LONG_VERSION};
	(*longs)[n++] = (struct option){"list", optional_argument, NULL, LONG_LIST};
	(*longs)[n++] = (struct option){"mdoc", no_argument, NULL, LONG_MDOC};
	(*longs)[n++] = (struct option){"completion", required_argument, NULL, LONG_COMPLETION};
}

static void answer(const struct tool *tool, const struct option_def *options, int what,
		   const char *arg, const char *operand)
{
	struct err err;

	switch (what) {
	case LONG_HELP:
		if (arg != NULL && cli_print_list(tool, arg, stdout, &err) != 0)
			die("--help: %s", err.msg);
		/* what follows --help need not be a name */
		if (arg == NULL &&
		    (operand == NULL || cli_print_list(tool, operand, stdout, &err) != 0))
			cli_print_help(tool, options, stdout);
		break;
	case LONG_VERSION:
		printf("%s (placetools) %s\n", tool->name, PLACETOOLS_VERSION);
		break;
	case LONG_LIST:
		if (arg != NULL && str_eq(arg, "machines")) {
			if (cli_print_machines(stdout) != 0)
				die("--list: the machines that come with placetools are not here");
			break;
		}
		if (cli_print_list(tool, arg, stdout, &err) != 0)
			die("--list: %s", err.msg);
		if (arg == NULL && tool->list_more != NULL)
			tool->list_more(stdout);
		break;
	case LONG_MDOC:
		cli_print_mdoc(tool, options, stdout);
		break;
	default:
		if (cli_print_completion(tool, options, arg, stdout) != 0)
			die("--completion: '%s' is not bash or zsh", arg);
		break;
	}
}

static const struct option_def *by_letter(const struct option_def *options, int letter)
{
	while (options->name != NULL && options->letter != letter)
		options++;
	return options;
}

static void try_options(struct near_name *near, const struct option_def *options)
{
	for (; options->name != NULL; options++) {
		char name[NEAR_NAME];
		int n = snprintf(name, sizeof(name), "--%s", options->name);

		near_try(near, name, (size_t)n);
	}
}

/* getopt_long refused a word: unknown, ambiguous, or with an argument that it does not take. */
static _Noreturn void refuse(const struct tool *tool, const struct option_def *options, char **argv)
{
	const char *word = argv[optind - 1];
	struct near_name near;
	char name[NEAR_NAME];

	if (optopt >= LONG_FIRST)
		die("option '%.*s' takes no argument; see %s --help", (int)strcspn(word, "="), word,
		    tool->name);
	if (optopt != 0)
		die("unknown option '-%c'; see %s --help", optopt, tool->name);
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	near_begin(&near, name);
	try_options(&near, options);
	try_options(&near, tool_answers);
	die("unknown option '%s'%s; see %s --help", name, near_hint(&near), tool->name);
}

static _Noreturn void refuse_missing(const struct tool *tool, char **argv)
{
	if (optopt < LONG_FIRST)
		die("option '-%c' needs an argument; see %s --help", optopt, tool->name);
	die("option '%s' needs an argument; see %s --help", argv[optind - 1], tool->name);
}

/* Options that were given without the one that they act with. given: by number in options. */
static void warn_alone(const struct option_def *options, const bool *seen)
{
	for (int i = 0; options[i].name != NULL; i++) {
		int k = 0;
		char what[64];

		if (!seen[i] || options[i].with == NULL)
			continue;
		while (options[k].name != NULL && !str_eq(options[k].name, options[i].with))
			k++;
		if (seen[k])
			continue;
		snprintf(what, sizeof(what), "--%s", options[i].name);
		warn_no_effect(what, "it acts only with --%s", options[i].with);
	}
}

/* Returns whether one of them was answered, which is all that is done then. given[] is by number in
 * options, and has one more that stays false. */
static bool parse_options(const struct tool *tool, const struct option_def *options, bool *seen,
			  int argc, char **argv)
{
	struct buf letters = {0};
	struct option *longs;
	bool is_answered = false;
	int c, index;

	make_tables(options, &letters, &longs);
	opterr = 0;
	while (!is_answered && (c = getopt_long(argc, argv, letters.text, longs, &index)) != -1) {
		if (c == '?')
			refuse(tool, options, argv);
		if (c == ':')
			refuse_missing(tool, argv);
		if (c == 'h' || c == 'V')
			c = c == 'h' ? LONG_HELP : LONG_VERSION;
		is_answered = c >= LONG_HELP;
		if (is_answered) {
			answer(tool, options, c, optarg, argv[optind]);
		} else {
			const struct option_def *option =
				c >= LONG_FIRST ? &options[c - LONG_FIRST] : by_letter(options, c);

			set_option(option, optarg);
			seen[option - options] = true;
		}
	}
	buf_free(&letters);
	free(longs);
	return is_answered;
}

static void check_operands(const struct tool *tool, int n, char **operands)
{
	if (n < tool->min_operands)
		die("an operand is missing: %s %s; see --help", tool->name, tool->usage[0]);
	if (tool->max_operands >= 0 && n > tool->max_operands)
		die("unexpected operand '%s'; see %s --help", operands[tool->max_operands],
		    tool->name);
}

/* status, or 2 when standard output could not be written. */
static int flush_output(int status)
{
	/* a write error may be reported as late as by close (NFS) */
	if (fflush(stdout) == 0 && !ferror(stdout) && (fclose(stdout) == 0 || errno == EBADF))
		return status;
	if (errno != EPIPE)
		die("standard output: %s", strerror(errno));
	return EXIT_TROUBLE;
}

int cli_run(const struct tool *tool, cli_body *body, int argc, char **argv)
{
	struct common_values values;
	struct option_def *options = tool_options(tool, &values);
	struct buf command = {0};
	struct err err = {0};
	int status = EXIT_YES, noptions = 0;
	bool *seen;

	while (options[noptions].name != NULL)
		noptions++;
	seen = xcalloc((size_t)noptions + 1, sizeof(*seen));

	die_set_name(tool->name);
	record_command(&command, tool, argc, argv);
	if (!parse_options(tool, options, seen, argc, argv)) {
		die_set_quiet(values.quiet);
		die_set_verbose(values.verbose);
		cli_check_outputs(tool, values.context.output);
		values.context.command = values.no_provenance ? NULL : command.text;
		check_operands(tool, argc - optind, argv + optind);
		if ((tool->common & CLI_PROGRESS) != 0)
			progress_watch();
		status = body(&values.context, argv + optind, &err);
		if (status >= 0)
			warn_alone(options, seen);
	}
	free(seen);
	free_lists(options);
	free(options);
	buf_free(&command);
	if (status < 0 && err.kind == ERR_READER_GONE)
		return EXIT_TROUBLE;
	/* a launcher would end the other one before it has said so */
	if (status < 0 && err.kind == ERR_ELSEWHERE)
		return EXIT_YES;
	if (status < 0)
		die("%s", err.msg);
	return flush_output(status);
}
