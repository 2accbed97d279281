/* cli.h - a tool's option table: parsing, --help, --list, and what the manual is made from */
#ifndef BASE_CLI_H
#define BASE_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/die.h"
#include "base/registry.h"

enum option_type {
	OPTION_FLAG, /* bool *: set to true */
	OPTION_INT,  /* int64_t *: within min … max */
	OPTION_REAL, /* double *: within min … max */
	OPTION_TEXT, /* const char ** */
	OPTION_FILE, /* const char **: completed as a file's name */
	OPTION_WORD, /* const char **: one of .choices ("a|b") */
	OPTION_PICK, /* const char **: NAME[:key=value,…] from .registry; parse it by pick_parse */
	OPTION_LIST, /* struct cli_list *: may be given more than once, in order (a pick when
			.registry is set, a file when .is_file) */
};

/* One option. An array of them ends in one whose name is NULL. */
struct option_def {
	char letter;      /* 'p', or 0: none */
	const char *name; /* "policy" */
	enum option_type type;
	void *target;
	const char *arg;  /* "POLICY", as the manual shows it; NULL: a flag */
	const char *help; /* one or two sentences for the manual and --help */
	const char *def;  /* for the manual; NULL: none */
	const char *choices;
	double min, max;
	bool is_file;
	const struct registry *registry;
};

struct cli_list {
	const char **at;
	int n;
};

/* Which of the common options a tool has; -o -v --quiet --no-provenance --help --version --list are
 * everywhere. */
enum cli_common_bits {
	CLI_TOPOLOGY = 1, /* -t, --topology */
	CLI_SEED = 2,     /* --seed */
	CLI_JOBS = 4,     /* -j, --threads */
	CLI_PARTIAL = 8,  /* --partial: the tool reads a table */
	CLI_PROGRESS = 16,
	CLI_NO_OUTPUT = 32, /* the tool writes no stream: no -o */
};

struct tool {
	const char *name;
	const char *summary;      /* one line, no full stop */
	const char *const *usage; /* [] after the name, ends in NULL: "[-p POLICY] [JOBS…]" */
	const struct option_def *options;
	unsigned common;                          /* of enum cli_common_bits */
	const struct registry *const *registries; /* for --list; ends in NULL; may be NULL */
	void (*list_more)(FILE *out);             /* what --list alone adds; NULL: nothing */
	int min_operands, max_operands;           /* max < 0: any number */
};

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
