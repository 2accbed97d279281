/* tool_options.h - the options that all tools share */
#ifndef BASE_TOOL_OPTIONS_H
#define BASE_TOOL_OPTIONS_H

#include "base/run_context.h"
#include "base/tool.h"

/* Where the common options go; context.command is the caller's to set. */
struct common_values {
	struct run_context context;
	bool no_provenance, quiet, verbose;
};

/* A tool's own options, then those common ones it has, which write to values: ends in name NULL, to
 * be freed. Sets the values to their defaults. */
struct option_def *tool_options(const struct tool *tool, struct common_values *values);

/* --help, --version and --list, which every tool has; ends in name NULL. */
extern const struct option_def tool_answers[];

#endif
