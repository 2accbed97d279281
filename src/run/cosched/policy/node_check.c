/* node_check.c - the invariants of a node's state, and of a decision */
#include "cosched/policy/node_check.h"

#include <inttypes.h>
#include <stddef.h>

#include "cosched/state/set_time.h"

static int lowest(uint32_t devices)
{
	return __builtin_ctz(devices);
}

static int check_order(const struct node_state *state, struct err *err)
{
	int nused = 0;

	if (state->ndevices < 1 || state->ndevices > NODE_DEVICES || state->njobs < 0 ||
	    state->njobs > NODE_JOBS)
		return err_set(err, "%d devices and %d jobs are no state of a node",
			       state->ndevices, state->njobs);
	for (int word = 0; word < NODE_JOBS / 64; word++)
		nused += __builtin_popcountll(state->used[word]);
	if (nused != state->njobs)
		return err_set(err, "%d slots are used by %d jobs", nused, state->njobs);
	for (int at = 0; at < state->njobs; at++) {
		const struct node_job *job, *before;

		if (state->order[at] >= NODE_JOBS || !node_is_used(state, state->order[at]))
			return err_set(err, "place %d of the order is slot %d, which holds no job",
				       at, state->order[at]);
		if (at == 0)
			continue;
		job = &state->jobs[state->order[at]];
		before = &state->jobs[state->order[at - 1]];
		if (job->priority > before->priority ||
		    (job->priority == before->priority &&
		     (job->arrival_ns < before->arrival_ns ||
		      (job->arrival_ns == before->arrival_ns && job->id <= before->id))))
			return err_set(err, "job %" PRId64 " follows job %" PRId64, job->id,
				       before->id);
	}
	return 0;
}

static int check_job(const struct node_state *state, const struct node_job *job, struct err *err)
{
	uint32_t all = (UINT32_C(1) << state->ndevices) - 1;

	if (((job->held | job->assigned | job->runs_on) & ~all) != 0)
		return err_set(err, "job %" PRId64 " has devices that the node lacks", job->id);
	if ((job->runs_on & ~job->held) != 0)
		return err_set(err, "job %" PRId64 " runs on %s, which it does not hold", job->id,
			       state->devices[lowest(job->runs_on & ~job->held)].name);
	if (job->phase == NODE_WAITING && (job->held != 0 || job->runs_on != 0))
		return err_set(err, "job %" PRId64 " waits and holds %s", job->id,
			       state->devices[lowest(job->held)].name);
	if ((job->phase == NODE_INIT || job->phase == NODE_RUNNING) && job->runs_on == 0)
		return err_set(err, "job %" PRId64 " runs without a device", job->id);
	if (job->left < 0 || job->left > job->profile.slices * job->profile.launches)
		return err_set(err, "job %" PRId64 " has %" PRId64 " slices left of %" PRId64,
			       job->id, job->left, job->profile.slices * job->profile.launches);
	return 0;
}

int node_check_state(const struct node_state *state, struct err *err)
{
	uint32_t held = 0, assigned = 0;

	if (check_order(state, err) != 0)
		return -1;
	for (int at = 0; at < state->njobs; at++) {
		const struct node_job *job = &state->jobs[state->order[at]];

		if (check_job(state, job, err) != 0)
			return -1;
		if ((job->held & held) != 0)
			return err_set(err, "%s has two holders, one of them job %" PRId64,
				       state->devices[lowest(job->held & held)].name, job->id);
		if ((job->assigned & assigned) != 0)
			return err_set(err, "%s is assigned twice, once to job %" PRId64,
				       state->devices[lowest(job->assigned & assigned)].name,
				       job->id);
		held |= job->held;
		assigned |= job->assigned;
		for (int d = 0; d < state->ndevices; d++) {
			if ((job->held >> d & 1) != 0 && state->held_by[d] != job->id)
				return err_set(
					err, "job %" PRId64 " holds %s, which it was not assigned",
					job->id, state->devices[d].name);
			if ((job->assigned >> d & 1) != 0 && state->assigned_to[d] != job->id)
				return err_set(err,
					       "job %" PRId64 " was assigned %s by no decision",
					       job->id, state->devices[d].name);
		}
	}
	for (int d = 0; d < state->ndevices; d++)
		if (state->held_by[d] != -1 && (held >> d & 1) == 0)
			return err_set(err, "%s is held by job %" PRId64 ", which is not there",
				       state->devices[d].name, state->held_by[d]);
	return 0;
}

