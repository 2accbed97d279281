/* out.c - output that is whole or not there */
#include "formats/out.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/str.h"

enum { OUT_SIZE = 1 << 16, OUT_MOST = 16, NAME_MOST = 4096 };

struct out {
	int fd, error; /* error: errno of the first trouble */
	char *path, *unfinished;
	gzFile gzip;
	char *text; /* [OUT_SIZE] */
	size_t n;
	int slot;
};

/* The unfinished files, where a signal's handler can reach them: fixed storage, set and cleared by
 * one flag that is written last. */
static struct {
	volatile sig_atomic_t used;
	char name[NAME_MOST];
} unfinished[OUT_MOST];

static void remove_unfinished(void)
{
	for (int i = 0; i < OUT_MOST; i++)
		if (unfinished[i].used)
			unlink(unfinished[i].name);
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
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ};
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

/* A new file beside the one that is meant, with the permissions that a new file would have. */
static int create_beside(struct out *out, struct err *err)
{
	mode_t mask = umask(0);
	sigset_t all, before;
	char *name = xasprintf("%s.XXXXXX", out->path);

	umask(mask);
	for (out->slot = 0; out->slot < OUT_MOST && unfinished[out->slot].used;)
		out->slot++;
	if (out->slot == OUT_MOST || strlen(name) >= NAME_MOST) {
		free(name);
		return err_set(err, "%s: too many open outputs, or too long a name", out->path);
	}
	watch_the_end();
	/* a signal waits until its handler knows the name */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	out->fd = mkstemp(name);
	if (out->fd >= 0) {
		memcpy(unfinished[out->slot].name, name, strlen(name) + 1);
		unfinished[out->slot].used = 1;
	} else {
		err_set(err, "%s: %s", out->path, strerror(errno));
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (out->fd < 0) {
		free(name);
		return -1;
	}
	out->unfinished = name;
	fchmod(out->fd, 0666 & ~mask);
	return 0;
}

/* What exists and is no regular file (/dev/full, a named pipe) is written as it is, and so is what
 * stands for an open file (/dev/stdout): its name must not be replaced. */
static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 &&
	       (!S_ISREG(st.st_mode) || str_starts(path, "/dev/") || str_starts(path, "/proc/"));
}

/* The file that is meant: behind symbolic links, which stay. */
static char *target_of(const char *path)
{
	char *real = realpath(path, NULL);

	return real != NULL ? real : xstrdup(path);
}

static void free_out(struct out *out)
{
	free(out->path);
	free(out->unfinished);
	free(out->text);
	free(out);
}

int out_open(struct out **result, const char *path, struct err *err)
{
	struct out *out = xcalloc(1, sizeof(*out));

	*result = NULL;
	out->fd = STDOUT_FILENO;
	if (path != NULL && !str_eq(path, "-")) {
		out->path = is_special(path) ? xstrdup(path) : target_of(path);
		if (is_special(path)) {
			out->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
			if (out->fd < 0)
				err_set(err, "%s: %s", path, strerror(errno));
		} else {
			out->fd = create_beside(out, err) == 0 ? out->fd : -1;
		}
		if (out->fd < 0) {
			free_out(out);
			return -1;
		}
		if (str_ends(path, ".gz"))
			out->gzip = gzdopen(dup(out->fd), "wb6");
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

bool out_failed(const struct out *out)
{
	return out->error != 0;
}

/* Closes the files and moves the finished one to its place. */
static void finish(struct out *out, bool whole)
{
	if (out->gzip != NULL && gzclose(out->gzip) != Z_OK && out->error == 0)
		out->error = errno != 0 ? errno : EIO;
	if (out->path != NULL && close(out->fd) != 0 && out->error == 0)
		out->error = errno;
	if (out->unfinished == NULL)
		return;
	if (whole && out->error == 0 && rename(out->unfinished, out->path) != 0)
		out->error = errno;
	if (!whole || out->error != 0)
		unlink(out->unfinished);
	unfinished[out->slot].used = 0;
}

int out_close(struct out *out, bool whole, struct err *err)
{
	int status = 0;

	if (out == NULL)
		return 0;
	out_flush(out);
	finish(out, whole);
	if (out->error == EPIPE)
		status = err_set(err, "%s", "");
	else if (out->error != 0)
		status = err_set(err, "%s: %s", out->path ? out->path : "standard output",
				 strerror(out->error));
	free_out(out);
	return status;
}
