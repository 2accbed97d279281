/* cli.h - a tool from its command line to its status: what every main is made of */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include "base/die.h"
#include "base/err.h"
#include "base/run_context.h"
#include "base/tool.h"

/* A tool's own work, with its options set. operands end in NULL. Returns the tool's status, or -1
 * with err. */
typedef int cli_body(const struct run_context *context, char **operands, struct err *err);

/*
 * Reads the command line; answers --help, --version, --list[=REGISTRY] itself; ends the program
 * with status 2 on anything wrong. Options may be after operands; "--" ends them. Then runs the
 * body, prints the error that it returns, and flushes standard output. Returns the status of main:
 * the body's, or 2 when standard output could not be written or its reader is gone.
 */
int cli_run(const struct tool *tool, cli_body *body, int argc, char **argv);

#endif
