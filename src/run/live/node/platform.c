/* platform.c - the library of four calls with which a program shares a node's devices */
#include "live/node/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cosched/state/set_time.h"
#include "live/node/state_file.h"

/* How long a waiter sleeps before it looks for holders that have died. */
static const int64_t look_ns = 20000000;
/* How long a running job continues before it looks again. */
static const int64_t glance_ns = 200000000;

struct clslice_job {
	struct live_state live;
	int slot;
	int64_t id;
	uint32_t serial; /* of the state, when it was last looked at */
	uint32_t set;
	int64_t looked_ns;
};

static int say(struct clslice_message *message, const struct err *err)
{
	if (message != NULL)
		snprintf(message->text, sizeof(message->text), "%.255s", err->msg);
	return -1;
}

/* Who keeps a program waiting for more than a second. */
static void say_aloud(const char *text)
{
	fprintf(stderr, "clslice: %s\n", text);
}

static int64_t to_ns(double s)
{
	return s > 0 && s < 1e8 ? (int64_t)(s * 1e9 + 0.5) : 0;
}

static int make_job(struct node_state *state, const struct clslice_profile *profile,
		    struct node_job *job, struct err *err)
{
	struct node_profile *mine = &job->profile;

	memset(job, 0, sizeof(*job));
	job->id = -1;
	job->arrival_ns = state->now_ns;
	job->init_ns = to_ns(profile->init_s);
	job->priority = profile->priority;
	job->kernel = profile->kernel != NULL ? node_kernel_find(state, profile->kernel) : -1;
	mine->slices = profile->slices;
	mine->launches = profile->launches > 0 ? profile->launches : 1;
	for (int d = 0; d < state->ndevices; d++) {
		mine->slice_ns[d] = to_ns(profile->slice_s[d]);
		mine->copy_in_ns[d] = to_ns(profile->copy_in_s[d]);
		mine->copy_out_ns[d] = to_ns(profile->copy_out_s[d]);
	}
	if (profile->nmeasured < 0 || profile->nmeasured > CLSLICE_SETS)
		return err_set(err, "%d measured sets; expected 0 to %d", profile->nmeasured,
			       CLSLICE_SETS);
	for (int i = 0; i < profile->nmeasured; i++) {
		mine->measured[i].devices = profile->measured[i].devices;
		mine->measured[i].ns = to_ns(profile->measured[i].s);
	}
	mine->nmeasured = profile->nmeasured;
	if (!node_profile_is_sound(mine) || node_able(mine) == 0)
		return err_set(err,
			       "the profile: expected a slice of more than 0 s on one of the "
			       "node's %d devices, and at least 1 slice",
			       state->ndevices);
	return 0;
}

static void take_now(struct clslice_job *job, struct live_copy *copy)
{
	node_take(&copy->state, job->slot);
	job->set = copy->state.jobs[job->slot].runs_on;
	live_state_event(&job->live, EVENT_TAKE, job->slot, job->set);
}

static int arrive(struct clslice_job *job, const struct clslice_profile *profile, struct err *err)
{
	struct live_file *file = job->live.file;
	struct live_copy *copy;
	struct node_job mine;

	if (live_state_begin(&job->live, &copy, err) != 0)
		return -1;
	if (make_job(&copy->state, profile, &mine, err) != 0) {
		live_state_abort(&job->live);
		return -1;
	}
	job->slot = node_arrive(&copy->state, &mine);
	if (job->slot < 0) {
		live_state_abort(&job->live);
		return err_set(err, "the node has %d jobs already", NODE_JOBS);
	}
	job->id = copy->state.jobs[job->slot].id;
	copy->owners[job->slot] = job->live.self;
	memset(copy->jobs[job->slot], 0, NODE_NAME);
	if (profile->name != NULL)
		memcpy(copy->jobs[job->slot], profile->name, strnlen(profile->name, NODE_NAME - 1));
	atomic_store(&file->left[job->slot], copy->state.jobs[job->slot].left);
	atomic_store(&file->runs[job->slot], 0);
	live_state_event(&job->live, EVENT_ARRIVE, job->slot, 0);
	if (live_state_decide(&job->live, err) != 0) {
		live_state_abort(&job->live);
		return -1;
	}
	/* at once, if no job holds what it was given */
	if (node_may_take(&copy->state, job->slot))
		take_now(job, copy);
	return live_state_commit(&job->live, false, err);
}

