/* live_kills.c - processes that share a node's state are killed at random times; others go on */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "check.h"
#include "cosched/policy/node_check.h"
#include "cosched/policy/node_policy.h"
#include "live/node/platform.h"
#include "live/node/state_file.h"
#include "live/node/state_priv.h"

enum { WORKERS = 8, DEVICES = 2, KILLS = 1000 };

/* What all processes see: who works on each device, as worker + 1 in its low byte and the worker's
 * generation above; a worker that is killed gets another generation before. */
static struct shared {
	_Atomic uint32_t user[DEVICES];
	_Atomic uint32_t generation[WORKERS];
	_Atomic uint32_t nclashes, nlost, nfailed, ndone, nswitches;
} * shared;

static void nap(int64_t ns)
{
	nanosleep(&(struct timespec){.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000}, NULL);
}

static uint32_t name_of(int worker)
{
	return (atomic_load(&shared->generation[worker]) << 8) | (uint32_t)(worker + 1);
}

/* Nobody else who lives works there. */
static void enter(uint32_t set, uint32_t mine)
{
	for (int d = 0; d < DEVICES; d++) {
		uint32_t was;

		if ((set >> d & 1) == 0)
			continue;
		was = atomic_exchange(&shared->user[d], mine);
		if (was != 0 && was != mine && name_of((int)(was & 0xff) - 1) == was)
			atomic_fetch_add(&shared->nclashes, 1);
	}
}

static void leave(uint32_t set, uint32_t mine)
{
	for (int d = 0; d < DEVICES; d++)
		if ((set >> d & 1) != 0 &&
		    !atomic_compare_exchange_strong(&shared->user[d], &(uint32_t){mine}, 0))
			atomic_fetch_add(&shared->nclashes, 1);
}

/* One job of twelve slices of some µs each. */
static int work(uint32_t mine)
{
	struct clslice_profile profile = {
		.slices = 12, .kernel = "k", .slice_s = {2e-5, 3e-5}, .copy_out_s = {1e-6, 1e-6}};
	struct clslice_message message;
	struct clslice_job *job;
	uint32_t set, next;
	int64_t ndone = 0;

	if (getPlatformId(&profile, &job, &set, &message) != 0) {
		printf("getPlatformId: %s\n", message.text);
		return -1;
	}
	enter(set, mine);
	for (int64_t left = profile.slices; left > 0;) {
		int changed;

		nap(20000);
		left--;
		ndone++;
		changed = pollPlatformUpdate(job, left, &next);
		if (changed < 0)
			return -1;
		if (changed == 0 || left == 0)
			continue;
		leave(set, mine);
		if (postDeviceRelease(job, set, &set, &message) != 0) {
			printf("postDeviceRelease: %s\n", message.text);
			return -1;
		}
		enter(set, mine);
		atomic_fetch_add(&shared->nswitches, 1);
	}
	if (ndone != profile.slices)
		atomic_fetch_add(&shared->nlost, 1);
	leave(set, mine);
	if (postJobComplete(job, &message) != 0) {
		printf("postJobComplete: %s\n", message.text);
		return -1;
	}
	atomic_fetch_add(&shared->ndone, 1);
	return 0;
}

static pid_t start(int worker)
{
	uint32_t mine = name_of(worker);
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	while (work(mine) == 0)
		;
	atomic_fetch_add(&shared->nfailed, 1);
	fflush(stdout);
	_exit(1);
}

static void make_state(void)
{
	static struct node_state state;
	struct pick pick;
	struct err err;

	node_state_init(&state, DEVICES);
	memcpy(state.devices[0].name, "a", 2);
	memcpy(state.devices[1].name, "b", 2);
	CHECK_INT(pick_parse(&pick, &node_policies, "elastic:contract=arrival", &err), 0);
	node_policy_set(&pick, &state.rules);
	pick_free(&pick);
	CHECK_INT(live_state_create(&state, &err), 0);
}

/* The state is sound; how many jobs it has; -1: it isn't. */
static int look(struct live_state *live)
{
	struct live_copy *copy;
	struct err err = {0};
	int njobs = -1;

	if (live_state_begin(live, &copy, &err) != 0 || node_check_state(&copy->state, &err) != 0) {
		printf("state: %s\n", err.msg);
		return -1;
	}
	njobs = copy->state.njobs;
	CHECK_INT(live_state_commit(live, false, &err), 0);
	return njobs;
}

static void kill_one(pid_t *pids, int worker)
{
	int status;

	atomic_fetch_add(&shared->generation[worker], 1);
	kill(pids[worker], SIGKILL);
	waitpid(pids[worker], &status, 0);
}

/* Whether jobs are still done. */
static bool goes_on(uint32_t before)
{
	for (int i = 0; i < 20000; i++) {
		if (atomic_load(&shared->ndone) > before)
			return true;
		nap(1000000);
	}
	return false;
}

