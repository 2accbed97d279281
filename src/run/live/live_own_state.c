/* live_own_state.c - a state for one process and its children, gone when they are */
#include "live/live_own_state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void clear(const char *folder, const char *path)
{
	unlink(path);
	rmdir(folder);
}

/* No handler hears of a SIGKILL. So a process of no session waits at a pipe that ends when all
 * others of this run have; nobody waits for it. What it calls is safe in a child of threads. */
static void watch(const char *folder, const char *path, const int ends[2])
{
	char byte;

	setsid();
	if (fork() != 0)
		_exit(0);
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	close(ends[1]);
	while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
		;
	clear(folder, path);
	_exit(0);
}

static int start_watch(struct live_own_state *own, struct err *err)
{
	char path[sizeof(own->folder) + 32];
	int ends[2];
	pid_t pid;

	snprintf(path, sizeof(path), "%s/placetools-clslice", own->folder);
	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(err, "%s: %s", own->folder, strerror(errno));
	pid = fork();
	if (pid == 0)
		watch(own->folder, path, ends);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return err_set(err, "%s: %s", own->folder, strerror(errno));
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	own->alive = ends[1];
	return 0;
}

int live_own_state_begin(struct live_own_state *own, const struct live_reset *how, struct err *err)
{
	struct live_reset reset = *how;

	reset.is_forced = true;
	own->alive = -1;
	snprintf(own->folder, sizeof(own->folder), "/dev/shm/placetools-jobs-%ld.XXXXXX",
		 (long)getpid());
	if (mkdtemp(own->folder) == NULL)
		return err_set(err, "%s: %s", own->folder, strerror(errno));
	if (start_watch(own, err) != 0) {
		rmdir(own->folder);
		return -1;
	}
	setenv("XDG_RUNTIME_DIR", own->folder, 1);
	if (live_reset(&reset, err) == 0)
		return 0;
	live_own_state_end(own);
	return -1;
}

void live_own_state_end(struct live_own_state *own)
{
	char path[sizeof(own->folder) + 32];

	snprintf(path, sizeof(path), "%s/placetools-clslice", own->folder);
	clear(own->folder, path);
	close(own->alive);
}

int live_own_state_child(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return getppid() == parent ? 0 : -1;
}
