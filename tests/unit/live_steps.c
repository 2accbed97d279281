/* live_steps.c - a process is killed after each store to the shared state, in each of the four
 * calls */
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"
#include "cosched/policy/node_check.h"
#include "cosched/policy/node_policy.h"
#include "live/node/platform.h"
#include "live/node/state_file.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/*
 * The state is mapped for reading only: each store to it faults, is done alone (the processor's
 * trap flag), and is counted; the process kills itself after the one that is asked for. Nothing
 * that others can see happens between two stores. A repeated one (rep movsb: only the spare copy is
 * written so) is one.
 */
enum { PAGE = 4096 };
static struct {
	char *at;
	size_t bytes;
	bool is_armed, is_all;
	greg_t store;          /* the instruction that stores */
	char *begin, *end;     /* pages that it may write now */
	int64_t nstores, last; /* it dies after so many; below 0: never */
} watch;

static void protect(char *at, size_t bytes, int how)
{
	if (at != NULL && mprotect(at, bytes, how) != 0)
		_exit(3);
}

/* The kernel ends the lock of a dead process: it must be able to write to it. */
static void die_here(void)
{
	protect(watch.at, watch.bytes, PROT_READ | PROT_WRITE);
	kill(getpid(), SIGKILL);
}

static void on_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;
	char *at = info->si_addr;

	(void)number;
	if (!watch.is_armed || at < watch.at || at >= watch.at + watch.bytes)
		_exit(4);
	/* and the next page, which it may reach into */
	at -= (uintptr_t)at % PAGE;
	watch.begin = watch.begin == NULL || at < watch.begin ? at : watch.begin;
	watch.end = at + (size_t)2 * PAGE > watch.end ? at + (size_t)2 * PAGE : watch.end;
	if (watch.end > watch.at + watch.bytes)
		watch.end = watch.at + watch.bytes;
	protect(watch.begin, (size_t)(watch.end - watch.begin), PROT_READ | PROT_WRITE);
	watch.store = user->uc_mcontext.gregs[REG_RIP];
	user->uc_mcontext.gregs[REG_EFL] |= 0x100;
}

static void on_step(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;

	(void)number;
	(void)info;
	if (user->uc_mcontext.gregs[REG_RIP] == watch.store)
		return;
	user->uc_mcontext.gregs[REG_EFL] &= ~0x100LL;
	if (++watch.nstores == watch.last)
		die_here();
	protect(watch.begin, (size_t)(watch.end - watch.begin), PROT_READ);
	watch.begin = watch.end = NULL;
}

/* The library's: getPlatformId maps the state itself. */
void *mmap(void *at, size_t bytes, int how, int flags, int fd, off_t from)
{
	void *made = (void *)syscall(SYS_mmap, at, bytes, how, flags, fd, from);

	if (fd >= 0 && (flags & MAP_SHARED) != 0 && bytes == sizeof(struct live_file)) {
		watch.at = made;
		watch.bytes =
			watch.is_all ? bytes : offsetof(struct live_file, copies) / PAGE * PAGE;
		if (watch.is_armed)
			protect(watch.at, watch.bytes, PROT_READ);
	}
	return made;
}

static void arm(int64_t last)
{
	struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	struct sigaction step = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};

	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGTRAP, &step, NULL);
	watch.nstores = 0;
	watch.last = last;
	watch.is_armed = true;
	if (last == 0)
		die_here();
	protect(watch.at, watch.bytes, PROT_READ);
}

static void disarm(void)
{
	protect(watch.at, watch.bytes, PROT_READ | PROT_WRITE);
	watch.is_armed = false;
}

/* ---- the processes ---- */

enum call { CALL_GET, CALL_POLL, CALL_RELEASE, CALL_COMPLETE, CALLS };
static const char *const names[CALLS] = {"getPlatformId", "pollPlatformUpdate", "postDeviceRelease",
					 "postJobComplete"};

static const struct clslice_profile on_a = {.name = "victim", .slices = 8, .slice_s = {1, 0}};
static const struct clslice_profile on_b = {.name = "survivor", .slices = 8, .slice_s = {0, 1}};

/* Comes, and dies where it stands: whoever looks next has somebody to clean up after. */
static void leave_a_dead_one(void)
{
	pid_t pid = fork();
	struct clslice_message message;
	struct clslice_job *job;
	uint32_t set;

	if (pid == 0) {
		struct clslice_profile profile = on_a;

		/* it can't wait for the device that its parent has */
		profile.slice_s[0] = 0;
		profile.slice_s[2] = 1;
		getPlatformId(&profile, &job, &set, &message);
		die_here();
	}
	waitpid(pid, NULL, 0);
}

