/* online.c - elastic without profiles: speeds are estimated from slices that have ended */
#include <math.h>

#include "cosched/policy/choice.h"
#include "cosched/state/set_time.h"

/* What a slice is taken to last: what its kernel's slices took there; on a device that none has run
 * on as long as on the fastest that is known, so that it is tried; 1 where nothing is known. */
static int64_t slice_ns(const struct node_state *state, const struct node_job *job, int device)
{
	const int64_t *known;
	int64_t fastest = NODE_NEVER;

	if (job->kernel < 0)
		return 1;
	known = state->kernels[job->kernel].slice_ns;
	if (known[device] > 0)
		return known[device];
	for (int d = 0; d < state->ndevices; d++)
		if (known[d] > 0 && known[d] < fastest)
			fastest = known[d];
	return fastest == NODE_NEVER ? 1 : fastest;
}

static int64_t set_ns(const struct node_state *state, const struct node_job *job, uint32_t set)
{
	struct node_profile known = {.slices = job->profile.slices,
				     .launches = job->profile.launches};

	for (uint32_t rest = set & node_able(&job->profile); rest != 0; rest &= rest - 1)
		known.slice_ns[__builtin_ctz(rest)] = slice_ns(state, job, __builtin_ctz(rest));
	return node_profile_ns(&known, set);
}

static const struct choice_times times = {set_ns, set_ns, slice_ns};

static void decide(const struct node_state *state, struct node_assignment *assignment)
{
	choice_passes(state, &times, assignment);
}

static void set(const struct pick *pick, struct node_rules *rules)
{
	choice_set_all(pick, rules);
	rules->alpha_ppm = llround(pick_real(pick, "alpha") * 1e6);
}

const struct node_policy node_policy_online = {
	.entry =
		{
			.name = "online",
			.example = "online:alpha=0.2",
			.summary = "as elastic, but jobs bring no times: they are estimated from "
				   "slices of the same kernel that have ended",
			.paper = "Khetawat, dissertation, §4.5.2, future work 3",
			.params =
				(const struct param[]){
					{.key = "alpha",
					 .type = PARAM_REAL,
					 .min = 0.000001,
					 .max = 1,
					 .def = "0.5",
					 .meaning =
						 "weight of each slice that ends in the estimate"},
					CHOICE_MAX("0"),
					CHOICE_START_LIMIT,
					CHOICE_GAIN,
					CHOICE_FIRST,
					CHOICE_CONTRACT,
					{0}},
		},
	.promise = PROMISE_FIFO,
	.learns = true,
	.set = set,
	.decide = decide,
};
