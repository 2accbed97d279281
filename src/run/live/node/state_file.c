/* state_file.c - changes of a state that processes share, whole whenever one of them is killed */
#include "live/node/state_file.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "cosched/policy/node_check.h"
#include "cosched/policy/node_policy.h"
#include "live/node/state_priv.h"

/* The parts of a copy that are used, one after the other: false when there are no more. at: where
 * the last one ended. */
struct part {
	size_t begin, n;
	int step, slot;
};

static bool next_part(const struct live_copy *copy, struct part *part)
{
	const struct node_state *state = &copy->state;
	size_t base = offsetof(struct live_copy, state);

	switch (part->step++) {
	case 0:
		part->begin = offsetof(struct live_copy, nevents);
		part->n = sizeof(copy->nevents);
		return true;
	case 1:
		part->begin = base;
		part->n = offsetof(struct node_state, kernels) +
			  (size_t)state->nkernels * sizeof(state->kernels[0]);
		return true;
	default:
		break;
	}
	/* each job has three parts */
	for (; part->slot < 3 * NODE_JOBS; part->slot++) {
		int slot = part->slot / 3;

		if (!node_is_used(state, slot)) {
			part->slot += 2 - part->slot % 3;
			continue;
		}
		if (part->slot % 3 == 0) {
			part->begin = offsetof(struct live_copy, owners[slot]);
			part->n = sizeof(copy->owners[0]);
		} else if (part->slot % 3 == 1) {
			part->begin = offsetof(struct live_copy, jobs[slot]);
			part->n = sizeof(copy->jobs[0]);
		} else {
			part->begin = base + offsetof(struct node_state, jobs[slot]);
			part->n = sizeof(state->jobs[0]);
		}
		part->slot++;
		return true;
	}
	return false;
}

static bool is_countable(const struct live_copy *copy)
{
	return copy->state.nkernels >= 0 && copy->state.nkernels <= NODE_KERNELS;
}

uint64_t state_checksum(const struct live_copy *copy)
{
	struct part part = {0};
	uint64_t sum = 1;

	while (is_countable(copy) && next_part(copy, &part)) {
		const char *at = (const char *)copy + part.begin;

		/* all parts are multiples of eight bytes */
		for (size_t i = 0; i + 8 <= part.n; i += 8) {
			uint64_t word;

			memcpy(&word, at + i, sizeof(word));
			sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
			sum ^= sum >> 29;
		}
	}
	return sum;
}

static void copy_used(struct live_copy *to, const struct live_copy *from)
{
	struct part part = {0};

	while (next_part(from, &part))
		memcpy((char *)to + part.begin, (const char *)from + part.begin, part.n);
}

int64_t live_state_now(const struct live_state *live)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - live->file->created_ns;
}

/* Tells who keeps everybody waiting. */
static void name_holder(const struct live_state *live)
{
	char text[128];
	int64_t pid = atomic_load(&live->file->holder);
	FILE *comm;
	char name[32] = "?";

	if (live->notice == NULL)
		return;
	snprintf(text, sizeof(text), "/proc/%lld/comm", (long long)pid);
	comm = fopen(text, "re");
	if (comm != NULL) {
		if (fgets(name, sizeof(name), comm) == NULL)
			name[0] = '\0';
		name[strcspn(name, "\n")] = '\0';
		fclose(comm);
	}
	snprintf(text, sizeof(text), "waiting for process %lld (%s), which holds the node's state",
		 (long long)pid, name);
	live->notice(text);
}

/* The kernel passes on the lock of a process that ends. A lock that no process holds and that can't
 * be taken for two seconds is broken. */
static bool is_nobodys(const struct live_state *live, int *nwaits)
{
	int64_t pid = atomic_load(&live->file->holder);

	*nwaits = pid < 1 || (kill((pid_t)pid, 0) != 0 && errno == ESRCH) ? *nwaits + 1 : 0;
	return *nwaits >= 2;
}

static int take_lock(struct live_state *live, struct err *err)
{
	struct timespec until;
	int code, nwaits = 0;

	do {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_sec += 1;
		code = pthread_mutex_timedlock(&live->file->lock, &until);
		if (code == ETIMEDOUT)
			name_holder(live);
	} while (code == ETIMEDOUT && !is_nobodys(live, &nwaits));
	/* its holder was killed: the copy that is true is whole all the same */
	if (code == EOWNERDEAD)
		code = pthread_mutex_consistent(&live->file->lock);
	if (code == ETIMEDOUT || code == EINVAL || code == ENOTRECOVERABLE)
		return err_set(err, "%s: its lock is spoilt: clslice reset --force makes a new one",
			       live->path);
	if (code != 0)
		return err_set(err, "%s: the lock: %s", live->path, strerror(code));
	atomic_store(&live->file->holder, live->self.pid);
	return 0;
}

static struct live_copy *spare(const struct live_state *live)
{
	return &live->file->copies[(atomic_load(&live->file->current) & 1) ^ 1];
}

