/* node_check.h - the invariants of a node's state, and of a decision */
#ifndef COSCHED_POLICY_NODE_CHECK_H
#define COSCHED_POLICY_NODE_CHECK_H

#include "base/err.h"
#include "cosched/policy/node_policy.h"

/*
 * Of a state between two events: a device has one holder, which was assigned it before it took it;
 * a device is assigned to one job; no job runs on a device that it does not hold; jobs that wait
 * hold nothing; the order is by priority and arrival, and names each job once. Returns 0, or -1:
 * the message names the job and the device.
 */
int node_check_state(const struct node_state *state, struct err *err);

/*
 * Of what a policy said, before it is applied: a device goes to one job, and only to one that can
 * run on it; no job that has started loses all; none whose bag is empty gains; none has more than
 * rules.max_devices; earlier arrivals first, as the policy promises.
 */
int node_check_decision(const struct node_state *state, const struct node_policy *policy,
			const struct node_assignment *assignment, struct err *err);

#endif
