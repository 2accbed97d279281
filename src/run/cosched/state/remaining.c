/* remaining.c - how long the rest of a job takes, if it stays or if it moves */
#include "cosched/state/remaining.h"

#include "cosched/state/bag.h"
#include "cosched/state/set_time.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* When the slices that are left have ended; ready_ns by device. */
static int64_t deal_rest(const struct node_profile *profile, int64_t left, uint32_t set,
			 const int64_t *ready_ns)
{
	int64_t first = (left - 1) % profile->slices + 1;
	int64_t launches = (left - 1) / profile->slices, end = 0, last_ready = 0;
	struct bag bag = {0};
	int device_of[NODE_DEVICES];

	if (left <= 0)
		return 0;
	for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		device_of[bag.n] = d;
		bag.slice_ns[bag.n++] = node_slice_ns(profile, set, d);
		last_ready = later(last_ready, ready_ns[d]);
	}
	for (int64_t launch = 0; launch <= launches; launch++) {
		bag.slices = launch == 0 ? first : profile->slices;
		for (int i = 0; i < bag.n; i++)
			bag.ready_ns[i] = later(ready_ns[device_of[i]], end);
		if (end < last_ready || launch == 0) {
			end = bag_deal(&bag);
			continue;
		}
		/* All devices are ready: the launches that are left are alike. */
		end += (bag_deal(&bag) - end) * (launches - launch + 1);
		break;
	}
	return later(end, last_ready);
}

/* The longest time that one of the devices takes to copy out and close. */
static int64_t closing_ns(const struct node_state *state, const struct node_job *job, uint32_t set)
{
	int64_t longest = 0;

	for (uint32_t rest = set; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		longest = later(longest, job->profile.copy_out_ns[d] + state->devices[d].close_ns);
	}
	return longest;
}

static int64_t opening_ns(const struct node_state *state, const struct node_job *job, int d)
{
	return state->devices[d].open_ns + job->profile.copy_in_ns[d];
}

/* Where a job is before it moves, or goes on. */
struct stand {
	int64_t left;
	int64_t polled_ns;              /* when it sees its new set */
	int64_t drained_ns;             /* when its devices have ended what they do */
	int64_t ready_ns[NODE_DEVICES]; /* by device of the set that it runs on */
};

/* It initialises, opens, and each of its devices that is ready by the first end of a slice has
 * started one. */
static struct stand stand_in_init(const struct node_state *state, const struct node_job *job)
{
	struct stand stand = {.left = job->left, .polled_ns = NODE_NEVER};
	int64_t init_end_ns = job->init_ns > 0 ? job->start_ns + job->init_ns : job->start_ns;
	int64_t wait_ns = later(init_end_ns - state->now_ns, 0), slice_ns;

	for (uint32_t rest = job->runs_on; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		stand.ready_ns[d] = wait_ns + opening_ns(state, job, d);
		slice_ns = node_slice_ns(&job->profile, job->runs_on, d);
		if (stand.ready_ns[d] + slice_ns < stand.polled_ns)
			stand.polled_ns = stand.ready_ns[d] + slice_ns;
	}
	return stand;
}

static void drain_after_init(struct stand *stand, const struct node_job *job)
{
	for (uint32_t rest = job->runs_on; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);
		bool has_slice = stand->ready_ns[d] < stand->polled_ns && stand->left > 0;

		if (has_slice) {
			stand->ready_ns[d] += node_slice_ns(&job->profile, job->runs_on, d);
			stand->left--;
		}
		stand->drained_ns = later(stand->drained_ns, stand->ready_ns[d]);
	}
}

static struct stand stand_running(const struct node_job *job)
{
	struct stand stand = {.left = job->left};

	for (uint32_t rest = job->runs_on; rest != 0; rest &= rest - 1)
		stand.drained_ns =
			later(stand.drained_ns,
			      node_slice_ns(&job->profile, job->runs_on, __builtin_ctz(rest)));
	return stand;
}

int64_t node_remaining_ns(const struct node_state *state, const struct node_job *job, uint32_t set)
{
	struct stand stand = {.left = job->left};
	uint32_t going = job->runs_on & ~set, kept = 0;
	int64_t gone_ns;

	if (set == 0 || (set & ~node_able(&job->profile)) != 0)
		return NODE_NEVER;
	if (job->phase == NODE_WAITING)
		return node_set_ns(state, job, set);
	if (job->phase == NODE_INIT)
		stand = stand_in_init(state, job);
	else if (job->phase == NODE_RUNNING && set != job->runs_on)
		stand = stand_running(job);
	if (job->phase == NODE_SWITCHING || set == job->runs_on) {
		for (uint32_t rest = set; rest != 0 && job->phase == NODE_SWITCHING;
		     rest &= rest - 1)
			stand.ready_ns[__builtin_ctz(rest)] =
				opening_ns(state, job, __builtin_ctz(rest));
		return deal_rest(&job->profile, stand.left, set, stand.ready_ns) +
		       closing_ns(state, job, set);
	}
	if (job->phase == NODE_INIT)
		drain_after_init(&stand, job);
	if (state->rules.release_changed)
		kept = job->runs_on & set;
	else
		going = job->runs_on;
	gone_ns = stand.drained_ns + closing_ns(state, job, going);
	for (uint32_t rest = set & ~kept; rest != 0; rest &= rest - 1) {
		int d = __builtin_ctz(rest);

		stand.ready_ns[d] = opening_ns(state, job, d) +
				    (state->rules.release_changed ? stand.polled_ns : gone_ns);
	}
	return later(deal_rest(&job->profile, stand.left, set, stand.ready_ns), gone_ns) +
	       closing_ns(state, job, set);
}
