/* cli.h - a tool's command line: parsing, --help, --list, and what the manual is made from */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <stdbool.h>
#include <stdint.h>

#include "base/die.h"
#include "base/tool.h"

/* What the common options said. The one mutable global of the program (with what cli.c hides). */
struct cli_common {
	const char *output;   /* -o FILE; NULL: standard output */
	const char *topology; /* -t; NULL: not given */
	int64_t seed;         /* 1 unless given; never negative */
	int64_t nthreads;     /* -j; 1 unless given; at most 1024 */
	bool partial, no_provenance, quiet, verbose, progress;
	const char *command; /* the command line as ##command= records it */
};
extern struct cli_common cli;

/*
 * Reads the command line; answers --help, --version, --list[=REGISTRY] itself (status 0); ends the
 * program with status 2 on anything wrong. Options may stand after operands; "--" ends them.
 * Returns the number of words to skip: argv += cli_parse(…) makes argv[0] the first operand and the
 * array still ends in NULL.
 */
int cli_parse(const struct tool *tool, int argc, char **argv);

/* The last word of every main: status, or 2 when standard output could not be written. */
int cli_finish(int status);

#endif
