/* cli_completion.c - an option table as completion for bash and zsh */
#include <string.h>

#include "base/cli_doc.h"
#include "base/cli_text.h"
#include "base/tool_options.h"

/* A text between the single quotes of a shell; also marks those that mean something to zsh. */
static void put_quoted(FILE *out, const char *text, size_t n, const char *marked)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\'')
			fputs("'\\''", out);
		else if (strchr(marked, text[i]) != NULL)
			fprintf(out, "\\%c", text[i]);
		else
			fputc(text[i], out);
	}
}

static void put_choices(FILE *out, const char *key, const char *choices)
{
	while (*choices != '\0') {
		size_t n = strcspn(choices, "|");

		fprintf(out, "%s%s%.*s", *key ? " " : "", key, (int)n, choices);
		choices += n + (choices[n] == '|');
		if (*key == '\0' && *choices != '\0')
			fputc(' ', out);
	}
}

/* What may follow the name and its colon: "fit=best fit=first size=". */
static void put_keys(FILE *out, const struct entry *entry)
{
	for (const struct param *param = entry->params; param != NULL && param->key != NULL;
	     param++) {
		struct buf key = {0};

		buf_printf(&key, "%s=", param->key);
		if (param->type == PARAM_WORD)
			put_choices(out, key.text, param->choices);
		else if (param->type == PARAM_BOOL)
			put_choices(out, key.text, "yes|no");
		else if (param->type == PARAM_PICK)
			for (int i = 0; i < param->registry->n; i++)
				fprintf(out, " %s%s", key.text, param->registry->entries[i]->name);
		else if (param->type != PARAM_REST)
			fprintf(out, " %s", key.text);
		buf_free(&key);
	}
}

/* "case $1 in" over "REGISTRY" and "REGISTRY NAME": the names, or the keys of one. */
static void put_registries(FILE *out, const struct tool *tool)
{
	const struct registry *registries[TOOL_REGISTRIES];
	int n = tool_registries(tool, registries, TOOL_REGISTRIES);

	fprintf(out, "_placetools_%s_words() {\n\tcase $1 in\n", tool->name);
	for (int i = 0; i < n; i++) {
		fprintf(out, "\t'%s') echo '", registries[i]->name);
		for (int j = 0; j < registries[i]->n; j++)
			fprintf(out, "%s%s", j ? " " : "", registries[i]->entries[j]->name);
		fputs("' ;;\n", out);
		for (int j = 0; j < registries[i]->n; j++) {
			fprintf(out, "\t'%s %s') echo '", registries[i]->name,
				registries[i]->entries[j]->name);
			put_keys(out, registries[i]->entries[j]);
			fputs("' ;;\n", out);
		}
	}
	fputs("\t'--list') echo '", out);
	for (int i = 0; i < n; i++)
		fprintf(out, "%s%s", i ? " " : "", registries[i]->name);
	fprintf(out, "%s' ;;\n\tesac\n}\n", (tool->common & CLI_TOPOLOGY) != 0 ? " machines" : "");
}

static void put_bash_option(FILE *out, const struct option_def *option)
{
	if (option->type == OPTION_FLAG || option->arg == NULL)
		return;
	fputc('\t', out);
	if (option->letter != 0)
		fprintf(out, "-%c|", option->letter);
	fprintf(out, "--%s) ", option->name);
	if (option->registry != NULL) {
		fprintf(out, "pick='%s'", option->registry->name);
	} else if (option->type == OPTION_WORD) {
		fputs("words='", out);
		put_choices(out, "", option->choices);
		fputc('\'', out);
	} else if (option->type != OPTION_FILE && !option->is_file) {
		fputs("free=1", out);
	}
	fputs(" ;;\n", out);
}

/* Bash cuts words at : and = too: candidates are made for the whole word, then lose what is
 * before the last cut. */
static const char bash_head[] =
	"\tlocal line=${COMP_LINE:0:COMP_POINT} word before option value words='' pick='' free='' "
	"keep\n"
	"\tword=${line##*[[:space:]]}\n"
	"\tline=${line%\"$word\"}\n"
	"\tline=${line%\"${line##*[![:space:]]}\"}\n"
	"\toption=${line##*[[:space:]]} value=$word before=''\n"
	"\tif [[ $word == --*=* ]]; then\n"
	"\t\toption=${word%%=*} value=${word#*=} before=${word%%=*}=\n"
	"\tfi\n"
	"\tcase $option in\n";
