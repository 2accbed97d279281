/* choice.c - what policies share: the best set of some devices, and the passes of the greedy ones
 */
#include "cosched/policy/choice.h"

#include <math.h>

#include "cosched/state/set_time.h"

enum { FULL_SEARCH = 8 };

/* Keeps the better of two sets. */
static void keep_best(const struct node_state *state, const struct node_job *job, uint32_t set,
		      uint32_t *best, int64_t *ns)
{
	int64_t set_ns = node_set_ns(state, job, set);

	if (set_ns == NODE_NEVER || (*best != 0 && set_ns > *ns))
		return;
	if (*best == 0 || set_ns < *ns || node_count(set) < node_count(*best) ||
	    (node_count(set) == node_count(*best) && set < *best)) {
		*best = set;
		*ns = set_ns;
	}
}

static uint32_t best_by_rate(const struct node_state *state, const struct node_job *job,
			     uint32_t devices, int max, int64_t *ns)
{
	uint32_t best = 0, set = 0;

	for (int n = 1; n <= max && devices != 0; n++) {
		int fastest = __builtin_ctz(devices);

		for (uint32_t rest = devices; rest != 0; rest &= rest - 1) {
			int d = __builtin_ctz(rest);

			if (job->profile.slice_ns[d] < job->profile.slice_ns[fastest])
				fastest = d;
		}
		set |= UINT32_C(1) << fastest;
		devices &= ~(UINT32_C(1) << fastest);
		keep_best(state, job, set, &best, ns);
	}
	devices |= set;
	for (int i = 0; i < job->profile.nmeasured; i++) {
		set = job->profile.measured[i].devices;
		if ((set & ~devices) == 0 && node_count(set) <= max)
			keep_best(state, job, set, &best, ns);
	}
	return best;
}

uint32_t choice_best(const struct node_state *state, const struct node_job *job, uint32_t devices,
		     int max, int64_t *ns)
{
	uint32_t best = 0;

	devices &= node_able(&job->profile);
	max = max <= 0 ? NODE_DEVICES : max;
	*ns = NODE_NEVER;
	if (node_count(devices) > FULL_SEARCH)
		return best_by_rate(state, job, devices, max, ns);
	for (uint32_t set = devices; set != 0; set = (set - 1) & devices)
		if (node_count(set) <= max)
			keep_best(state, job, set, &best, ns);
	return best;
}

bool choice_may_start(const struct node_state *state, const struct node_job *job, int64_t ns)
{
	int best = node_best_device(state, job);

	return best >= 0 &&
	       (__int128)ns * 1000 <= (__int128)node_set_ns(state, job, UINT32_C(1) << best) *
					      state->rules.start_limit_milli;
}

bool choice_gains(const struct node_state *state, int64_t ns, int64_t from_ns)
{
	return (__int128)ns * 1000000 < (__int128)from_ns * (1000000 - state->rules.gain_ppm);
}

/* The union of what jobs other than this one are given. */
static uint32_t others(const struct choice *choice, int slot)
{
	uint32_t given = 0;

	for (int at = 0; at < choice->state->njobs; at++)
		if (choice->state->order[at] != slot)
			given |= choice->assignment->devices[choice->state->order[at]];
	return given;
}

struct choice choice_begin(const struct node_state *state, struct node_assignment *assignment)
{
	struct choice choice = {state, assignment, node_free(state)};

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		const struct node_job *job = &state->jobs[slot];

		if (job->runs_on != 0 && job->left == 0 && (job->assigned & ~job->runs_on) != 0 &&
		    (job->runs_on & ~others(&choice, slot)) != 0)
			choice_give(&choice, slot, job->runs_on & ~others(&choice, slot));
	}
	return choice;
}

void choice_give(struct choice *choice, int slot, uint32_t set)
{
	uint32_t *given = &choice->assignment->devices[slot];

	choice->free |= *given & ~choice->state->jobs[slot].held;
	choice->free &= ~set;
	*given = set;
}

uint32_t choice_devices(const struct choice *choice, int slot)
{
	const struct node_job *job = &choice->state->jobs[slot];

	return (job->held & ~others(choice, slot)) | choice->assignment->devices[slot] |
	       choice->free;
}

/* Jobs that have devices move to a set that is better by the gain. */
static void improve(struct choice *choice)
{
	const struct node_state *state = choice->state;

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		const struct node_job *job = &state->jobs[slot];
		uint32_t now = choice->assignment->devices[slot], best;
		int64_t ns;

		if (now == 0 || job->left == 0)
			continue;
		best = choice_best(state, job, choice_devices(choice, slot),
				   state->rules.max_devices, &ns);
		if (best != 0 && best != now &&
		    choice_gains(state, ns, node_set_ns(state, job, now)))
			choice_give(choice, slot, best);
	}
}

/* Waiting jobs start, in order, until one can't: its slot, or -1. */
static int start(struct choice *choice)
{
	const struct node_state *state = choice->state;

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		const struct node_job *job = &state->jobs[slot];
		uint32_t best;
		int64_t ns;

		if (job->phase != NODE_WAITING || choice->assignment->devices[slot] != 0)
			continue;
		best = choice_best(state, job, choice->free, state->rules.max_devices, &ns);
		if (best == 0 || !choice_may_start(state, job, ns))
			return slot;
		choice_give(choice, slot, best);
	}
	return -1;
}

/* The job with most devices, the latest of such, gives the head the one that it misses least. */
static void contract(struct choice *choice, int head)
{
	const struct node_state *state = choice->state;
	int giver = -1, most = 1, least = -1;
	int64_t least_ns = NODE_NEVER, ns;
	uint32_t set;

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		const struct node_job *job = &state->jobs[slot];

		if (job->phase != NODE_WAITING && job->left > 0 &&
		    node_count(choice->assignment->devices[slot]) >= (most > 1 ? most : 2)) {
			giver = slot;
			most = node_count(choice->assignment->devices[slot]);
		}
	}
	if (giver < 0)
		return;
	set = choice->assignment->devices[giver];
	for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
		ns = node_set_ns(state, &state->jobs[giver], set & ~(rest & -rest));
		if (ns < least_ns) {
			least = __builtin_ctz(rest);
			least_ns = ns;
		}
	}
	if (least < 0)
		return;
	ns = node_set_ns(state, &state->jobs[head], UINT32_C(1) << least);
	if (ns == NODE_NEVER || !choice_may_start(state, &state->jobs[head], ns))
		return;
	choice_give(choice, giver, set & ~(UINT32_C(1) << least));
	choice_give(choice, head, UINT32_C(1) << least);
}

void choice_greedy(const struct node_state *state, struct node_assignment *assignment)
{
	struct choice choice = choice_begin(state, assignment);
	int head;

	if (state->rules.queue_first) {
		head = start(&choice);
		improve(&choice);
	} else {
		improve(&choice);
		head = start(&choice);
	}
	if (head >= 0 && state->rules.contract)
		contract(&choice, head);
}

void choice_set(const struct pick *pick, struct node_rules *rules)
{
	rules->start_limit_milli = llround(pick_real(pick, "start-limit") * 1000);
	rules->gain_ppm = llround(pick_real(pick, "gain") * 1000000);
	rules->queue_first = pick_is(pick, "first", "queue");
}