/* Status 0: the call came to its end before; 1: it failed. */
static int victim(enum call call, int64_t last)
{
	struct clslice_message message = {""};
	struct clslice_job *job = NULL;
	uint32_t set = 0, next;
	int status = 0;

	if (call == CALL_GET) {
		watch.at = NULL;
		arm(last);
	}
	status = getPlatformId(&on_a, &job, &set, &message);
	if (call == CALL_POLL && status == 0) {
		leave_a_dead_one();
		arm(last);
		status = pollPlatformUpdate(job, 7, &next) < 0;
	}
	if (call == CALL_RELEASE && status == 0) {
		pollPlatformUpdate(job, 7, &next);
		arm(last);
		status = postDeviceRelease(job, set, &set, &message);
	}
	if (call == CALL_COMPLETE && status == 0) {
		/* it unmaps the state at its end */
		arm(last);
		status = postJobComplete(job, &message);
	} else {
		disarm();
	}
	if (status != 0)
		printf("%s: %s\n", names[call], message.text);
	fflush(stdout);
	_exit(status == 0 && set != 0 ? 0 : 1);
}

/* The survivor has what it had, the dead one has nothing, and this at the first look. */
static void check_survivor(struct live_state *live, struct clslice_job *survivor)
{
	struct live_copy *copy;
	struct err err = {0};
	uint32_t set = 0;

	CHECK_INT(live_state_begin(live, &copy, &err), 0);
	if (err.msg[0] != '\0') {
		printf("%s\n", err.msg);
		return;
	}
	CHECK_INT(node_check_state(&copy->state, &err), 0);
	CHECK_INT(copy->state.njobs, 1);
	CHECK_INT(copy->state.held_by[0], -1);
	CHECK_INT(copy->state.assigned_to[0], -1);
	CHECK_INT(copy->state.held_by[1], copy->state.jobs[copy->state.order[0]].id);
	CHECK_INT(copy->state.jobs[copy->state.order[0]].left, 5);
	CHECK_INT(live_state_commit(live, false, &err), 0);
	CHECK_INT(pollPlatformUpdate(survivor, 5, &set), 0);
	CHECK_INT(set, 2);
}

static int64_t kill_in(enum call call, struct live_state *live, struct clslice_job *survivor)
{
	for (int64_t last = 0;; last++) {
		pid_t pid;
		int status;

		fflush(stdout);
		pid = fork();
		if (pid == 0)
			victim(call, last);
		waitpid(pid, &status, 0);
		CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
		if (!WIFSIGNALED(status)) {
			/* it went through, and ended without postJobComplete, or with it */
			check_survivor(live, survivor);
			return last;
		}
		check_survivor(live, survivor);
	}
}

static void make_state(void)
{
	static struct node_state state;
	struct pick pick;
	struct err err;

	node_state_init(&state, 3);
	for (int d = 0; d < 3; d++)
		state.devices[d].name[0] = (char)('a' + d);
	CHECK_INT(pick_parse(&pick, &node_policies, "elastic", &err), 0);
	node_policy_set(&pick, &state.rules);
	pick_free(&pick);
	CHECK_INT(live_state_create(&state, &err), 0);
}

static void all_steps(void)
{
	struct clslice_message message;
	struct clslice_job *survivor;
	struct live_state live;
	struct err err;
	uint32_t set = 0;

	make_state();
	CHECK_INT(getPlatformId(&on_b, &survivor, &set, &message), 0);
	CHECK_INT(set, 2);
	CHECK_INT(pollPlatformUpdate(survivor, 5, &set), 0);
	CHECK_INT(live_state_open(&live, &err), 0);
	for (int call = 0; call < CALLS; call++) {
		int64_t n = kill_in((enum call)call, &live, survivor);

		printf("%s: killed at each of %lld stores\n", names[call], (long long)n);
		CHECK(n > (watch.is_all ? 100 : 5));
	}
	live_state_close(&live);
	CHECK_INT(postJobComplete(survivor, &message), 0);
}

int main(int argc, char **argv)
{
	char folder[] = "/dev/shm/live_steps.XXXXXX", *path;
	struct err err;

	watch.is_all = argc > 1 && strcmp(argv[1], "all") == 0;
	CHECK(mkdtemp(folder) != NULL);
	setenv("XDG_RUNTIME_DIR", folder, 1);
	all_steps();
	path = live_state_path(&err);
	unlink(path);
	free(path);
	rmdir(folder);
	return check_done();
}

#else

int main(void)
{
	printf("skipped: counts stores by the trap flag of x86-64, without a sanitizer\n");
	return 0;
}

#endif
