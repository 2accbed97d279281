/* state_place.c - where the state of a node lies, how it comes to be, and whether it is ours */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/str.h"
#include "cosched/policy/node_check.h"
#include "cosched/state/set_time.h"
#include "live/node/state_priv.h"

/* File systems of other machines: memory mapped there is not shared. */
static bool is_remote(int fd)
{
	static const uint32_t types[] = {0x6969,     0xff534d42, 0xfe534d42, 0x0bd00bd0,
					 0x47504653, 0x00c36400, 0x5346414f};
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return false;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((uint32_t)fs.f_type == types[i])
			return true;
	return false;
}

static int check_folder(const char *folder, struct err *err)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat what;
	int status = 0;

	if (fd < 0)
		return err_set(err, "%s: %s", folder, strerror(errno));
	if (fstat(fd, &what) != 0 || what.st_uid != geteuid() || (what.st_mode & 022) != 0)
		status = err_set(err, "%s: expected a folder of yours that others can't write to",
				 folder);
	else if (is_remote(fd))
		status = err_set(err,
				 "%s: lies on another machine's disk; expected XDG_RUNTIME_DIR "
				 "to be a local folder",
				 folder);
	close(fd);
	return status;
}

char *live_state_path(struct err *err)
{
	const char *set = getenv("XDG_RUNTIME_DIR");
	char *folder, *path = NULL;

	if (set != NULL && set[0] == '/') {
		folder = xstrdup(set);
	} else {
		folder = xasprintf("/dev/shm/placetools-%u", (unsigned)geteuid());
		if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
			err_set(err, "%s: %s", folder, strerror(errno));
			free(folder);
			return NULL;
		}
	}
	if (check_folder(folder, err) == 0)
		path = xasprintf("%s/placetools-clslice", folder);
	free(folder);
	return path;
}

int state_boot(char boot[40], struct err *err)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, boot, 36) : -1;

	memset(boot + (n > 0 ? n : 0), 0, 40 - (size_t)(n > 0 ? n : 0));
	if (fd >= 0)
		close(fd);
	return n == 36 ? 0 : err_set(err, "/proc/sys/kernel/random/boot_id: can't be read");
}

/* The number of the space of process numbers: containers may share a folder, but not these. */
static uint64_t pid_space(void)
{
	struct stat what;

	return stat("/proc/self/ns/pid", &what) == 0 ? (uint64_t)what.st_ino : 0;
}

static int fill(struct live_file *file, const struct node_state *state, struct err *err)
{
	pthread_mutexattr_t shared;
	struct live_copy *copy = &file->copies[0];
	struct timespec now;

	pthread_mutexattr_init(&shared);
	pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&shared, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&file->lock, &shared);
	pthread_mutexattr_destroy(&shared);
	memcpy(file->magic, STATE_MAGIC, sizeof(file->magic));
	file->version = LIVE_VERSION;
	file->bytes = (uint32_t)sizeof(*file);
	clock_gettime(CLOCK_MONOTONIC, &now);
	file->pid_space = pid_space();
	file->created_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	copy->state = *state;
	copy->checksum = state_checksum(copy);
	return state_boot(file->boot, err);
}

/* Room for the file, or an error number: a limit of the process's files is one, too, and
 * no signal. */
static int reserve(int fd, size_t bytes)
{
	sigset_t limit, before;
	int code;

	sigemptyset(&limit);
	sigaddset(&limit, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &limit, &before);
	code = posix_fallocate(fd, 0, (off_t)bytes);
	if (code == EFBIG && !sigismember(&before, SIGXFSZ))
		sigtimedwait(&limit, NULL, &(struct timespec){0});
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code;
}

/* Whole before it has its name; a full disk is found before anything is mapped. */
static int create(const char *path, const struct node_state *state, struct err *err)
{
	struct live_file *file;
	int fd, status = -1, code;
	char *fresh;

	fresh = xasprintf("%s.%d", path, (int)getpid());
	unlink(fresh);
	fd = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	code = fd < 0 ? errno : reserve(fd, sizeof(*file));
	if (code == 0) {
		file = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		code = file == MAP_FAILED ? errno : 0;
	}
	if (code == 0) {
		status = fill(file, state, err);
		munmap(file, sizeof(*file));
		code = status == 0 && (fsync(fd) != 0 || rename(fresh, path) != 0) ? errno : 0;
	}
	if (code != 0)
		status = err_set(err, "%s: %s", path, strerror(code));
	if (fd >= 0)
		close(fd);
	unlink(fresh);
	free(fresh);
	return status;
}