static void kills(void)
{
	struct rng rng = rng_make(1, "kills", NULL, NULL);
	struct live_state live;
	struct err err;
	pid_t pids[WORKERS];

	CHECK_INT(live_state_open(&live, &err), 0);
	for (int w = 0; w < WORKERS; w++)
		pids[w] = start(w);
	for (int i = 0; i < KILLS; i++) {
		int worker = (int)rng_below(&rng, WORKERS);

		nap((int64_t)rng_below(&rng, 1500000));
		kill_one(pids, worker);
		if (i % 50 == 0) {
			CHECK(look(&live) >= 0);
			CHECK(goes_on(atomic_load(&shared->ndone)));
		}
		pids[worker] = start(worker);
	}
	for (int w = 0; w < WORKERS; w++)
		kill_one(pids, w);
	/* all are dead: whoever comes next cleans up */
	CHECK_INT(look(&live), 0);
	CHECK_INT(atomic_load(&shared->nclashes), 0);
	CHECK_INT(atomic_load(&shared->nlost), 0);
	CHECK_INT(atomic_load(&shared->nfailed), 0);
	CHECK(atomic_load(&shared->ndone) > 100);
	CHECK(atomic_load(&shared->nswitches) > 0);
	live_state_close(&live);
}

static int slot_of(const struct node_state *state, int64_t id)
{
	for (int at = 0; at < state->njobs; at++)
		if (state->jobs[state->order[at]].id == id)
			return state->order[at];
	return -1;
}

/* What an event did, to a state that knows nothing but the events before. Whether a decision
 * followed. */
static bool apply(struct node_state *state, const struct live_event *event)
{
	int slot;

	state->now_ns = event->time_ns;
	for (int d = 0; d < DEVICES; d++)
		if (event->left[d] >= 0 && state->held_by[d] >= 0)
			state->jobs[slot_of(state, state->held_by[d])].left = event->left[d];
	if (event->kind == EVENT_ARRIVE) {
		CHECK(node_arrive(state, &event->arrived) >= 0);
		return true;
	}
	slot = slot_of(state, event->job);
	CHECK(slot >= 0);
	if (event->kind == EVENT_TAKE) {
		CHECK(node_may_take(state, slot));
		node_take(state, slot);
		CHECK_INT(state->jobs[slot].runs_on, event->devices);
		state->jobs[slot].phase = NODE_RUNNING;
		return false;
	}
	if (event->kind == EVENT_RELEASE) {
		state->jobs[slot].phase = NODE_SWITCHING;
		node_release(state, slot, event->devices);
	} else {
		node_complete(state, slot);
	}
	return true;
}

/* The log of a while with kills: states made anew from its events lead to the same decisions. */
static void replay(void)
{
	static struct node_state state;
	struct rng rng = rng_make(2, "kills", NULL, NULL);
	struct live_state live;
	struct err err;
	pid_t pids[4];
	uint64_t n;
	int ndecisions = 0, nother = 0;

	make_state();
	CHECK_INT(live_state_open(&live, &err), 0);
	for (int w = 0; w < 4; w++)
		pids[w] = start(w);
	while (live.file->copies[atomic_load(&live.file->current)].nevents < 2500) {
		int worker = (int)rng_below(&rng, 4);

		nap((int64_t)rng_below(&rng, 4000000));
		kill_one(pids, worker);
		pids[worker] = start(worker);
	}
	for (int w = 0; w < 4; w++)
		kill_one(pids, w);
	CHECK_INT(look(&live), 0);
	n = live.file->copies[atomic_load(&live.file->current)].nevents;
	CHECK(n < LIVE_EVENTS);
	node_state_init(&state, DEVICES);
	state.rules = live.file->copies[0].state.rules;
	for (uint64_t i = 0; i < n; i++) {
		const struct live_event *event = &live.file->events[i];
		/* of several that were found dead at once, the last is followed by a decision */
		bool goes_on = event->kind == EVENT_DEAD && i + 1 < n &&
			       event[1].kind == EVENT_DEAD && event[1].time_ns == event->time_ns;

		if (!apply(&state, event) || goes_on)
			continue;
		CHECK_INT(node_decide(&state, node_policy_of(&state), &err), 0);
		ndecisions++;
		nother += memcmp(state.assigned_to, event->assigned_to,
				 sizeof(state.assigned_to)) != 0;
	}
	CHECK(ndecisions > 500);
	CHECK_INT(nother, 0);
	live_state_close(&live);
}

