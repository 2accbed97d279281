/* state.c - the state of one node: jobs come, take devices, release them, and go */
#include "cosched/state/state.h"

#include <string.h>

#include "cosched/state/set_time.h"

void node_state_init(struct node_state *state, int ndevices)
{
	state->now_ns = 0;
	state->narrived = 0;
	state->ndevices = ndevices;
	state->njobs = 0;
	state->nkernels = 0;
	state->unused = 0;
	memset(state->devices, 0, sizeof(state->devices));
	memset(&state->rules, 0, sizeof(state->rules));
	memset(state->used, 0, sizeof(state->used));
	for (int d = 0; d < NODE_DEVICES; d++)
		state->assigned_to[d] = state->held_by[d] = -1;
}

static int free_slot(const struct node_state *state)
{
	for (int word = 0; word < NODE_JOBS / 64; word++)
		if (state->used[word] != UINT64_MAX)
			return word * 64 + __builtin_ctzll(~state->used[word]);
	return -1;
}

/* Whether a goes before b: the higher priority, the earlier arrival, the lower id. */
static bool goes_before(const struct node_job *a, const struct node_job *b)
{
	if (a->priority != b->priority)
		return a->priority > b->priority;
	if (a->arrival_ns != b->arrival_ns)
		return a->arrival_ns < b->arrival_ns;
	return a->id < b->id;
}

int node_arrive(struct node_state *state, const struct node_job *job)
{
	int slot = free_slot(state), at;
	struct node_job *mine;

	if (slot < 0)
		return -1;
	mine = &state->jobs[slot];
	*mine = *job;
	if (job->id < 0)
		mine->id = state->narrived;
	state->narrived++;
	mine->left = mine->profile.slices * mine->profile.launches;
	mine->start_ns = NODE_NEVER;
	mine->phase = NODE_WAITING;
	mine->held = mine->assigned = mine->runs_on = 0;
	node_profile_finish(&mine->profile, state->ndevices);
	state->used[slot / 64] |= UINT64_C(1) << slot % 64;
	for (at = state->njobs; at > 0 && goes_before(mine, &state->jobs[state->order[at - 1]]);
	     at--)
		state->order[at] = state->order[at - 1];
	state->order[at] = (uint16_t)slot;
	state->njobs++;
	return slot;
}

int node_kernel_find(struct node_state *state, const char *name)
{
	struct node_kernel *kernel;

	for (int i = 0; i < state->nkernels; i++)
		if (strncmp(state->kernels[i].name, name, sizeof(state->kernels[i].name) - 1) == 0)
			return i;
	if (state->nkernels == NODE_KERNELS)
		return -1;
	kernel = &state->kernels[state->nkernels];
	memset(kernel, 0, sizeof(*kernel));
	memcpy(kernel->name, name, strnlen(name, sizeof(kernel->name) - 1));
	return state->nkernels++;
}

uint32_t node_free(const struct node_state *state)
{
	uint32_t taken = 0;

	for (int at = 0; at < state->njobs; at++) {
		const struct node_job *job = &state->jobs[state->order[at]];

		taken |= job->held | job->assigned;
	}
	return ~taken & ((UINT32_C(1) << state->ndevices) - 1);
}

bool node_may_take(const struct node_state *state, int slot)
{
	const struct node_job *job = &state->jobs[slot];

	if (job->assigned == 0 || job->assigned == job->runs_on)
		return false;
	for (int d = 0; d < state->ndevices; d++)
		if ((job->assigned >> d & 1) != 0 && state->held_by[d] != -1 &&
		    state->held_by[d] != job->id)
			return false;
	return true;
}

void node_take(struct node_state *state, int slot)
{
	struct node_job *job = &state->jobs[slot];

	for (int d = 0; d < state->ndevices; d++)
		if ((job->assigned >> d & 1) != 0 && state->assigned_to[d] == job->id)
			state->held_by[d] = job->id;
	job->held |= job->assigned;
	job->runs_on = job->assigned;
	if (job->phase == NODE_WAITING) {
		job->start_ns = state->now_ns;
		job->phase = NODE_INIT;
	} else {
		job->phase = NODE_RUNNING;
	}
}

bool node_is_changed(const struct node_state *state, int slot)
{
	const struct node_job *job = &state->jobs[slot];

	return job->phase == NODE_RUNNING && job->left > 0 && job->assigned != job->runs_on;
}

void node_release(struct node_state *state, int slot, uint32_t devices)
{
	struct node_job *job = &state->jobs[slot];

	for (int d = 0; d < state->ndevices; d++)
		if ((devices & job->held) >> d & 1)
			state->held_by[d] = -1;
	job->held &= ~devices;
	job->runs_on &= ~devices;
}

void node_complete(struct node_state *state, int slot)
{
	struct node_job *job = &state->jobs[slot];
	int at = 0;

	for (int d = 0; d < state->ndevices; d++) {
		if (job->held >> d & 1)
			state->held_by[d] = -1;
		if (state->assigned_to[d] == job->id)
			state->assigned_to[d] = -1;
	}
	while (state->order[at] != slot)
		at++;
	state->njobs--;
	memmove(&state->order[at], &state->order[at + 1],
		(size_t)(state->njobs - at) * sizeof(state->order[0]));
	state->used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
}

void node_observe(struct node_state *state, int slot, int device, int64_t nslices, int64_t ns)
{
	struct node_job *job = &state->jobs[slot];
	int64_t *known;

	if (job->kernel < 0)
		return;
	known = &state->kernels[job->kernel].slice_ns[device];
	if (*known == 0)
		*known = ns;
	/* known ← known + alpha · (ns − known), once for each slice until nothing changes */
	for (int64_t i = 0; i < nslices && *known != ns; i++) {
		int64_t step =
			(int64_t)((__int128)(ns - *known) * state->rules.alpha_ppm / 1000000);

		if (step == 0)
			break;
		*known += step;
	}
}
