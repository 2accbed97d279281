/* tool.h - what a tool says about itself: its options, its registries, its operands */
#ifndef BASE_TOOL_H
#define BASE_TOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

/* One option, written as a row of base/options.h. An array of them ends in one whose name
 * is NULL. */
struct option_def {
	char letter;      /* 'p', or 0: none */
	const char *name; /* "policy" */
	enum option_type type;
	void *target;
	const char *arg;  /* "POLICY", as the manual shows it; "[POLICY]": as --name=POLICY, or
			   * none, which gives ""; NULL: a flag */
	const char *help; /* one or two sentences for the manual and --help */
	const char *def;  /* for the manual; NULL: none */
	const char *choices;
	double min, max;
	const char *unit; /* OPTION_REAL: "s" or "bytes" may be written behind it; NULL: none */
	bool is_file;
	bool is_output; /* a file that is written: no two options may name the same */
	const struct registry *registry;
	const char *with; /* it acts only if this option is given, too: "scheduled"; NULL: alone */
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
	CLI_STRICT = 64,    /* --strict: the tool leaves out what it cannot read */
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

#endif