static const char bash_tail[] =
	"\t--list) words=$(_placetools_%1$s_words --list) ;;\n"
	"\t*) option='' ;;\n"
	"\tesac\n"
	"\tif [[ -n $pick && $value == *:* ]]; then\n"
	"\t\tkeep=${value%%\"${value##*[:,]}\"}\n"
	"\t\tbefore+=$keep words=$(_placetools_%1$s_words \"$pick ${value%%%%:*}\")\n"
	"\t\tvalue=${value#\"$keep\"}\n"
	"\telif [[ -n $pick ]]; then\n"
	"\t\twords=$(_placetools_%1$s_words \"$pick\")\n"
	"\telif [[ -z $option && $word == -* ]]; then\n"
	"\t\tbefore='' value=$word words='%2$s'\n"
	"\tfi\n"
	"\tCOMPREPLY=()\n"
	"\tif [[ -n $words ]]; then\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- \"$value\")\n"
	"\telif [[ -z $free ]]; then\n"
	"\t\tcompopt -o filenames 2>/dev/null\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -P \"$before\" -f -- \"$value\")\n"
	"\tfi\n"
	"\tkeep=${word%%\"${word##*[:=]}\"}\n"
	"\tCOMPREPLY=(\"${COMPREPLY[@]#\"$keep\"}\")\n"
	"\tif [[ ${#COMPREPLY[@]} -eq 1 && ( -n $pick || ${COMPREPLY[0]} == *= ) ]]; then\n"
	"\t\tcompopt -o nospace 2>/dev/null\n"
	"\tfi\n"
	"}\n"
	"complete -F _placetools_%1$s %1$s\n";

static void put_bash(FILE *out, const struct tool *tool, const struct option_def *options)
{
	struct buf all = {0};

	fprintf(out, "# bash completion of %s; made by %s --completion=bash\n", tool->name,
		tool->name);
	put_registries(out, tool);
	fprintf(out, "_placetools_%s() {\n%s", tool->name, bash_head);
	for (const struct option_def *option = options; option->name != NULL; option++) {
		put_bash_option(out, option);
		buf_printf(&all, "--%s%s ", option->name, option->arg != NULL ? "=" : "");
	}
	buf_str(&all, "--help --version --list");
	fprintf(out, bash_tail, tool->name, all.text);
	buf_free(&all);
}

static void put_zsh_option(FILE *out, const struct tool *tool, const struct option_def *option)
{
	const char *help_end = strstr(option->help, ". ");
	size_t nhelp = help_end != NULL ? (size_t)(help_end - option->help) : strlen(option->help);
	const char *equals = option->arg == NULL ? "" : *option->arg == '[' ? "=-" : "=";

	if (help_end == NULL && nhelp > 0 && option->help[nhelp - 1] == '.')
		nhelp--;
	fputs("\t\t'", out);
	if (option->type == OPTION_LIST)
		fputc('*', out);
	else if (option->letter != 0)
		fprintf(out, "(-%c --%s)", option->letter, option->name);
	if (option->letter != 0)
		fprintf(out, "'{-%c%s,--%s%s}'[", option->letter, *equals ? "+" : "", option->name,
			equals);
	else
		fprintf(out, "--%s%s[", option->name, equals);
	put_quoted(out, option->help, nhelp, "[]\\");
	fputc(']', out);
	if (option->arg != NULL) {
		fputs(*option->arg == '[' ? "::" : ":", out);
		put_quoted(out, option->arg, strlen(option->arg), ":\\");
		fputc(':', out);
		if (option->registry != NULL)
			fprintf(out, "_placetools_%s_pick %s", tool->name, option->registry->name);
		else if (*option->arg == '[')
			fprintf(out, "_placetools_%s_pick --list", tool->name);
		else if (option->type == OPTION_WORD) {
			fputc('(', out);
			put_choices(out, "", option->choices);
			fputc(')', out);
		} else if (option->type == OPTION_FILE || option->is_file)
			fputs("_files", out);
	}
	fputs("'\n", out);
}

static void put_zsh(FILE *out, const struct tool *tool, const struct option_def *options)
{
	fprintf(out, "#compdef %s\n# made by %s --completion=zsh\n", tool->name, tool->name);
	put_registries(out, tool);
	fprintf(out,
		"_placetools_%1$s_pick() {\n"
		"\tlocal words name=${PREFIX%%%%:*}\n"
		"\tif compset -P '*[:,]'; then\n"
		"\t\twords=$(_placetools_%1$s_words \"$1 $name\")\n"
		"\telse\n"
		"\t\twords=$(_placetools_%1$s_words \"$1\")\n"
		"\tfi\n"
		"\tcompadd -S '' -- ${=words}\n"
		"}\n"
		"_placetools_%1$s() {\n"
		"\tlocal -a options\n"
		"\toptions=(\n",
		tool->name);
	for (const struct option_def *option = options; option->name != NULL; option++)
		put_zsh_option(out, tool, option);
	for (const struct option_def *option = tool_answers; option->name != NULL; option++)
		put_zsh_option(out, tool, option);
	fprintf(out, "\t)\n\t_arguments -s $options '*:file:_files'\n}\n_placetools_%s \"$@\"\n",
		tool->name);
}

int cli_print_completion(const struct tool *tool, const struct option_def *options,
			 const char *shell, FILE *out)
{
	if (str_eq(shell, "bash"))
		put_bash(out, tool, options);
	else if (str_eq(shell, "zsh"))
		put_zsh(out, tool, options);
	else
		return -1;
	return 0;
}
