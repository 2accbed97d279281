/* cli_mdoc.c - an option table as mdoc(7): OPTIONS and one section for each registry */
#include <ctype.h>
#include <string.h>

#include "base/cli_doc.h"
#include "base/cli_text.h"
#include "base/tool_options.h"

/* One character of UTF-8 as roff knows it on every device; returns how many bytes it took. */
static size_t put_character(FILE *out, const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	int more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : 0;
	unsigned long code = more ? *p & (0x3fu >> more) : *p;

	if (*p < 0x80) {
		fputs(*p == '\\' ? "\\e" : (const char[]){(char)*p, '\0'}, out);
		return 1;
	}
	for (int i = 1; i <= more; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		code = code << 6 | (p[i] & 0x3f);
	}
	fprintf(out, "\\[u%04lX]", code);
	return (size_t)more + 1;
}

/* Running text in separate lines, each sentence beginning one, as roff wants it to space them. A
 * dash that begins a word is one of an option. */
static void put_prose(FILE *out, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t n = strcspn(text, " ");

		if (column > 0 && column + n > 78) {
			fputc('\n', out);
			column = 0;
		} else if (column > 0) {
			fputc(' ', out);
		}
		if (column == 0 && (*text == '.' || *text == '\''))
			fputs("\\&", out);
		column += n + 1;
		for (const char *end = text + n; *text == '-' && text < end; text++)
			fputs("\\-", out);
		for (const char *end = text + strcspn(text, " "); text < end;)
			text += put_character(out, text);
		if (strchr(".!?", text[-1]) != NULL && n > 2)
			column = 79;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

/* A word on a macro's line: literal dashes, one argument, never taken for a macro. */
static void put_word(FILE *out, const char *text)
{
	size_t n = strlen(text);

	if (n <= 3 && isupper((unsigned char)text[0]))
		fputs("\\&", out);
	while (*text != '\0') {
		if (*text == '-' || *text == ' ' || *text == '"') {
			fputs(*text == '-' ? "\\-" : *text == ' ' ? "\\ " : "\\(dq", out);
			text++;
		} else {
			text += put_character(out, text);
		}
	}
}

static void put_option(FILE *out, const struct option_def *option)
{
	struct buf phrase = {0};

	fputs(".It ", out);
	if (option->letter != 0)
		fprintf(out, "Fl %c , ", option->letter);
	fputs("Fl \\-", out);
	put_word(out, option->name);
	if (option->arg != NULL && *option->arg == '[') {
		fprintf(out, " Ns Op = Ns Ar %.*s", (int)strlen(option->arg) - 2, option->arg + 1);
	} else if (option->arg != NULL) {
		fputs(" Ns = Ns Ar ", out);
		put_word(out, option->arg);
	}
	fputc('\n', out);
	put_prose(out, option->help);
	option_phrase(option, &phrase);
	if (phrase.n > 0) {
		struct buf line = {0};

		buf_printf(&line, "(%s)", phrase.text);
		put_prose(out, line.text);
		buf_free(&line);
	}
	buf_free(&phrase);
}

enum { COMMAND_COLUMNS = 60 }; /* what is left of 80 where an entry's text is indented */

static void put_param(FILE *out, const struct param *param)
{
	const char *arg = param_arg(param);
	bool is_long = strlen(param->key) + strlen(arg) >= COMMAND_COLUMNS;
	struct buf text = {0}, phrase = {0};

	fputs(".It Cm ", out);
	put_word(out, param->key);
	fputs(" Ns = Ns Ar ", out);
	put_word(out, is_long ? "WORD" : arg);
	fputc('\n', out);
	param_phrase(param, &phrase);
	buf_str(&text, param->meaning != NULL ? param->meaning : "");
	if (is_long) /* words, where lines can end */
		buf_str(&text, ": ");
	for (; is_long && *arg != '\0'; arg++)
		buf_printf(&text, *arg == '|' ? ", " : "%c", *arg);
	if (phrase.n > 0)
		buf_printf(&text, "%s(%s)", text.n > 0 ? " " : "", phrase.text);
	put_prose(out, buf_text(&text));
	buf_free(&text);
	buf_free(&phrase);
}

/* How much of a word goes on a line with this room: all; of a long one, up to a comma; else
 * nothing. */
static size_t word_part(const char *word, size_t len, size_t room)
{
	size_t part = room;

	if (len <= room || len <= COMMAND_COLUMNS / 2)
		return len <= room ? len : 0;
	while (part > 0 && word[part - 1] != ',')
		part--;
	return part;
}

/*
 * A command in a separate display, to be pasted. One that is longer than a line is broken after
 * each | and ;, before words (with a backslash), and after commas within a long word.
 */
static void put_command(FILE *out, const char *text)
{
	bool is_long = strlen(text) > COMMAND_COLUMNS;
	size_t column = 0, margin = 0;

	fputs(".Bd -literal -compact\n", out);
	while (*text != '\0') {
		size_t len = strcspn(text, " "), gap = column > margin;
		size_t room = column + gap < COMMAND_COLUMNS ? COMMAND_COLUMNS - column - gap : 0;
		size_t part = word_part(text, len, room);

		if (part == 0 && gap > 0) {
			fputs(" \\e\n    ", out);
			column = margin = 4;
			continue;
		}
		part = part == 0 ? len : part;
		fputs(gap > 0 ? " " : "", out);
		for (const char *end = text + part; text < end;)
			text += put_character(out, text);
		column += gap + part;
		if (part < len) {
			fputs("\\e\n", out);
			column = margin = 0;
		} else if (is_long && *text != '\0' && strchr("|;", text[-1]) != NULL) {
			fputs("\n    ", out);
			column = margin = 4;
		}
		text += strspn(text, " ");
	}
	fputs("\n.Ed\n", out);
}

static void put_entry(FILE *out, const struct entry *entry)
{
	struct buf text = {0};

	fputs(".It Cm ", out);
	put_word(out, entry->name);
	fputc('\n', out);
	buf_printf(&text, "%s.", entry->summary);
	if (entry->aliases != NULL)
		buf_printf(&text, " Also called %s.", entry->aliases);
	if (entry->paper != NULL)
		buf_printf(&text, " From: %s.", entry->paper);
	put_prose(out, text.text);
	buf_free(&text);
	if (entry->example != NULL) {
		fputs("Example:\n.Cm ", out);
		put_word(out, entry->example);
		fputc('\n', out);
	}
	if (entry->feed != NULL) {
		fputs("From a live system:\n", out);
		put_command(out, entry->feed);
	}
	if (entry->params == NULL || entry->params->key == NULL)
		return;
	fputs(".Bl -tag -width Ds -compact\n", out);
	for (const struct param *param = entry->params; param->key != NULL; param++)
		put_param(out, param);
	fputs(".El\n", out);
}

static void put_registry(FILE *out, const struct registry *registry)
{
	struct buf text = {0};

	fputs(".Sh ", out);
	for (const char *p = registry->name; *p != '\0'; p++)
		fputc(*p == '-' ? ' ' : toupper((unsigned char)*p), out);
	fputc('\n', out);
	buf_printf(&text, "Each of these is one %s, written as", registry->noun);
	put_prose(out, text.text);
	buf_free(&text);
	fputs(".Xr pick 7\nsays.\n.Bl -tag -width Ds\n", out);
	for (int i = 0; i < registry->n; i++)
		put_entry(out, registry->entries[i]);
	fputs(".El\n", out);
}

void cli_print_mdoc(const struct tool *tool, const struct option_def *options, FILE *out)
{
	const struct registry *registries[TOOL_REGISTRIES];
	int n = tool_registries(tool, registries, TOOL_REGISTRIES);

	fputs(".Sh OPTIONS\n.Bl -tag -width Ds\n", out);
	for (const struct option_def *option = options; option->name != NULL; option++)
		put_option(out, option);
	for (const struct option_def *option = tool_answers; option->name != NULL; option++)
		put_option(out, option);
	fputs(".El\n", out);
	for (int i = 0; i < n; i++)
		if (registries[i]->n > 0)
			put_registry(out, registries[i]);
}