/* Waits until it may take what it is assigned, and takes that. */
static int take(struct clslice_job *job, struct err *err)
{
	for (;;) {
		uint32_t serial = atomic_load(&job->live.file->serial);
		struct live_copy *copy;

		if (live_state_begin(&job->live, &copy, err) != 0)
			return -1;
		if (node_may_take(&copy->state, job->slot)) {
			take_now(job, copy);
			job->serial = serial;
			return live_state_commit(&job->live, false, err);
		}
		/* it has all that it is assigned: the decision was taken back */
		if (copy->state.jobs[job->slot].runs_on != 0 &&
		    copy->state.jobs[job->slot].runs_on == copy->state.jobs[job->slot].assigned) {
			copy->state.jobs[job->slot].phase = NODE_RUNNING;
			job->set = copy->state.jobs[job->slot].runs_on;
			job->serial = serial;
			return live_state_commit(&job->live, false, err);
		}
		/* a job may have died: then the decision is new */
		if (copy->nevents != state_true_copy(job->live.file)->nevents) {
			if (live_state_commit(&job->live, false, err) != 0)
				return -1;
			continue;
		}
		live_state_abort(&job->live);
		live_state_wait(&job->live, serial, look_ns);
	}
}

int getPlatformId(const struct clslice_profile *profile, struct clslice_job **job,
		  uint32_t *platform, struct clslice_message *message)
{
	struct clslice_job *mine = xcalloc(1, sizeof(*mine));
	struct err err;
	bool has_come = false, is_old = true;

	*job = NULL;
	/* a state that was created again since it was opened is opened again */
	while (is_old && !has_come && live_state_open(&mine->live, &err) == 0) {
		mine->live.notice = say_aloud;
		has_come = arrive(mine, profile, &err) == 0;
		if (has_come && (mine->set != 0 || take(mine, &err) == 0)) {
			mine->looked_ns = live_state_now(&mine->live);
			*platform = mine->set;
			*job = mine;
			return 0;
		}
		is_old = live_state_is_old(&mine->live);
		live_state_close(&mine->live);
	}
	free(mine);
	return say(message, &err);
}

/* The lock is taken only when something has changed, or now and then, for the dead. */
int pollPlatformUpdate(struct clslice_job *job, int64_t left, uint32_t *platform)
{
	struct live_file *file = job->live.file;
	uint32_t serial = atomic_load(&file->serial);
	struct live_copy *copy;
	struct err err;
	int64_t now_ns;
	bool is_changed;

	if (*job->live.mine == 0)
		return -1;
	atomic_store(&file->left[job->slot], left);
	atomic_store(&file->runs[job->slot], 1);
	now_ns = live_state_now(&job->live);
	*platform = job->set;
	if (serial == job->serial && now_ns - job->looked_ns < glance_ns)
		return 0;
	job->serial = serial;
	job->looked_ns = now_ns;
	if (live_state_begin(&job->live, &copy, &err) != 0)
		return -1;
	is_changed = node_is_changed(&copy->state, job->slot);
	*platform = is_changed ? copy->state.jobs[job->slot].assigned : job->set;
	if (copy->nevents != state_true_copy(file)->nevents)
		return live_state_commit(&job->live, false, &err) != 0 ? -1 : is_changed;
	live_state_abort(&job->live);
	return is_changed;
}

int postDeviceRelease(struct clslice_job *job, uint32_t released, uint32_t *platform,
		      struct clslice_message *message)
{
	struct live_copy *copy;
	struct err err;

	if (live_state_begin(&job->live, &copy, &err) != 0)
		return say(message, &err);
	copy->state.jobs[job->slot].phase = NODE_SWITCHING;
	node_release(&copy->state, job->slot, released);
	live_state_event(&job->live, EVENT_RELEASE, job->slot, released);
	if (live_state_commit(&job->live, true, &err) != 0 || take(job, &err) != 0)
		return say(message, &err);
	*platform = job->set;
	return 0;
}

int postJobComplete(struct clslice_job *job, struct clslice_message *message)
{
	struct live_copy *copy;
	struct err err;
	int status = -1;

	if (live_state_begin(&job->live, &copy, &err) == 0) {
		atomic_store(&job->live.file->left[job->slot], 0);
		live_state_event(&job->live, EVENT_COMPLETE, job->slot,
				 copy->state.jobs[job->slot].held);
		node_complete(&copy->state, job->slot);
		status = live_state_commit(&job->live, true, &err);
	}
	if (status != 0)
		say(message, &err);
	live_state_close(&job->live);
	free(job);
	return status;
}
