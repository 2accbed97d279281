/* constraint_list.h - several constraints on one machine, and the policy's choice within what they
 * allow */
#ifndef PLACE_CONSTRAINT_CONSTRAINT_LIST_H
#define PLACE_CONSTRAINT_CONSTRAINT_LIST_H

#include "place/policy/policy.h"
#include "place/constraint/constraint.h"
#include "place/constraint/failed_sets.h"

enum { CONSTRAINTS_MOST = 16 };

/* In the order of the command line. */
struct constraint_list {
	struct space space;
	struct pick picks[CONSTRAINTS_MOST];
	struct constraint at[CONSTRAINTS_MOST];
	int n;
	int *rank;                 /* [nnodes] */
	uint64_t *free;            /* a bit for each node */
	struct failed_sets failed; /* of constraints whose searches may give up */
	int64_t nattempts;
	bool is_no;        /* the last choice failed because there is no region, for sure */
	bool gave_up;      /* or because a bounded search said nothing that will be asked again */
	bool was_left_out; /* and that search was not even begun */
	bool is_unsure;    /* it failed, though there may be a region that it did not see */
};

/* texts [n]: picks. topo must outlive it; away and routing as in space_open. */
int constraint_list_open(struct constraint_list *list, struct topo *topo, const char *const *texts,
			 int n, const char *routing, const bool *away, struct err *err);
void constraint_list_close(struct constraint_list *list);

/* What a decision is made from, beside the request to the policy. */
struct constraint_case {
	unsigned soft; /* bits of the constraints that are best effort now */
	struct io_request io;
	const struct constraint_job *running; /* [nrunning] */
	int nrunning;
};

/*
 * The policy ranks the idle nodes: first those that it would take for the job, then those for a
 * job of all others. Of the regions that all constraints allow, the one whose best nodes have the
 * least sum of ranks is taken, the first among equals; inside it the policy chooses. Where there
 * is none, those that are best effort are let go one by one, the last first.
 *
 * 1: nodes were taken, points (of list->space) has the I/O nodes; 0: not, reason says why; -1:
 * error. nodes, points and reason are cleared first.
 */
int constraint_list_choose(struct constraint_list *list, struct alloc *alloc,
			   const struct alloc_request *request,
			   const struct constraint_case *job_case, int_vec *nodes, int_vec *points,
			   struct buf *reason, struct err *err);

/* Of jobs that ask for no I/O nodes while no constraint is best effort. fits: whether the idle
 * nodes [a bit for each] hold a region of n for all: 1, 0 for sure, or -1: unknown. */
int constraint_list_fits(struct constraint_list *list, const uint64_t *idle, int n);
/* The earliest time at which there may be one; *is_exact: there is. INT64_MAX: never. */
int64_t constraint_list_earliest(struct constraint_list *list, const struct free_times *times,
				 int n, bool *is_exact);
/* Whether a region of idle nodes that was found is one beside others that run. */
bool constraint_list_still_holds(struct constraint_list *list, const struct machine *machine,
				 const struct constraint_case *job_case, const int_vec *nodes);
/* Whether searches are so long on the machine that some are left out. */
bool constraint_list_is_large(const struct constraint_list *list);
/* Whether a search under each of the constraints may give up. */
bool constraint_list_is_bounded(const struct constraint_list *list);
/* Both. */
bool constraint_list_is_long(const struct constraint_list *list);
/* Whether more nodes have no region where n have none. */
bool constraint_list_shrinks(const struct constraint_list *list);
/* "A, B: no region"; is_unsure: a search gave up. */
void constraint_list_say_none(const struct constraint_list *list, bool is_unsure, struct buf *text);

/*
 * Visits every set of nodes that a job may get, once; order says nothing. Returns enum search_end.
 * steps: the bound.
 */
int constraint_list_all(struct constraint_list *list, const struct alloc_request *request,
			const struct constraint_case *job_case, int64_t steps,
			int (*visit)(void *context, const int *nodes, int n), void *context);

#endif
