/* check.h - what must hold in a stream: one check for each kind of it */
#ifndef MEASURE_CHECK_CHECK_H
#define MEASURE_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/check/states.h"
#include "base/registry.h"
#include "formats/table.h"
#include "model/topo.h"

struct block_sizes;       /* measure/check/segments.h */
struct constraint_checks; /* measure/check/constraint_check.h */

/* A job has of a node what others have, from some time on. */
struct overuse {
	const char *job, *node;
	int64_t at_ns;     /* INT64_MIN: not known */
	const char *other; /* the job that has it alone, or of which this is one; NULL: */
	const char *what;  /* "CPUs": used of those that it has */
	int64_t used, had, nnodes;
};

/* Where broken invariants go. */
struct findings {
	int64_t n;    /* found */
	int64_t most; /* reported; 0: all */
	/* text is "FILE:LINE: what" or, of what has no line, "what" */
	void (*tell)(void *context, const char *text);
	void *context;
	bool is_strict; /* nodes of recorded jobs that the machine lacks are found; else told once
			 */
	/* A node that is given out twice; NULL: nobody listens. */
	void (*overused)(void *context, const struct overuse *overuse);
};

/* One stream while it is checked. */
struct checking {
	const struct table_in *in;
	const struct topo *topo;          /* NULL: not known; names of nodes are then just names */
	const struct node_states *states; /* NULL: not known */
	struct constraint_checks *constraints; /* NULL: none are given */
	const struct block_sizes *block_sizes; /* never NULL */
	bool is_about_waiting; /* jobs that wait though they have room are found, too */
	struct findings *findings;
	void *state; /* the check's own */
};

struct check {
	struct entry entry; /* by the name of the kind */
	const struct table_kind *kind;
	bool has_own_key; /* the kind's key is not what names a row: it checks that itself */
	/* What has no row is found in open and close; all but row may be NULL. */
	void (*open)(struct checking *checking);
	/* A row whose cells hold what the types of their columns say. */
	void (*row)(struct checking *checking, const struct row *row);
	/* After the last row; frees the state. */
	void (*close)(struct checking *checking);
};

extern const struct registry checks; /* "checks" */

/*
 * Checks a stream of any kind that is open to its end: the types of its cells, its keys, and what
 * the check of its kind says (kinds without one have no further invariants). Returns -1 on error,
 * which is not the same as a finding. constraints (may be NULL) and segments in blocks of these
 * sizes are checked of jobs; is_about_waiting: also whether those without nodes have room.
 */
int check_stream(struct table_in *in, const struct topo *topo, const struct node_states *states,
		 struct constraint_checks *constraints, const struct block_sizes *block_sizes,
		 bool is_about_waiting, struct findings *findings, struct err *err);

/* Checks a machine: every node is linked to its router, every node can reach every other one, by
 * links (if it must be whole: pieces are islands else) and by the machine's own routes, if it has
 * any. */
void check_machine(struct topo *topo, bool must_be_whole, struct findings *findings);

/* ---- for checks ---- */

void found(struct findings *findings, const char *text);
void found_at(struct checking *checking, const struct row *row, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for a row that is gone; file, line are its place. */
void found_in(struct checking *checking, const char *file, long line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A cell as it is known to be of its type: whether it is there. */
bool cell_int(const struct row *row, int column, int64_t *value);
bool cell_real(const struct row *row, int column, double *value);
bool cell_seconds(const struct row *row, int column, int64_t *ns);

/* A cell, if it is there, is one of the words, which end in NULL. */
void check_word(struct checking *checking, const struct row *row, const char *column,
		const char *const *words);
/* A cell, if it is there, is at least (greater than, when strict) 0. */
void check_not_negative(struct checking *checking, const struct row *row, const char *column,
			bool strict);
/* first <= second where both are there; both are columns of times, or of numbers. */
void check_times_ordered(struct checking *checking, const struct row *row, const char *first,
			 const char *second);
void check_ordered(struct checking *checking, const struct row *row, const char *first,
		   const char *second);
/* A cell, if it is there, names a node (router) of the machine, if that is known. Its
 * number; -1. */
int check_node(struct checking *checking, const struct row *row, const char *column);
int check_router(struct checking *checking, const struct row *row, const char *column);

#endif
