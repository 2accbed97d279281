/* baseline.c - each job on its best device alone */
#include "cosched/policy/choice.h"
#include "cosched/state/set_time.h"

static void set(const struct pick *pick, struct node_rules *rules)
{
	(void)pick;
	rules->max_devices = 1;
}

static void decide(const struct node_state *state, struct node_assignment *assignment)
{
	uint32_t free = node_free(state);

	for (int at = 0; at < state->njobs && free != 0; at++) {
		int slot = state->order[at], best;
		const struct node_job *job = &state->jobs[slot];

		if (job->phase != NODE_WAITING || job->assigned != 0)
			continue;
		best = node_best_device(state, job);
		if (best < 0 || (free >> best & 1) == 0)
			continue;
		assignment->devices[slot] = UINT32_C(1) << best;
		free &= ~assignment->devices[slot];
	}
}

const struct node_policy node_policy_baseline = {
	.entry =
		{
			.name = "baseline",
			.example = "baseline",
			.summary = "each job waits for the device that is best for it; "
				   "first come, first served per device",
			.paper = "Khetawat, dissertation, §4.3.3",
		},
	.promise = PROMISE_FIFO_PER_DEVICE,
	.set = set,
	.decide = decide,
};
