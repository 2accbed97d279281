/* cli_doc.c - --help and --list */
#include "base/cli_doc.h"

#include <string.h>

#include "base/cli_text.h"
#include "base/tool_options.h"
#include "base/mem.h"
#include "base/name_hint.h"
#include "base/str.h"

enum { WIDTH = 79, HELP_INDENT = 6 };

/* Columns that UTF-8 text takes: bytes that do not continue a character. */
static int columns_of(const char *text, size_t n)
{
	int columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += ((unsigned char)text[i] & 0xc0) != 0x80;
	return columns;
}

/* Text in lines of at most WIDTH columns; the first line is at column at already. */
static void print_wrapped(FILE *out, int at, int indent, const char *text)
{
	while (*text != '\0') {
		size_t n = strcspn(text, " ");
		int columns = columns_of(text, n);

		if (at > indent && at + 1 + columns > WIDTH) {
			fputc('\n', out);
			at = 0;
		}
		if (at < indent)
			fprintf(out, "%*s", indent - at, "");
		else if (at > indent)
			fputc(' ', out);
		at = (at < indent ? indent : at + (at > indent)) + columns;
		fwrite(text, 1, n, out);
		text += n;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct option_def *option)
{
	struct buf text = {0}, phrase = {0};

	if (option->letter != 0)
		fprintf(out, "  -%c, --%s", option->letter, option->name);
	else
		fprintf(out, "      --%s", option->name);
	if (option->arg != NULL && *option->arg == '[')
		fprintf(out, "[=%.*s]", (int)strlen(option->arg) - 2, option->arg + 1);
	else if (option->arg != NULL)
		fprintf(out, "=%s", option->arg);
	fputc('\n', out);
	buf_str(&text, option->help);
	option_phrase(option, &phrase);
	if (phrase.n > 0)
		buf_printf(&text, " (%s)", phrase.text);
	print_wrapped(out, 0, HELP_INDENT + 4, text.text);
	buf_free(&text);
	buf_free(&phrase);
}

static void print_names(FILE *out, const struct registry *registry)
{
	struct buf names = {0};

	for (int i = 0; i < registry->n; i++)
		buf_printf(&names, "%s%s", i ? " " : "", registry->entries[i]->name);
	fprintf(out, "  %s:\n", registry->name);
	print_wrapped(out, 0, HELP_INDENT, buf_text(&names));
	buf_free(&names);
}

void cli_print_help(const struct tool *tool, const struct option_def *options, FILE *out)
{
	const struct registry *registries[TOOL_REGISTRIES];
	int nregistries = tool_registries(tool, registries, TOOL_REGISTRIES);

	for (int i = 0; tool->usage[i] != NULL; i++)
		fprintf(out, "%s %s %s\n", i == 0 ? "Usage:" : "      ", tool->name,
			tool->usage[i]);
	fprintf(out, "\n");
	print_wrapped(out, 0, 0, tool->summary);
	fprintf(out, "\nOptions:\n");
	for (const struct option_def *option = options; option->name != NULL; option++)
		print_option(out, option);
	for (const struct option_def *option = tool_answers; option->name != NULL; option++)
		print_option(out, option);
	if (nregistries > 0)
		fprintf(out, "\nNames to pick from (their parameters: --list=REGISTRY):\n");
	for (int i = 0; i < nregistries; i++)
		print_names(out, registries[i]);
	fprintf(out, "\nThe manual: man %s; the whole: man 7 placetools.\n", tool->name);
}

static void print_param(FILE *out, const struct param *param)
{
	struct buf text = {0}, phrase = {0};

	fprintf(out, "      %s=%s\n", param->key, param_arg(param));
	buf_str(&text, param->meaning != NULL ? param->meaning : "");
	param_phrase(param, &phrase);
	if (phrase.n > 0)
		buf_printf(&text, "%s(%s)", text.n > 0 ? " " : "", phrase.text);
	if (text.n > 0)
		print_wrapped(out, 0, HELP_INDENT + 8, text.text);
	buf_free(&text);
	buf_free(&phrase);
}

void cli_print_wrapped(FILE *out, const char *text)
{
	print_wrapped(out, 0, HELP_INDENT, text);
}

static void print_entry(FILE *out, const struct entry *entry)
{
	fprintf(out, "  %s\n", entry->name);
	print_wrapped(out, 0, HELP_INDENT, entry->summary);
	if (entry->aliases != NULL)
		fprintf(out, "      alias: %s\n", entry->aliases);
	if (entry->paper != NULL)
		print_wrapped(out, fprintf(out, "      paper:"), HELP_INDENT + 4, entry->paper);
	if (entry->example != NULL)
		fprintf(out, "      example: %s\n", entry->example);
	if (entry->feed != NULL) /* whole: it is to be pasted */
		fprintf(out, "      from a live system: %s\n", entry->feed);
	for (const struct param *param = entry->params; param != NULL && param->key != NULL;
	     param++)
		print_param(out, param);
}

static int not_listed(const struct tool *tool, const struct registry *const *registries, int n,
		      const char *name, struct err *err)
{
	struct near_name near;

	near_begin(&near, name);
	for (int i = 0; i < n; i++) {
		near_try(&near, registries[i]->name, strlen(registries[i]->name));
		registry_near(registries[i], &near);
	}
	return err_set(err, "%s has neither a registry nor a name '%s'%s; see --list alone",
		       tool->name, name, near_hint(&near));
}

/* "policies", or "policy" of "allocation policy". */
static bool names_all(const struct registry *registry, const char *name)
{
	const char *last = strrchr(registry->noun, ' ');

	return str_eq(name, registry->name) ||
	       str_eq(name, last != NULL ? last + 1 : registry->noun);
}

int cli_print_list(const struct tool *tool, const char *name, FILE *out, struct err *err)
{
	const struct registry *registries[TOOL_REGISTRIES];
	int n = tool_registries(tool, registries, TOOL_REGISTRIES), nprinted = 0;

	for (int i = 0; i < n; i++) {
		const struct entry *one = NULL;

		if (name != NULL && !names_all(registries[i], name) &&
		    (one = registry_find(registries[i], name)) == NULL)
			continue;
		fprintf(out, "%s%s (%s):\n", nprinted++ ? "\n" : "", registries[i]->name,
			registries[i]->noun);
		for (int j = 0; j < registries[i]->n; j++)
			if (one == NULL || one == registries[i]->entries[j])
				print_entry(out, registries[i]->entries[j]);
	}
	return name != NULL && nprinted == 0 ? not_listed(tool, registries, n, name, err) : 0;
}
