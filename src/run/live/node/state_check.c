/* state_check.c - whether what a state's file says can be */
#include <string.h>

#include "cosched/policy/node_check.h"
#include "cosched/state/set_time.h"
#include "live/node/state_priv.h"

static bool has_end(const char *text, size_t n)
{
	return memchr(text, '\0', n) != NULL;
}

static bool is_sound(const struct live_copy *copy, int slot)
{
	const struct node_job *job = &copy->state.jobs[slot];

	return job->phase <= NODE_SWITCHING && job->kernel >= -1 &&
	       job->kernel < copy->state.nkernels && node_profile_is_sound(&job->profile) &&
	       has_end(copy->jobs[slot], sizeof(copy->jobs[slot]));
}

int state_check_copy(const struct live_copy *copy, struct err *err)
{
	const struct node_state *state = &copy->state;

	if (node_check_state(state, err) != 0)
		return -1;
	if (!has_end(state->rules.policy, sizeof(state->rules.policy)))
		return err_set(err, "the policy's name has no end");
	for (int d = 0; d < state->ndevices; d++)
		if (!has_end(state->devices[d].name, sizeof(state->devices[d].name)) ||
		    state->devices[d].open_ns < 0 || state->devices[d].close_ns < 0)
			return err_set(err, "device %d", d);
	for (int k = 0; k < state->nkernels; k++)
		if (!has_end(state->kernels[k].name, sizeof(state->kernels[k].name)))
			return err_set(err, "kernel %d", k);
	for (int at = 0; at < state->njobs; at++)
		if (!is_sound(copy, state->order[at]))
			return err_set(err, "job %lld",
				       (long long)state->jobs[state->order[at]].id);
	return 0;
}
