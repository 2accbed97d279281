/* choice.c - what policies share: the best set of some devices, and their passes over the jobs */
#include "cosched/policy/choice.h"

#include <math.h>

#include "cosched/state/set_time.h"

enum { FULL_SEARCH = 8 };

typedef int64_t set_time(const struct node_state *state, const struct node_job *job, uint32_t set);

static int64_t profiled_slice_ns(const struct node_state *state, const struct node_job *job,
				 int device)
{
	(void)state;
	return job->profile.slice_ns[device];
}

const struct choice_times choice_profiled = {node_set_ns, node_set_ns, profiled_slice_ns};

/* A search for the best set of a job. */
struct search {
	const struct choice *choice;
	const struct node_job *job;
	set_time *time;
	int max;
	uint32_t best;
	int64_t ns;
};

/* Keeps the better of two sets. */
static void keep_best(struct search *search, uint32_t set)
{
	int64_t ns = search->time(search->choice->state, search->job, set);

	if (ns == NODE_NEVER || (search->best != 0 && ns > search->ns))
		return;
	if (search->best == 0 || ns < search->ns || node_count(set) < node_count(search->best) ||
	    (node_count(set) == node_count(search->best) && set < search->best)) {
		search->best = set;
		search->ns = ns;
	}
}

static void try_by_rate(struct search *search, uint32_t devices)
{
	const struct node_state *state = search->choice->state;
	const struct node_profile *profile = &search->job->profile;
	uint32_t set = 0;

	for (uint32_t rest = devices; rest != 0; rest &= rest - 1)
		keep_best(search, rest & -rest);
	for (int n = 1; n <= search->max && devices != 0; n++) {
		int fastest = __builtin_ctz(devices);
		int64_t fastest_ns = NODE_NEVER;

		for (uint32_t rest = devices; rest != 0; rest &= rest - 1) {
			int d = __builtin_ctz(rest);
			int64_t ns = search->choice->times->slice_ns(state, search->job, d);

			if (ns < fastest_ns) {
				fastest = d;
				fastest_ns = ns;
			}
		}
		set |= UINT32_C(1) << fastest;
		devices &= ~(UINT32_C(1) << fastest);
		keep_best(search, set);
	}
	devices |= set;
	for (int i = 0; i < profile->nmeasured; i++)
		if ((profile->measured[i].devices & ~devices) == 0 &&
		    node_count(profile->measured[i].devices) <= search->max)
			keep_best(search, profile->measured[i].devices);
}

static uint32_t best_set(const struct choice *choice, int slot, set_time *time, uint32_t devices,
			 int64_t *ns)
{
	int max = choice->state->rules.max_devices;
	struct search search = {.choice = choice,
				.job = &choice->state->jobs[slot],
				.time = time,
				.max = max <= 0 ? NODE_DEVICES : max,
				.ns = NODE_NEVER};

	devices &= node_able(&search.job->profile);
	if (node_count(devices) > FULL_SEARCH)
		try_by_rate(&search, devices);
	else
		for (uint32_t set = devices; set != 0; set = (set - 1) & devices)
			if (node_count(set) <= search.max)
				keep_best(&search, set);
	*ns = search.ns;
	return search.best;
}

uint32_t choice_of_free(const struct choice *choice, int slot, int64_t *ns)
{
	return best_set(choice, slot, choice->times->whole_ns, choice->free, ns);
}

int64_t choice_best_ns(const struct choice *choice, int slot)
{
	int64_t best_ns = NODE_NEVER;

	for (int d = 0; d < choice->state->ndevices; d++) {
		int64_t ns = choice->times->whole_ns(choice->state, &choice->state->jobs[slot],
						     UINT32_C(1) << d);

		best_ns = ns < best_ns ? ns : best_ns;
	}
	return best_ns;
}

bool choice_may_start(const struct choice *choice, int slot, int64_t ns)
{
	int64_t best_ns = choice_best_ns(choice, slot);

	return best_ns != NODE_NEVER &&
	       (__int128)ns * 1000 <= (__int128)best_ns * choice->state->rules.start_limit_milli;
}

/* ns is less than from_ns by more than rules.gain. */
static bool gains(const struct node_state *state, int64_t ns, int64_t from_ns)
{
	return (__int128)ns * 1000000 < (__int128)from_ns * (1000000 - state->rules.gain_ppm);
}

