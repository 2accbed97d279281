/* constraint.h - geometric constraints: which sets of idle nodes a job may get */
#ifndef PLACE_CONSTRAINT_CONSTRAINT_H
#define PLACE_CONSTRAINT_CONSTRAINT_H

#include "place/constraint/io_choice.h"
#include "place/constraint/space.h"
#include "base/registry.h"
#include "place/state/free_times.h"
#include "place/state/idle.h"

/* The bound of one search: about the tenth part of a second. */
enum { SEARCH_STEPS = 20000000 };

/* What a search says at its end; the higher one counts. */
enum search_end {
	SEARCH_ALL,   /* every region was visited that had to be */
	SEARCH_BOUND, /* some may have been missed: bound reached, or no exact search */
	SEARCH_STOP,  /* the visitor wants no more */
};

/* The nodes of a job that runs. */
struct constraint_job {
	const int *nodes;
	int n;
};

/* The regions to search for. */
struct search {
	const struct machine *machine; /* idle nodes */
	int wanted;                    /* nodes */
	const int *rank; /* [nnodes] of idle nodes: how soon the policy would take them */
	bool wants_all; /* each set of exactly wanted nodes, at least once; else: what has the least
			   sum of ranks must be among what is visited */
	bool least_now; /* what is minimised is so over the idle nodes, not over all in service */
	int64_t attempt;  /* its number: in one attempt the idle nodes and wanted are the same */
	int64_t below;    /* only sets with a lesser sum of ranks matter: others may be left out */
	int64_t steps;    /* that may still be spent */
	bool is_left_out; /* becomes true: it would be long, and SEARCH_BOUND is said without it */
	const struct io_request *io;          /* what the job asks for */
	const struct constraint_job *running; /* [nrunning] */
	int nrunning;
	/* A region of n nodes: the job may have any wanted of them (all, where n is wanted).
	 * Nonzero ends the search. */
	int (*visit)(void *context, const int *nodes, int n);
	void *context;
};

struct constraint {
	const struct constraint_type *type;
	const struct pick *pick;
	const struct space *space;
	void *state;
};

/* Of several constraints the one with the fewest sets lists them, and the others look at each;
 * those of connected sets come last, which are far too many. */
enum constraint_turn {
	TURN_LIST,
	TURN_WINDOWS,
	TURN_BOXES,
	TURN_MASKS,
	TURN_SUMS,
	TURN_CLIQUES,
	TURN_CONNECTED
};

struct constraint_type {
	struct entry entry;
	enum constraint_turn turn;
	bool is_bounded;    /* a search that gave up is not begun again before nodes are freed */
	bool reads_running; /* what it allows depends on the jobs that run */
	bool is_quick;      /* to say that there is no region takes less than asking the policy */
	bool shrinks;       /* where n nodes have no region, more have none either */
	bool is_least; /* it allows what is least on the machine, or now where it is best effort */
	bool is_local; /* the I/O nodes must be next to the job, too */
	/* Prepares state, or refuses the machine. NULL: nothing to do. */
	int (*open)(struct constraint *constraint, struct err *err);
	void (*close)(struct constraint *constraint);
	/* Enumerates the feasible regions. Returns enum search_end. */
	int (*regions)(struct constraint *constraint, struct search *search);
	/* Whether search->wanted idle nodes are one of its sets: 1, 0, or -1: unknown. */
	int (*holds)(struct constraint *constraint, struct search *search, const int *nodes);
	/*
	 * Exact answers for a job that asks for no I/O nodes, without a region; NULL: there is no
	 * such way. fits: whether some region of n is in idle [a bit for each node]: 1, 0, or -1:
	 * not known. earliest: the least time at which one is free; INT64_MAX: never; where it is
	 * NULL, times are tried with fits.
	 */
	int (*fits)(struct constraint *constraint, const uint64_t *idle, int n);
	int64_t (*earliest)(struct constraint *constraint, const struct free_times *times, int n);
	/* The nodes that a job of n gets, where it may be given more. NULL: n. */
	int (*pad)(struct constraint *constraint, int n);
};

extern const struct registry constraints; /* "constraints" */

int constraint_open(struct constraint *constraint, const struct pick *pick,
		    const struct space *space, struct err *err);
void constraint_close(struct constraint *constraint);

/* ---- for constraints ---- */

/* Whether n steps are left; they are spent. */
bool search_spend(struct search *search, int64_t steps);
/* Any wanted of n idle nodes; as many sets where all are wanted. */
int search_any(struct search *search, const int *nodes, int n);
/* Exactly these. */
int search_exact(struct search *search, const int *nodes);
/* Any count of the units (n of size nodes each, nodes [n · size]). */
int search_units(struct search *search, const int *nodes, int n, int size);
/* The sum of the least `wanted` ranks of n nodes; where it is not below search->below, that or a
 * lower bound of it which is not either. */
int64_t search_value(const struct search *search, const int *nodes, int n);
/* nodes [n], by rank. */
void search_sort(const struct search *search, int *nodes, int n);

/* The bound of what is searched for one decision, by constraints that search long. */
#define EFFORT_PARAM                                                                               \
	{                                                                                          \
		.key = "effort", .type = PARAM_INT, .min = 1, .max = 1000000000, .def = "1000000", \
		.unit = "steps",                                                                   \
		.meaning = "length of a search before it gives up; a step takes a "                \
			   "nanosecond or two"                                                     \
	}

/* wait= and best-effort, which all constraints have. */
#define CONSTRAINT_PARAMS                                                                          \
	{.key = "wait",                                                                            \
	 .type = PARAM_DURATION,                                                                   \
	 .optional = true,                                                                         \
	 .unit = "s",                                                                              \
	 .meaning = "best effort after this time from the job's submission"},                      \
	{                                                                                          \
		.key = "best-effort", .type = PARAM_BOOL, .def = "no",                             \
		.meaning = "the job does not wait: if the constraint can't be satisfied, "         \
			   "it gets any idle nodes"                                                \
	}

#endif