/* A job that has devices is stopped: others wait, and go on when it does. */
static void stopped(void)
{
	uint32_t before;
	struct live_state live;
	struct live_copy *copy;
	struct err err;
	pid_t pid = start(0);
	int status;
	bool is_stopped = false;

	CHECK_INT(live_state_open(&live, &err), 0);
	CHECK(goes_on(atomic_load(&shared->ndone)));
	kill(pid, SIGSTOP);
	waitpid(pid, &status, WUNTRACED);
	before = atomic_load(&shared->ndone);
	/* it may hold the lock: then this waits, as it should, and the test ends with the lock */
	if (pthread_mutex_trylock(&live.file->lock) == 0) {
		pthread_mutex_unlock(&live.file->lock);
		CHECK_INT(live_state_begin(&live, &copy, &err), 0);
		for (int at = 0; at < copy->state.njobs; at++)
			is_stopped = is_stopped ||
				     process_is_stopped(copy->owners[copy->state.order[at]]);
		CHECK(is_stopped || copy->state.njobs == 0);
		live_state_abort(&live);
	}
	nap(2000000);
	CHECK_INT(atomic_load(&shared->ndone), before);
	kill(pid, SIGCONT);
	CHECK(goes_on(before));
	kill_one(&pid, 0);
	live_state_close(&live);
}

static char notice[256];
static pid_t sleeper;

static void note(const char *text)
{
	snprintf(notice, sizeof(notice), "%s", text);
	/* it goes on, and so do all others */
	kill(sleeper, SIGCONT);
}

/* One that is stopped while it changes the state keeps others waiting: it is named. */
static void stopped_inside(void)
{
	struct live_state live;
	struct live_copy *copy;
	struct err err;
	pid_t pid = fork();
	char expected[64];
	int status;

	/* each for itself: what is opened before fork() is the parent's */
	CHECK_INT(live_state_open(&live, &err), 0);
	if (pid == 0) {
		if (live_state_begin(&live, &copy, &err) != 0)
			_exit(1);
		raise(SIGSTOP);
		live_state_abort(&live);
		_exit(0);
	}
	waitpid(pid, &status, WUNTRACED);
	CHECK(WIFSTOPPED(status));
	live.notice = note;
	sleeper = pid;
	CHECK_INT(live_state_begin(&live, &copy, &err), 0);
	live_state_abort(&live);
	snprintf(expected, sizeof(expected), "waiting for process %d (live_kills), ", (int)pid);
	CHECK(strncmp(notice, expected, strlen(expected)) == 0);
	waitpid(pid, &status, 0);
	CHECK_INT(status, 0);
	live_state_close(&live);
}

/* What a child of the job's process does is refused. */
static void forks(void)
{
	struct clslice_profile profile = {.slices = 2, .slice_s = {1}};
	struct clslice_message message;
	struct clslice_job *job;
	uint32_t set, next;
	int status;
	pid_t pid;

	CHECK_INT(getPlatformId(&profile, &job, &set, &message), 0);
	CHECK_INT(set, 1);
	pid = fork();
	if (pid == 0)
		_exit(pollPlatformUpdate(job, 1, &next) == -1 &&
				      postDeviceRelease(job, set, &next, &message) == -1 &&
				      strstr(message.text, "before fork()") != NULL
			      ? 0
			      : 1);
	waitpid(pid, &status, 0);
	CHECK_INT(status, 0);
	CHECK_INT(pollPlatformUpdate(job, 1, &next), 0);
	CHECK_INT(postJobComplete(job, &message), 0);
	profile.slice_s[0] = 0;
	CHECK_INT(getPlatformId(&profile, &job, &set, &message), -1);
	CHECK(strstr(message.text, "the profile: expected") != NULL);
}

/* A job that miscounts its slices does no harm to others; one that gives nothing back goes on. */
static void careless(void)
{
	struct clslice_profile first = {.slices = 9, .slice_s = {1, 0}};
	struct clslice_profile second = {.slices = 9, .slice_s = {0, 1}};
	struct clslice_message message = {""};
	struct clslice_job *job, *other;
	uint32_t set = 0;

	CHECK_INT(getPlatformId(&first, &job, &set, &message), 0);
	CHECK_INT(pollPlatformUpdate(job, -5, &set), 0);
	CHECK_INT(getPlatformId(&second, &other, &set, &message), 0);
	CHECK_INT(pollPlatformUpdate(other, INT64_MAX, &set), 0);
	CHECK_INT(postDeviceRelease(job, 0, &set, &message), 0);
	CHECK_INT(set, 1);
	CHECK_INT(postJobComplete(job, &message), 0);
	CHECK_INT(postJobComplete(other, &message), 0);
	CHECK_TEXT(message.text, "");
}

