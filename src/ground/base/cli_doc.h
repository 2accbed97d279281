/* cli_doc.h - an option table as people read it: --help, --list, manual, completion */
#ifndef BASE_CLI_DOC_H
#define BASE_CLI_DOC_H

#include <stdio.h>

#include "base/tool.h"

/* options: all of the tool's, as tool_options gives them. */
void cli_print_help(const struct tool *tool, const struct option_def *options, FILE *out);
/* All registries of the tool (name NULL), one of them, or the entries of one name. */
int cli_print_list(const struct tool *tool, const char *name, FILE *out, struct err *err);
/* --list=machines; -1: the machines are not installed. */
int cli_print_machines(FILE *out);
/* A text below a name of --list, in lines of at most 80 letters. */
void cli_print_wrapped(FILE *out, const char *text);
/* mdoc(7) of the section OPTIONS, then of one section for each registry. */
void cli_print_mdoc(const struct tool *tool, const struct option_def *options, FILE *out);
/* shell is "bash" or "zsh"; returns -1 for another. */
int cli_print_completion(const struct tool *tool, const struct option_def *options,
			 const char *shell, FILE *out);

#endif
