/* constraint_check.h - whether placed jobs keep geometric constraints */
#ifndef MEASURE_CHECK_CONSTRAINT_CHECK_H
#define MEASURE_CHECK_CONSTRAINT_CHECK_H

#include "measure/check/check.h"

struct constraint_checks;

/* picks [n] of the checkers of measure/checker; routing NULL: the machine's own. What the states
 * call away is never given out. The machine must outlive it. */
int constraint_checks_open(struct constraint_checks **rules, struct topo *topo, const char *routing,
			   const struct node_states *states, const char *const *picks, int n,
			   struct err *err);
void constraint_checks_close(struct constraint_checks *rules); /* NULL is allowed */

/*
 * Checks a job that a policy placed; one that came with its nodes only counts for those that run at
 * the same time. Rows whose lists can't be read are left to others. At the end come the constraints
 * on pairs of jobs.
 */
void constraint_checks_row(struct constraint_checks *rules, struct checking *checking,
			   const struct row *row);
void constraint_checks_end(struct constraint_checks *rules, struct checking *checking);

/* How many placements no verdict was found for; *first: the first of them, and why. */
int64_t constraint_checks_nopen(const struct constraint_checks *rules, const char **first);

#endif
