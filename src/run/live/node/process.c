/* process.c - processes, known by number and start, so that a number used again is another one */
#include "live/node/process.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/num.h"
#include "base/str.h"

/* Its state's letter and its start, from /proc/PID/stat; false: there is no such process. */
static bool read_stat(int64_t pid, char *letter, uint64_t *started)
{
	char path[64], text[1024], *fields[24], *p;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%lld/stat", (long long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	/* the name, in brackets, may hold anything */
	p = strrchr(text, ')');
	if (p == NULL || p[1] == '\0' || str_split(p + 2, ' ', fields, 24) < 21)
		return false;
	*letter = fields[0][0];
	return num_uint(fields[19], UINT64_MAX, started) == 0;
}

struct live_process process_self(void)
{
	struct live_process self = {.pid = getpid()};
	char letter;

	read_stat(self.pid, &letter, &self.started);
	return self;
}

bool process_is_alive(struct live_process process)
{
	uint64_t started;
	char letter;
	int fd = (int)syscall(SYS_pidfd_open, (pid_t)process.pid, 0);
	struct pollfd ended = {.fd = fd, .events = POLLIN};
	bool is_over = fd >= 0 && poll(&ended, 1, 0) == 1;

	if (fd >= 0)
		close(fd);
	/* the descriptor may be that of another process with its number */
	return !is_over && read_stat(process.pid, &letter, &started) &&
	       started == process.started && letter != 'Z' && letter != 'X';
}

bool process_is_stopped(struct live_process process)
{
	uint64_t started;
	char letter;

	return read_stat(process.pid, &letter, &started) && started == process.started &&
	       (letter == 'T' || letter == 't');
}
