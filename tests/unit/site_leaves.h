/* site_leaves.h - what jobs want of leaf switches, tried by all sets of them */
#ifndef TESTS_SITE_LEAVES_H
#define TESTS_SITE_LEAVES_H

#include "site_state.h"

/* Whether a job waits no longer for few leaf switches. */
static inline bool takes_any(const struct state *state, int job, int time)
{
	const struct ask *ask = &state->asks[job];
	int64_t come = state->jobs[job].submit_ns;

	return ask->few == 0 || ask->wait == 0 ||
	       (ask->wait > 0 && come != JOB_NO_TIME && time >= come + ask->wait);
}

/* What is wrong with the leaf switches of a job; NULL: nothing. *is_few: it has as few as
 * it wants. */
static inline const char *switches_fault(const struct state *state, int job, bool *is_few)
{
	const struct ask *ask = &state->asks[job];
	int n = 0;

	for (int i = 0; i < ask->nnodes; i++) {
		bool is_new = true;

		for (int k = 0; k < i; k++)
			is_new &= state->topo->router_of[ask->nodes[k]] !=
				  state->topo->router_of[ask->nodes[i]];
		n += is_new;
	}
	*is_few = ask->few > 0 && n <= ask->few && ask->nnodes > 1;
	return n > ask->few && !takes_any(state, job, ask->start)
		       ? "it has not waited for few leaf switches"
		       : NULL;
}

/* The most of these nodes that any so many leaf switches have. */
static inline int most_on(const struct state *state, const bool *is_there, int few)
{
	int best = 0;

	for (unsigned set = 0; set < 1U << state->topo->nrouters; set++) {
		int n = 0;

		for (int node = 0; node < state->nnodes; node++)
			n += is_there[node] && (set >> state->topo->router_of[node] & 1) != 0;
		if (__builtin_popcount(set) <= few && n > best)
			best = n;
	}
	return best;
}

/* Whether a job has a node of a leaf switch. */
static inline bool is_on(const struct state *state, int job, int router)
{
	const struct ask *ask = &state->asks[job];

	for (int k = 0; ask->is_placed && k < ask->nnodes; k++)
		if (state->topo->router_of[ask->nodes[k]] == router)
			return true;
	return false;
}

static inline bool is_held_by_others(const struct state *state, int router)
{
	for (int n = 0; n < state->nnodes; n++)
		if (state->topo->router_of[n] == router && state->nodes[n].is_busy &&
		    !state->nodes[n].is_booked)
			return true;
	return false;
}

/* Likewise, of jobs that have theirs alone. */
static inline const char *alone_fault(const struct state *state, int job)
{
	const struct ask *ask = &state->asks[job];

	for (int r = 0; r < state->topo->nrouters; r++) {
		if (!is_on(state, job, r))
			continue;
		if (ask->is_alone && is_held_by_others(state, r))
			return "others are on the leaf switches that it has alone";
		for (int i = 0; i < state->njobs; i++) {
			const struct ask *other = &state->asks[i];

			if (i != job && (ask->is_alone || other->is_alone) && is_on(state, i, r) &&
			    other->start < ask->end && ask->start < other->end)
				return "a leaf switch that one has alone is shared";
		}
	}
	return NULL;
}

/* Whether a node is shut by who has its leaf switch alone, or to one who wants it so. */
static inline bool is_shut(const struct state *state, int job, int node, bool is_empty)
{
	int router = state->topo->router_of[node];

	if (state->asks[job].is_alone && is_held_by_others(state, router))
		return true;
	for (int i = 0; i < job && !is_empty; i++)
		if ((state->asks[job].is_alone || state->asks[i].is_alone) &&
		    is_on(state, i, router))
			return true;
	return false;
}

#endif
