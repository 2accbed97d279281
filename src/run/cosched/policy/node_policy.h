/* node_policy.h - co-scheduling policies: which devices of a node each job gets */
#ifndef COSCHED_POLICY_NODE_POLICY_H
#define COSCHED_POLICY_NODE_POLICY_H

/*
 * A policy is a pure function of the state: it allocates nothing, keeps nothing, and says the same
 * wherever the same bytes are. It may read all of the state that engines keep (state.h), and what
 * it goes by is in state->rules.
 */

#include "base/registry.h"
#include "base/registry.h"
#include "cosched/state/state.h"

/* What a policy promises of the order of jobs that wait; node_check holds it to that. */
enum node_promise {
	PROMISE_NONE,            /* later arrivals may start first */
	PROMISE_FIFO_PER_DEVICE, /* none that prefers the same device */
	PROMISE_FIFO,            /* none at all */
};

struct node_policy {
	struct entry entry;
	enum node_promise promise;
	bool learns; /* it goes by what node_observe has seen: engines then call that */
	/* Puts the parameters of the pick in the rules, all of them. */
	void (*set)(const struct pick *pick, struct node_rules *rules);
	/*
	 * Says which devices each slot in state->order has from now on; comes with those that it
	 * has. A job that has started must keep one device at least; one whose last slice has been
	 * taken (left 0) gets none in addition. A device belongs to one job; one that another job
	 * still holds may be given away only if that job was given a set without it: whoever is
	 * given it waits until it is released.
	 */
	void (*decide)(const struct node_state *state, struct node_assignment *assignment);
};

extern const struct registry node_policies; /* "co-scheduling policies" */

/* Fills state->rules, release_changed aside. */
void node_policy_set(const struct pick *pick, struct node_rules *rules);
/* By the name in state->rules; NULL: none. */
const struct node_policy *node_policy_of(const struct node_state *state);

/*
 * One decision: the policy decides, what it says is checked (node_check.h), and is what jobs are
 * assigned from then on. Returns 0, or -1: a broken invariant.
 */
int node_decide(struct node_state *state, const struct node_policy *policy, struct err *err);

#endif
