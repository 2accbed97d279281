/* cli_outputs.h - what a command line writes to */
#ifndef BASE_CLI_OUTPUTS_H
#define BASE_CLI_OUTPUTS_H

#include "base/tool.h"

/* Ends the program when two options that write (is_output, and output: -o, or NULL) lead to one
 * file. */
void cli_check_outputs(const struct tool *tool, const char *output);

#endif