/* The lock of the old one is held until the new one is there: who comes meanwhile finds that. */
static int renew(const struct node_state *state, bool is_forced, struct err *err)
{
	char *path = live_state_path(err);
	struct live_state old;
	struct live_copy *copy;
	struct err why;
	bool is_open, is_locked;
	int status = 0;

	if (path == NULL)
		return -1;
	is_open = live_state_open(&old, &why) == 0;
	/* when forced, the holder of the lock is not waited for */
	is_locked = is_open && !is_forced && live_state_begin(&old, &copy, &why) == 0;
	if (is_locked && copy->state.njobs > 0)
		status = err_set(err,
				 "%d job%s, the first is process %lld: expected none, or --force",
				 copy->state.njobs, copy->state.njobs == 1 ? " lives" : "s live",
				 (long long)copy->owners[copy->state.order[0]].pid);
	if (status == 0)
		status = create(path, state, err);
	if (status == 0 && is_open)
		atomic_store(&old.file->is_old, 1);
	if (is_locked)
		live_state_abort(&old);
	if (is_open)
		live_state_close(&old);
	free(path);
	return status;
}

int live_state_create(const struct node_state *state, struct err *err)
{
	return renew(state, true, err);
}

int live_state_renew(const struct node_state *state, struct err *err)
{
	return renew(state, false, err);
}

static int check_file(const struct live_file *file, const char *path, struct err *err)
{
	char boot[40];

	if (state_boot(boot, err) != 0)
		return -1;
	if (memcmp(file->magic, STATE_MAGIC, sizeof(file->magic)) != 0)
		return err_set(err, "%s: is not a node's state", path);
	if (file->version != LIVE_VERSION || file->bytes != sizeof(*file))
		return err_set(err,
			       "%s: version %u of a node's state; expected %d: clslice reset makes "
			       "a new one",
			       path, file->version, LIVE_VERSION);
	if (memcmp(file->boot, boot, sizeof(boot)) != 0)
		return err_set(err,
			       "%s: from before the machine was booted, or of another machine: "
			       "clslice reset makes a new one",
			       path);
	if (file->pid_space != pid_space())
		return err_set(err,
			       "%s: of another container, whose processes have other numbers: "
			       "expected an XDG_RUNTIME_DIR for each",
			       path);
	return 0;
}

static int map_file(struct live_state *live, int fd, struct err *err)
{
	struct stat what;

	if (fstat(fd, &what) != 0 || !S_ISREG(what.st_mode) || what.st_uid != geteuid() ||
	    (what.st_mode & 077) != 0)
		return err_set(err, "%s: expected a file of yours that others can't open",
			       live->path);
	if ((size_t)what.st_size != sizeof(*live->file))
		return err_set(err, "%s: %lld bytes; expected %zu: clslice reset makes a new one",
			       live->path, (long long)what.st_size, sizeof(*live->file));
	live->file = mmap(NULL, sizeof(*live->file), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (live->file == MAP_FAILED) {
		live->file = NULL;
		return err_set(err, "%s: %s", live->path, strerror(errno));
	}
	return check_file(live->file, live->path, err);
}

int live_state_open(struct live_state *live, struct err *err)
{
	int fd, status;

	*live = (struct live_state){.self = process_self()};
	if (live->self.started == 0)
		return err_set(err, "/proc/self/stat: can't be read");
	live->path = live_state_path(err);
	if (live->path == NULL)
		return -1;
	fd = open(live->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		status = errno == ENOENT ? 1 : -1;
		err_set(err, "%s: %s", live->path,
			status == 1 ? "there is no state of this node: clslice reset -d DEVICES "
				      "makes one"
				    : strerror(errno));
		live_state_close(live);
		return status;
	}
	status = map_file(live, fd, err);
	close(fd);
	if (status == 0) {
		live->mine = mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (live->mine == MAP_FAILED) {
			live->mine = NULL;
			status = err_set(err, "%s", strerror(errno));
		}
	}
	if (status != 0) {
		live_state_close(live);
		return -1;
	}
	madvise(live->mine, sizeof(int), MADV_WIPEONFORK);
	*live->mine = 1;
	return 0;
}

void live_state_close(struct live_state *live)
{
	if (live->file != NULL)
		munmap(live->file, sizeof(*live->file));
	if (live->mine != NULL)
		munmap(live->mine, sizeof(int));
	free(live->path);
	*live = (struct live_state){0};
}
