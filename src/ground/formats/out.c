/* out.c - output that is whole or not there */
#include "formats/out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/foreign.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum { OUT_SIZE = 1 << 16, OUT_MOST = 16, NAME_MOST = 256, UNFINISHED_MOST = 100 };

struct out {
	int fd, error; /* errno of the first write error */
	char *path;    /* as it was given; NULL: standard output */
	struct file_place place;
	const char *command;
	gzFile gzip;
	char *text;         /* [OUT_SIZE] */
	struct buf foreign; /* the text being made harmless */
	size_t n;
	int slot; /* of unfinished; -1: none */
};

/* The unfinished files, where a signal's handler can reach them: fixed storage, set and cleared by
 * one flag that is written last. */
static struct {
	volatile sig_atomic_t used;
	int folder;
	char name[NAME_MOST];
} unfinished[OUT_MOST];

/* The unfinished folder; "": none. */
static struct {
	volatile sig_atomic_t used;
	char path[4096];
} unfinished_folder;

/* What is in a folder, and the folder: with calls only that a signal's handler may make. */
static void remove_folder(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	union {
		struct dirent64 entry;
		char bytes[4096];
	} room;
	long n, nremoved = 1;

	/* until a pass finds nothing: what was removed meanwhile may hide what was not */
	for (; fd >= 0 && nremoved > 0 && lseek(fd, 0, SEEK_SET) == 0;)
		for (nremoved = 0; (n = syscall(SYS_getdents64, fd, room.bytes, sizeof(room))) > 0;)
			for (long i = 0; i < n;) {
				const struct dirent64 *entry = (const void *)(room.bytes + i);

				i += entry->d_reclen;
				if (str_eq(entry->d_name, ".") || str_eq(entry->d_name, ".."))
					continue;
				if (unlinkat(fd, entry->d_name, 0) == 0)
					nremoved++;
				else if (errno == EISDIR || errno == EPERM)
					remove_folder(fd, entry->d_name);
			}
	if (fd >= 0)
		close(fd);
	unlinkat(at, name, AT_REMOVEDIR);
}

static void remove_unfinished(void)
{
	if (unfinished_folder.used)
		remove_folder(AT_FDCWD, unfinished_folder.path);
	for (int i = 0; i < OUT_MOST; i++)
		if (unfinished[i].used)
			unlinkat(unfinished[i].folder, unfinished[i].name, 0);
}

static void on_signal(int number)
{
	remove_unfinished();
	signal(number, SIG_DFL);
	raise(number);
}

/* Once: remove what is unfinished at the end, whichever way it comes. */
static void watch_the_end(void)
{
	static const int numbers[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE,
				      SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM};
	static bool is_watching;

	if (is_watching)
		return;
	is_watching = true;
	atexit(remove_unfinished);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sigaction old, action = {.sa_handler = on_signal};

		if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	}
}

