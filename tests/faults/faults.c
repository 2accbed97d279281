/* faults.c - loaded before the C library: the K-th call of one name fails; unsynced data is lost
 *
 * FAULT=malloc|write|fsync|rename|open|close|mmap|fork|gzdopen|gzwrite|gzclose, FAULT_AT=K (1 is
 * the first); FAULT_HIT=FILE is made when it came to that. LOSSY=1: a file that is renamed before
 * it was synced is empty afterwards, as after a power failure. SYNC_LOG=FILE: a line for each fsync
 * and rename, in their order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES_MOST = 256 };

static ino_t dirty[FILES_MOST];
static long left = -1; /* calls until it fails; -1: not read yet; 0: never (again) */
static const char *which;

static void note(const char *path, const char *text)
{
	int fd = path != NULL ? (int)syscall(SYS_openat, AT_FDCWD, path,
					     O_WRONLY | O_CREAT | O_APPEND, 0600)
			      : -1;

	if (fd >= 0) {
		syscall(SYS_write, fd, text, strlen(text));
		syscall(SYS_close, fd);
	}
}

static int fails(const char *call)
{
	if (left < 0) {
		const char *at = getenv("FAULT_AT");

		which = getenv("FAULT");
		left = 0;
		for (; which != NULL && at != NULL && *at >= '0' && *at <= '9'; at++)
			left = left * 10 + (*at - '0');
	}
	if (left == 0 || strcmp(which, call) != 0 || --left > 0)
		return 0;
	note(getenv("FAULT_HIT"), call);
	return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void mark(int fd, int is_dirty)
{
	struct stat st;
	int at = -1;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	for (int i = 0; i < FILES_MOST; i++) {
		if (dirty[i] == st.st_ino)
			dirty[i] = 0;
		if (dirty[i] == 0)
			at = i;
	}
	if (is_dirty && at >= 0)
		dirty[at] = st.st_ino;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	if (fd > 2 && fails("write")) {
		errno = ENOSPC;
		return -1;
	}
	mark(fd, 1);
	return syscall(SYS_write, fd, bytes, n);
}

int fsync(int fd)
{
	struct stat st;

	if (fails("fsync")) {
		errno = EIO;
		return -1;
	}
	mark(fd, 0);
	note(getenv("SYNC_LOG"),
	     fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? "sync folder\n" : "sync file\n");
	return 0;
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
	struct stat st;
	int is_dirty = 0;

	if (fails("rename")) {
		errno = EIO;
		return -1;
	}
	if (fstatat(from_folder, from, &st, 0) == 0)
		for (int i = 0; i < FILES_MOST; i++)
			is_dirty |= dirty[i] != 0 && dirty[i] == st.st_ino;
	note(getenv("SYNC_LOG"), "rename\n");
	if (syscall(SYS_renameat2, from_folder, from, to_folder, to, 0) != 0)
		return -1;
	if (is_dirty && getenv("LOSSY") != NULL) {
		int fd = (int)syscall(SYS_openat, to_folder, to, O_WRONLY | O_TRUNC, 0);

		if (fd >= 0)
			syscall(SYS_close, fd);
	}
	return 0;
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int close(int fd)
{
	if (fd > 2 && fails("close")) {
		syscall(SYS_close, fd);
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_close, fd);
}

int openat(int folder, const char *path, int flags, ...)
{
	mode_t mode = 0;

	if (flags & (O_CREAT | O_TMPFILE)) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	if (fails("open")) {
		errno = EMFILE;
		return -1;
	}
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;

	if (flags & (O_CREAT | O_TMPFILE)) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return openat(AT_FDCWD, path, flags, mode);
}

void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	if (fails("mmap")) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
}

pid_t fork(void)
{
	if (fails("fork")) {
		errno = EAGAIN;
		return -1;
	}
	return REAL(fork)();
}

extern void *__libc_malloc(size_t n), *__libc_calloc(size_t n, size_t size),
	*__libc_realloc(void *old, size_t n);

static void *lacking(void)
{
	errno = ENOMEM;
	return NULL;
}

void *malloc(size_t n)
{
	return fails("malloc") ? lacking() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails("malloc") ? lacking() : __libc_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
	return fails("malloc") ? lacking() : __libc_realloc(old, n);
}

struct gzFile_s;

struct gzFile_s *gzdopen(int fd, const char *mode)
{
	struct gzFile_s *(*real)(int, const char *) = dlsym(RTLD_NEXT, "gzdopen");

	return fails("gzdopen") ? lacking() : real(fd, mode);
}

int gzwrite(struct gzFile_s *file, const void *bytes, unsigned n)
{
	int (*real)(struct gzFile_s *, const void *, unsigned) = dlsym(RTLD_NEXT, "gzwrite");

	if (fails("gzwrite")) {
		errno = ENOSPC;
		return 0;
	}
	return real(file, bytes, n);
}

int gzclose(struct gzFile_s *file)
{
	int (*real)(struct gzFile_s *) = dlsym(RTLD_NEXT, "gzclose");
	int status = real(file);

	if (fails("gzclose")) {
		errno = EIO;
		return -1;
	}
	return status;
}