/* The union of what jobs other than this one are given. */
static uint32_t others(const struct choice *choice, int slot)
{
	uint32_t assigned = 0;

	for (int at = 0; at < choice->state->njobs; at++)
		if (choice->state->order[at] != slot)
			assigned |= choice->assignment->devices[choice->state->order[at]];
	return assigned;
}

struct choice choice_begin(const struct node_state *state, const struct choice_times *times,
			   struct node_assignment *assignment)
{
	struct choice choice = {
		.state = state, .times = times, .assignment = assignment, .free = node_free(state)};

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
	uint32_t *assigned = &choice->assignment->devices[slot];

	for (uint32_t rest = *assigned; rest != 0; rest &= rest - 1)
		if (choice->state->held_by[__builtin_ctz(rest)] == -1)
			choice->free |= rest & -rest;
	choice->free &= ~set;
	*assigned = set;
}

/* What a job may choose from: what it holds or was given, and what is free. */
static uint32_t devices_of(const struct choice *choice, int slot)
{
	const struct node_job *job = &choice->state->jobs[slot];

	return (job->held & ~others(choice, slot)) | choice->assignment->devices[slot] |
	       choice->free;
}

void choice_improve(struct choice *choice, unsigned phases)
{
	const struct node_state *state = choice->state;
	set_time *time = choice->times->rest_ns;

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		const struct node_job *job = &state->jobs[slot];
		uint32_t now = choice->assignment->devices[slot], best;
		int64_t ns;

		if (now == 0 || job->left == 0 || (phases >> job->phase & 1) == 0)
			continue;
		best = best_set(choice, slot, time, devices_of(choice, slot), &ns);
		if (best != 0 && best != now && gains(state, ns, time(state, job, now)))
			choice_give(choice, slot, best);
	}
}

int choice_start(struct choice *choice)
{
	const struct node_state *state = choice->state;

	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		uint32_t best;
		int64_t ns;

		if (state->jobs[slot].phase != NODE_WAITING ||
		    choice->assignment->devices[slot] != 0)
			continue;
		best = choice_of_free(choice, slot, &ns);
		if (best == 0 || !choice_may_start(choice, slot, ns))
			return slot;
		choice_give(choice, slot, best);
	}
	return -1;
}

/* The job with most devices, the latest of such, gives up the one that it misses least. */
void choice_contract(struct choice *choice, int head)
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
		ns = choice->times->whole_ns(state, &state->jobs[giver], set & ~(rest & -rest));
		if (ns < least_ns) {
			least = __builtin_ctz(rest);
			least_ns = ns;
		}
	}
	if (least < 0)
		return;
	ns = choice->times->whole_ns(state, &state->jobs[head], UINT32_C(1) << least);
	if (ns == NODE_NEVER || !choice_may_start(choice, head, ns))
		return;
	choice_give(choice, giver, set & ~(UINT32_C(1) << least));
	choice_give(choice, head, UINT32_C(1) << least);
}

void choice_passes(const struct node_state *state, const struct choice_times *times,
		   struct node_assignment *assignment)
{
	struct choice choice = choice_begin(state, times, assignment);
	int head;

	if (state->rules.queue_first) {
		head = choice_start(&choice);
		choice_improve(&choice, CHOICE_ALL_PHASES);
	} else {
		choice_improve(&choice, CHOICE_ALL_PHASES);
		head = choice_start(&choice);
	}
	if (head >= 0 && state->rules.contract)
		choice_contract(&choice, head);
}

void choice_greedy(const struct node_state *state, struct node_assignment *assignment)
{
	choice_passes(state, &choice_profiled, assignment);
}

void choice_set(const struct pick *pick, struct node_rules *rules)
{
	rules->start_limit_milli = llround(pick_real(pick, "start-limit") * 1000);
	rules->gain_ppm = llround(pick_real(pick, "gain") * 1000000);
	rules->queue_first = pick_is(pick, "first", "queue");
}

void choice_set_all(const struct pick *pick, struct node_rules *rules)
{
	choice_set(pick, rules);
	rules->contract = pick_is(pick, "contract", "arrival");
	rules->max_devices = (int32_t)pick_int(pick, "max");
}