/* A state is made anew only where nobody lives, or by force: then the old one's jobs hear of it. */
static void renewed(void)
{
	static struct node_state state;
	struct clslice_profile profile = {.slices = 9, .slice_s = {1, 1}};
	struct clslice_message message = {""};
	struct clslice_job *job, *other;
	struct live_state live;
	struct live_copy *copy;
	struct err err = {0};
	uint32_t set = 0;

	CHECK_INT(getPlatformId(&profile, &job, &set, &message), 0);
	CHECK_INT(live_state_open(&live, &err), 0);
	state = state_true_copy(live.file)->state;
	CHECK_INT(live_state_renew(&state, &err), -1);
	CHECK(strstr(err.msg, "1 job lives, the first is process ") != NULL);
	CHECK_INT(live_state_begin(&live, &copy, &err), 0);
	live_state_abort(&live);
	make_state();
	CHECK_INT(live_state_begin(&live, &copy, &err), -1);
	CHECK(strstr(err.msg, "clslice reset has made a new one") != NULL);
	live_state_close(&live);
	CHECK_INT(getPlatformId(&profile, &other, &set, &message), 0);
	CHECK_INT(postJobComplete(other, &message), 0);
	CHECK_INT(postJobComplete(job, &message), -1);
	CHECK(strstr(message.text, "clslice reset has made a new one") != NULL);
}

static void spoil(const char *path, off_t at, const char *bytes, size_t n)
{
	int fd = open(path, O_RDWR);

	CHECK(fd >= 0 && pwrite(fd, bytes, n, at) == (ssize_t)n);
	close(fd);
}

static void refused(const char *why)
{
	struct live_state live;
	struct live_copy *copy;
	struct err err = {0};
	int status = live_state_open(&live, &err);

	if (status == 0) {
		status = live_state_begin(&live, &copy, &err);
		live_state_close(&live);
	}
	CHECK_INT(status, -1);
	if (strstr(err.msg, why) == NULL)
		printf("'%s', expected '%s'\n", err.msg, why);
	CHECK(strstr(err.msg, why) != NULL);
	make_state();
}

/* A number of the state is another, and the checksum is right. */
static void sound_sum(size_t at, int32_t value)
{
	struct live_state live;
	struct live_copy *copy;
	struct err err;

	CHECK_INT(live_state_open(&live, &err), 0);
	copy = state_true_copy(live.file);
	memcpy((char *)&copy->state + at, &value, sizeof(value));
	copy->checksum = state_checksum(copy);
	live_state_close(&live);
}

/* Files that are not this node's state. */
static void files(void)
{
	struct err err;
	char *path = live_state_path(&err), *folder = getenv("XDG_RUNTIME_DIR");
	struct live_state live;

	spoil(path, 0, "x", 1);
	refused("is not a node's state");
	spoil(path, offsetof(struct live_file, version), "\7", 1);
	refused("version 7 of a node's state; expected 2");
	spoil(path, offsetof(struct live_file, boot), "x", 1);
	refused("from before the machine was booted");
	spoil(path, offsetof(struct live_file, copies[0].state.narrived), "\7", 1);
	refused("is corrupt");
	/* the other copy was never written */
	spoil(path, offsetof(struct live_file, current), "\7", 1);
	refused("is corrupt");
	spoil(path, offsetof(struct live_file, pid_space), "\7", 1);
	refused("of another container");
	sound_sum(offsetof(struct node_state, njobs), 5000);
	refused("is corrupt: 2 devices and 5000 jobs are no state of a node");
	sound_sum(offsetof(struct node_state, ndevices), 77);
	refused("is corrupt: 77 devices and 0 jobs are no state of a node");
	/* a lock that nobody has, and nobody gets */
	spoil(path, offsetof(struct live_file, lock), "\377\377\377", 3);
	spoil(path, offsetof(struct live_file, holder), "\0\0\0\0", 4);
	refused("its lock is spoilt");
	CHECK_INT(truncate(path, 100), 0);
	refused("100 bytes; expected");
	CHECK_INT(chmod(path, 0644), 0);
	refused("expected a file of yours that others can't open");
	CHECK_INT(chmod(folder, 0777), 0);
	CHECK(live_state_path(&err) == NULL);
	CHECK(strstr(err.msg, "expected a folder of yours that others can't write to") != NULL);
	CHECK_INT(chmod(folder, 0700), 0);
	unlink(path);
	CHECK_INT(live_state_open(&live, &err), 1);
	CHECK(strstr(err.msg, "clslice reset -d DEVICES makes one") != NULL);
	free(path);
}

int main(void)
{
	char folder[] = "/tmp/live_kills.XXXXXX", *path;
	struct err err;

	CHECK(mkdtemp(folder) != NULL);
	setenv("XDG_RUNTIME_DIR", folder, 1);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	make_state();
	forks();
	careless();
	renewed();
	files();
	make_state();
	stopped();
	stopped_inside();
	kills();
	replay();
	path = live_state_path(&err);
	unlink(path);
	free(path);
	rmdir(folder);
	return check_done();
}