/* No later job starts while an earlier one that the promise speaks of goes on waiting. */
static int check_promise(const struct node_state *state, const struct node_policy *policy,
			 const struct node_assignment *assignment, struct err *err)
{
	const struct node_job *waits[NODE_DEVICES + 1] = {NULL}; /* by best device; the last: any */

	if (policy->promise == PROMISE_NONE)
		return 0;
	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at], best = NODE_DEVICES;
		const struct node_job *job = &state->jobs[slot];

		if (job->phase != NODE_WAITING || job->assigned != 0)
			continue;
		if (policy->promise == PROMISE_FIFO_PER_DEVICE)
			best = node_best_device(state, job);
		if (best < 0)
			continue;
		if (assignment->devices[slot] == 0) {
			waits[best] = waits[best] == NULL ? job : waits[best];
		} else if (waits[best] != NULL) {
			return err_set(err,
				       "%s starts job %" PRId64 " before job %" PRId64
				       ", which came earlier",
				       policy->entry.name, job->id, waits[best]->id);
		}
	}
	return 0;
}

int node_check_decision(const struct node_state *state, const struct node_policy *policy,
			const struct node_assignment *assignment, struct err *err)
{
	uint32_t all = (UINT32_C(1) << state->ndevices) - 1, given = 0;

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		const struct node_job *job = &state->jobs[slot];
		uint32_t set = assignment->devices[slot];

		if ((set & ~(all & node_able(&job->profile))) != 0)
			return err_set(err,
				       "%s gives job %" PRId64 " a device that it can't run on",
				       policy->entry.name, job->id);
		if ((set & given) != 0)
			return err_set(err, "%s gives %s to two jobs, one of them job %" PRId64,
				       policy->entry.name, state->devices[lowest(set & given)].name,
				       job->id);
		if (set == 0 && job->phase != NODE_WAITING)
			return err_set(err, "%s takes all devices from job %" PRId64,
				       policy->entry.name, job->id);
		if (job->phase != NODE_WAITING && job->left == 0 &&
		    (set & ~(job->runs_on | job->assigned)) != 0)
			return err_set(
				err, "%s gives %s to job %" PRId64 ", whose slices are all taken",
				policy->entry.name,
				state->devices[lowest(set & ~(job->runs_on | job->assigned))].name,
				job->id);
		if (state->rules.max_devices > 0 && node_count(set) > state->rules.max_devices)
			return err_set(
				err, "%s gives job %" PRId64 " %d devices, at most %d are allowed",
				policy->entry.name, job->id, node_count(set),
				(int)state->rules.max_devices);
		given |= set;
	}
	return check_promise(state, policy, assignment, err);
}

int node_decide(struct node_state *state, const struct node_policy *policy, struct err *err)
{
	struct node_assignment assignment;

	if (node_check_state(state, err) != 0)
		return -1;
	for (int at = 0; at < state->njobs; at++)
		assignment.devices[state->order[at]] = state->jobs[state->order[at]].assigned;
	policy->decide(state, &assignment);
	if (node_check_decision(state, policy, &assignment, err) != 0)
		return -1;
	for (int d = 0; d < state->ndevices; d++)
		state->assigned_to[d] = -1;
	for (int at = 0; at < state->njobs; at++) {
		struct node_job *job = &state->jobs[state->order[at]];

		job->assigned = assignment.devices[state->order[at]];
		for (uint32_t rest = job->assigned; rest != 0; rest &= rest - 1)
			state->assigned_to[lowest(rest)] = job->id;
	}
	return node_check_state(state, err);
}