void live_state_event(struct live_state *live, enum live_event_kind kind, int slot,
		      uint32_t devices)
{
	struct live_copy *copy = spare(live);
	struct live_event *event = &live->file->events[copy->nevents % LIVE_EVENTS];

	memset(event, 0, offsetof(struct live_event, arrived));
	event->time_ns = copy->state.now_ns;
	event->kind = kind;
	event->devices = devices;
	event->job = copy->state.jobs[slot].id;
	if (kind == EVENT_ARRIVE)
		event->arrived = copy->state.jobs[slot];
	for (int d = 0; d < NODE_DEVICES; d++) {
		event->left[d] = -1;
		event->assigned_to[d] = -1;
	}
	for (int at = 0; at < copy->state.njobs; at++) {
		const struct node_job *job = &copy->state.jobs[copy->state.order[at]];

		for (uint32_t rest = job->held; rest != 0; rest &= rest - 1)
			event->left[__builtin_ctz(rest)] = job->left;
	}
	copy->nevents++;
}

/* Jobs whose process has ended give back what they had, and are no more. */
static bool bury_the_dead(struct live_state *live, struct live_copy *copy)
{
	struct node_state *state = &copy->state;
	bool has_died = false;

	for (int at = 0; at < state->njobs;) {
		int slot = state->order[at];

		if ((copy->owners[slot].pid == live->self.pid &&
		     copy->owners[slot].started == live->self.started) ||
		    process_is_alive(copy->owners[slot])) {
			at++;
			continue;
		}
		live_state_event(live, EVENT_DEAD, slot, state->jobs[slot].held);
		node_complete(state, slot);
		has_died = true;
	}
	return has_died;
}

static int decide(struct live_copy *copy, struct live_event *event, struct err *err)
{
	const struct node_policy *policy = node_policy_of(&copy->state);

	if (policy == NULL)
		return err_set(err, "the state's policy '%.31s' is not known",
			       copy->state.rules.policy);
	if (node_decide(&copy->state, policy, err) != 0)
		return -1;
	memcpy(event->assigned_to, copy->state.assigned_to, sizeof(event->assigned_to));
	return 0;
}

static int decide_now(struct live_state *live, struct live_copy *copy, struct err *err)
{
	return decide(copy, &live->file->events[(copy->nevents - 1) % LIVE_EVENTS], err);
}

static int64_t within(int64_t value, int64_t most)
{
	return value < 0 ? 0 : value > most ? most : value;
}

static int prepare(struct live_state *live, struct err *err)
{
	const struct live_copy *now = state_true_copy(live->file);
	struct live_copy *copy = spare(live);
	struct node_state *state = &copy->state;

	if (state_checksum(now) != now->checksum)
		return err_set(err, "%s: is corrupt: clslice reset makes a new one", live->path);
	copy_used(copy, now);
	if (state_check_copy(copy, err) != 0)
		return err_prefix(err, "%s: is corrupt: ", live->path);
	state->now_ns = live_state_now(live);
	for (int at = 0; at < state->njobs; at++) {
		int slot = state->order[at];
		struct node_job *job = &state->jobs[slot];

		if (job->phase == NODE_WAITING)
			continue;
		/* a job that miscounts harms no other job */
		job->left = within(atomic_load(&live->file->left[slot]),
				   job->profile.slices * job->profile.launches);
		if (job->phase == NODE_INIT && atomic_load(&live->file->runs[slot]) != 0)
			job->phase = NODE_RUNNING;
	}
	if (bury_the_dead(live, copy))
		return decide_now(live, copy, err);
	return 0;
}

bool live_state_is_old(const struct live_state *live)
{
	return atomic_load(&live->file->is_old) != 0;
}

int live_state_begin(struct live_state *live, struct live_copy **copy, struct err *err)
{
	if (*live->mine == 0)
		return err_set(err, "the node's state was opened before fork(); expected each "
				    "process to open it");
	if (take_lock(live, err) != 0)
		return -1;
	if (live_state_is_old(live)) {
		live_state_abort(live);
		return err_set(err, "%s: clslice reset has made a new one", live->path);
	}
	if (prepare(live, err) != 0) {
		live_state_abort(live);
		return -1;
	}
	*copy = spare(live);
	return 0;
}

int live_state_decide(struct live_state *live, struct err *err)
{
	return decide_now(live, spare(live), err);
}

int live_state_commit(struct live_state *live, bool decides, struct err *err)
{
	struct live_copy *copy = spare(live);
	struct live_file *file = live->file;

	if ((decides && decide_now(live, copy, err) != 0) ||
	    node_check_state(&copy->state, err) != 0) {
		live_state_abort(live);
		return -1;
	}
	copy->checksum = state_checksum(copy);
	atomic_store(&file->current, (atomic_load(&file->current) & 1) ^ 1);
	atomic_fetch_add(&file->serial, 1);
	pthread_mutex_unlock(&file->lock);
	syscall(SYS_futex, &file->serial, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
	return 0;
}

void live_state_abort(struct live_state *live)
{
	pthread_mutex_unlock(&live->file->lock);
}

void live_state_wait(const struct live_state *live, uint32_t serial, int64_t ns)
{
	struct timespec most = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	syscall(SYS_futex, &live->file->serial, FUTEX_WAIT, serial, &most, NULL, 0);
}