int out_folder_make(char *template)
{
	sigset_t all, before;
	int status = -1;

	if (unfinished_folder.used || strlen(template) >= sizeof(unfinished_folder.path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	watch_the_end();
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (mkdtemp(template) != NULL) {
		memcpy(unfinished_folder.path, template, strlen(template) + 1);
		unfinished_folder.used = 1;
		status = 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

void out_folder_end(bool is_kept)
{
	if (unfinished_folder.used && !is_kept)
		remove_folder(AT_FDCWD, unfinished_folder.path);
	unfinished_folder.used = 0;
}

static bool is_at(int fd, int folder, const char *name)
{
	struct stat here, there;

	return fstat(fd, &here) == 0 && fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* Whoever writes an unfinished file holds its lock: one without was left by a run that was killed,
 * and is removed if it is the user's own. */
static void clear_stale(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(fd, folder, name))
		unlinkat(folder, name, 0);
	close(fd);
}

/* A new, locked file NAME.unfinished in the folder, or NAME.unfinished-N while others write to the
 * same NAME; -1 with errno. */
static int create_unfinished(const struct file_place *place, mode_t mode, char name[NAME_MOST])
{
	for (int i = 0; i < UNFINISHED_MOST; i++) {
		int n = snprintf(name, NAME_MOST, i > 0 ? "%s.unfinished-%d" : "%s.unfinished",
				 place->name, i);
		int fd;

		if (n >= NAME_MOST) {
			errno = ENAMETOOLONG;
			return -1;
		}
		clear_stale(place->folder, name);
		fd = openat(place->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			return -1;
		if (fd < 0)
			continue;
		flock(fd, LOCK_EX); /* some file systems have none: then nothing is stale */
		if (is_at(fd, place->folder, name))
			return fd;
		close(fd); /* it was taken for stale before it was locked */
	}
	errno = EEXIST;
	return -1;
}

/* Refuses at the beginning what the end would be refused: a file that may not be written, or that
 * only its owner may replace. */
static int check_old(const struct out *out, const struct stat *old, struct err *err)
{
	struct stat folder;

	if (faccessat(out->place.folder, out->place.name, W_OK, AT_EACCESS) != 0)
		return err_set(err, "%s: %s", out->path, strerror(errno));
	if (geteuid() != 0 && fstat(out->place.folder, &folder) == 0 &&
	    (folder.st_mode & S_ISVTX) != 0 && old->st_uid != geteuid() &&
	    folder.st_uid != geteuid())
		return err_set(err, "%s: %s", out->path, strerror(EPERM));
	return 0;
}

/* The group and the mode of the file that is replaced, and its owner where that is allowed. */
static int keep_old(const struct out *out, const struct stat *old, struct err *err)
{
	struct stat now;

	if (fstat(out->fd, &now) != 0)
		return err_set(err, "%s: %s", out->path, strerror(errno));
	if (now.st_gid != old->st_gid && fchown(out->fd, (uid_t)-1, old->st_gid) != 0)
		return err_set(err, "%s: its group can't be kept: %s", out->path, strerror(errno));
	if (fchmod(out->fd, old->st_mode & 07777) != 0)
		return err_set(err, "%s: its mode can't be kept: %s", out->path, strerror(errno));
	if (now.st_uid != old->st_uid && fchown(out->fd, old->st_uid, (gid_t)-1) != 0)
		return 0; /* only root gives files away; the group can still do what it could */
	return 0;
}

/* A new file beside the one that is meant, with the permissions that this one has or would have. */
static int create_beside(struct out *out, struct err *err)
{
	struct stat old;
	bool is_old = fstatat(out->place.folder, out->place.name, &old, AT_SYMLINK_NOFOLLOW) == 0;
	sigset_t all, before;
	char name[NAME_MOST];

	if (is_old && check_old(out, &old, err) != 0)
		return -1;
	for (out->slot = 0; out->slot < OUT_MOST && unfinished[out->slot].used;)
		out->slot++;
	if (out->slot == OUT_MOST) {
		out->slot = -1;
		return err_set(err, "%s: too many open outputs", out->path);
	}
	watch_the_end();
	/* a signal waits until its handler knows the name */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	out->fd = create_unfinished(&out->place, is_old ? 0600 : 0666, name);
	if (out->fd >= 0) {
		memcpy(unfinished[out->slot].name, name, strlen(name) + 1);
		unfinished[out->slot].folder = out->place.folder;
		unfinished[out->slot].used = 1;
	} else {
		err_set(err, "%s: %s", out->path, strerror(errno));
		out->slot = -1;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (out->fd < 0)
		return -1;
	return is_old ? keep_old(out, &old, err) : 0;
}

/* What exists and is no regular file (/dev/full, a named pipe) is written as it is, and so is what
 * represents an open file (/dev/stdout): its name must not be replaced. */
static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	       (!S_ISREG(st.st_mode) || str_starts(path, "/dev/") || str_starts(path, "/proc/"));
}

/* The unfinished file has its place, or is gone. */
static void forget_name(struct out *out)
{
	unfinished[out->slot].used = 0;
	out->slot = -1;
}

static void remove_own(struct out *out)
{
	if (out->slot < 0)
		return;
	unlinkat(out->place.folder, unfinished[out->slot].name, 0);
	forget_name(out);
}

static void free_out(struct out *out)
{
	file_place_close(&out->place);
	free(out->path);
	free(out->text);
	buf_free(&out->foreign);
	free(out);
}

/* The number of a path that represents an open file: /dev/stdout, /dev/fd/7; -1: it does not. */
static int open_file_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	int64_t number;

	if (str_eq(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (str_eq(path, "/dev/stderr"))
		return STDERR_FILENO;
	for (int i = 0; i < 2; i++)
		if (str_starts(path, folders[i]) &&
		    num_int(path + strlen(folders[i]), 0, INT32_MAX, &number) == 0)
			return (int)number;
	return -1;
}

static int open_path(struct out *out, struct err *err)
{
	int number = open_file_of(out->path);

	if (number >= 0) { /* opened again, it would begin at the file's start */
		out->fd = fcntl(number, F_DUPFD_CLOEXEC, 0);
		return out->fd >= 0 ? 0 : err_set(err, "%s: %s", out->path, strerror(errno));
	}
	if (is_special(out->path)) {
		out->fd = open(out->path, O_WRONLY | O_APPEND | O_CLOEXEC);
		return out->fd >= 0 ? 0 : err_set(err, "%s: %s", out->path, strerror(errno));
	}
	out->fd = -1;
	if (file_place_find(&out->place, out->path, err) == 0 && create_beside(out, err) == 0)
		return 0;
	remove_own(out);
	if (out->fd >= 0)
		close(out->fd);
	return -1;
}

static int open_gzip(struct out *out, struct err *err)
{
	int copy = fcntl(out->fd, F_DUPFD_CLOEXEC, 0);

	errno = copy >= 0 ? ENOMEM : errno;
	out->gzip = copy >= 0 ? gzdopen(copy, "wb6") : NULL;
	if (out->gzip != NULL)
		return 0;
	err_set(err, "%s: %s", out->path, strerror(errno));
	if (copy >= 0)
		close(copy);
	return -1;
}

int out_open(struct out **result, const char *path, const char *command, struct err *err)
{
	struct out *out = xcalloc(1, sizeof(*out));

	*result = NULL;
	out->fd = STDOUT_FILENO;
	out->slot = -1;
	out->place.folder = -1;
	out->command = command;
	if (path != NULL && !str_eq(path, "-")) {
		out->path = xstrdup(path);
		if (open_path(out, err) != 0) {
			free_out(out);
			return -1;
		}
		if (str_ends(path, ".gz") && open_gzip(out, err) != 0) {
			remove_own(out);
			close(out->fd);
			free_out(out);
			return -1;
		}
	}
	out->text = xmalloc(OUT_SIZE);
	*result = out;
	return 0;
}

static void write_all(struct out *out, const char *text, size_t n)
{
	while (n > 0 && out->error == 0) {
		ssize_t did;

		if (out->gzip != NULL) {
			did = gzwrite(out->gzip, text, (unsigned)n);
			if (did <= 0)
				out->error = errno != 0 ? errno : EIO;
		} else {
			did = write(out->fd, text, n);
			if (did < 0 && errno == EINTR)
				continue;
			if (did < 0)
				out->error = errno;
		}
		if (out->error == 0) {
			text += did;
			n -= (size_t)did;
		}
	}
}

void out_flush(struct out *out)
{
	write_all(out, out->text, out->n);
	out->n = 0;
}

void out_write(struct out *out, const char *text, size_t n)
{
	if (n > OUT_SIZE - out->n) {
		out_flush(out);
		if (n >= OUT_SIZE) {
			while (n > 0) {
				size_t part = n < (1u << 30) ? n : (1u << 30);

				write_all(out, text, part);
				text += part;
				n -= part;
			}
			return;
		}
	}
	if (n > 0) /* text may be NULL then */
		memcpy(out->text + out->n, text, n);
	out->n += n;
}

void out_str(struct out *out, const char *text)
{
	out_write(out, text, strlen(text));
}

void out_char(struct out *out, char c)
{
	out_write(out, &c, 1);
}

void out_foreign(struct out *out, void (*put)(struct buf *buf, const char *text), const char *text)
{
	buf_clear(&out->foreign);
	put(&out->foreign, text);
	out_write(out, out->foreign.text, out->foreign.n);
}

void out_csv(struct out *out, const char *text, const char *delimiter)
{
	buf_clear(&out->foreign);
	foreign_csv(&out->foreign, text, delimiter);
	out_write(out, out->foreign.text, out->foreign.n);
}

void out_printf(struct out *out, const char *fmt, ...)
{
	char small[512], *large = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(small, sizeof(small), fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(small)) {
		large = xmalloc((size_t)n + 1);
		va_start(ap, fmt);
		vsnprintf(large, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	out_write(out, large != NULL ? large : small, (size_t)n);
	free(large);
}

const char *out_command(const struct out *out)
{
	return out->command;
}

bool out_failed(const struct out *out)
{
	return out->error != 0;
}

int out_check(const struct out *out, struct err *err)
{
	return out_failed(out) ? err_set(err, "the output can't be written") : 0;
}

/* A power failure leaves the old file or the new one: what is in it is on the disk before it has
 * its name, and then the name. What can't be synced (EINVAL) needs no sync. */
static int place_finished(struct out *out)
{
	int folder = openat(out->place.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;

	/* a folder that may be written but not read stays without */
	if (folder < 0 && errno != EACCES && errno != EPERM)
		return errno;
	if ((fsync(out->fd) != 0 && errno != EINVAL) ||
	    renameat(out->place.folder, unfinished[out->slot].name, out->place.folder,
		     out->place.name) != 0)
		code = errno;
	else
		forget_name(out);
	if (code == 0 && folder >= 0 && fsync(folder) != 0 && errno != EINVAL)
		code = errno;
	if (folder >= 0)
		close(folder);
	return code;
}

/* Moves the finished file to its place, and then closes it: until then it is locked. */
static void finish(struct out *out, bool whole)
{
	int copy;

	if (out->gzip != NULL && gzclose(out->gzip) != Z_OK && out->error == 0)
		out->error = errno != 0 ? errno : EIO;
	/* close may report earlier write errors (NFS); the lock stays with
	 * the other */
	if (out->path != NULL && ((copy = dup(out->fd)) < 0 || close(copy) != 0) && out->error == 0)
		out->error = errno;
	if (out->slot >= 0 && whole && out->error == 0)
		out->error = place_finished(out);
	remove_own(out);
	if (out->path != NULL)
		close(out->fd);
}

int out_close(struct out *out, bool whole, struct err *err)
{
	int status = 0;

	if (out == NULL)
		return 0;
	out_flush(out);
	finish(out, whole);
	if (out->error == EPIPE)
		status = err_reader_gone(err);
	else if (out->error != 0)
		status = err_set(err, "%s: %s", out->path ? out->path : "standard output",
				 strerror(out->error));
	free_out(out);
	return status;
}

int out_finish(struct out *out, int status, bool whole, struct err *err)
{
	struct err why;

	if (out_close(out, whole && status == 0, &why) == 0)
		return status;
	*err = why;
	return -1;
}
