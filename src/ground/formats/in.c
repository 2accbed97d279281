/* in.c - input as lines or blocks: plain or gzip by content, a file or standard input */
#include "formats/in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "base/str.h"

enum { RAW_SIZE = 1 << 16, TEXT_SIZE = 1 << 18, LINE_MOST = 1 << 28 };

struct in {
	int fd;
	char *name;
	bool is_gzip, raw_ended, in_member, had_newline;
	z_stream inflater;
	unsigned char *raw; /* [RAW_SIZE]: raw_at … raw_end is read and not yet used */
	size_t raw_at, raw_end;
	char *text; /* [text_size]: at … end is decompressed and not yet handed out */
	size_t text_size, at, end;
	bool ended;
	bool has_begun; /* a byte order mark was passed over, if there is one */
	bool has_nul;   /* somewhere in what was decompressed so far */
	long lineno;
	bool is_stdin;
	bool is_copy;    /* by in_hold: of what can't be read twice */
	struct in *next; /* of held */
};

static bool stdin_is_taken;
/* By in_head and in_hold: what can't be read twice; the next in_open of it takes it up. */
static struct in *held;

/* Takes a held input out of the list; NULL: it is not there. */
static struct in *take_held(const char *path)
{
	bool is_stdin = str_eq(path, "-");

	for (struct in **in = &held; *in != NULL; in = &(*in)->next) {
		struct in *found = *in;

		if (found->is_stdin != is_stdin || (!is_stdin && !str_eq(found->name, path)))
			continue;
		*in = found->next;
		found->next = NULL;
		return found;
	}
	return NULL;
}

static void hold(struct in *in)
{
	in->next = held;
	held = in;
}

int in_error(const struct in *in, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (in->lineno == 0) /* nothing was read, or no lines */
		return err_set(err, "%s: %s", in->name, what);
	return err_set(err, "%s:%ld: %s", in->name, in->lineno, what);
}

/* More raw bytes behind those that are left. 0 or -1. */
static int read_raw(struct in *in, struct err *err)
{
	ssize_t n;

	if (in->raw_at > 0) {
		memmove(in->raw, in->raw + in->raw_at, in->raw_end - in->raw_at);
		in->raw_end -= in->raw_at;
		in->raw_at = 0;
	}
	do
		n = read(in->fd, in->raw + in->raw_end, RAW_SIZE - in->raw_end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_set(err, "%s: %s", in->name, strerror(errno));
	in->raw_ended = n == 0;
	in->raw_end += (size_t)n;
	return 0;
}

static int open_gzip(struct in *in, struct err *err)
{
	if (inflateInit2(&in->inflater, 15 + 16) != Z_OK)
		return err_set(err, "%s: zlib does not start", in->name);
	in->is_gzip = true;
	in->in_member = true;
	return 0;
}

char *const *in_paths(char *const *paths)
{
	static char *const standard_input[] = {"-", NULL};

	return paths[0] != NULL ? paths : standard_input;
}

int in_open(struct in **result, const char *path, struct err *err)
{
	bool is_stdin = str_eq(path, "-");
	struct in *in;
	struct stat st;
	int fd = STDIN_FILENO;

	*result = take_held(path);
	if (*result != NULL)
		return 0;
	if (is_stdin && stdin_is_taken)
		return err_set(err, "-: standard input is named twice");
	if (!is_stdin && (fd = open(path, O_RDONLY | O_CLOEXEC)) < 0)
		return err_set(err, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (!is_stdin)
			close(fd);
		return err_set(err, "%s: is a directory; expected a file", path);
	}
	stdin_is_taken |= is_stdin;
	in = xcalloc(1, sizeof(*in));
	in->fd = fd;
	in->is_stdin = is_stdin;
	in->name = xstrdup(is_stdin ? "standard input" : path);
	in->raw = xmalloc(RAW_SIZE);
	*result = in;
	while (in->raw_end < 2 && !in->raw_ended)
		if (read_raw(in, err) != 0)
			goto fail;
	if (in->raw_end >= 2 && in->raw[0] == 0x1f && in->raw[1] == 0x8b && open_gzip(in, err) != 0)
		goto fail;
	return 0;
fail:
	in_close(in);
	*result = NULL;
	return -1;
}

void in_close(struct in *in)
{
	if (in == NULL)
		return;
	if (in->is_gzip)
		inflateEnd(&in->inflater);
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	free(in->name);
	free(in->raw);
	free(in->text);
	free(in);
}

static ssize_t plain_block(struct in *in, char *block, size_t size, struct err *err)
{
	size_t n = in->raw_end - in->raw_at;
	ssize_t got;

	if (n > 0) {
		if (n > size)
			n = size;
		memcpy(block, in->raw + in->raw_at, n);
		in->raw_at += n;
		return (ssize_t)n;
	}
	if (in->raw_ended)
		return 0;
	do
		got = read(in->fd, block, size);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return err_set(err, "%s: %s", in->name, strerror(errno));
	in->raw_ended = got == 0;
	return got;
}

/* After the end of a member: another one may follow, or nothing; trailing junk is refused. */
static int next_member(struct in *in, struct err *err)
{
	while (in->raw_end - in->raw_at < 2 && !in->raw_ended)
		if (read_raw(in, err) != 0)
			return -1;
	if (in->raw_at == in->raw_end)
		return 0;
	if (in->raw_end - in->raw_at < 2 || in->raw[in->raw_at] != 0x1f ||
	    in->raw[in->raw_at + 1] != 0x8b)
		return err_set(err, "%s: something that is not gzip follows the gzip data",
			       in->name);
	inflateReset(&in->inflater);
	in->in_member = true;
	return 0;
}

static ssize_t gzip_block(struct in *in, char *block, size_t size, struct err *err)
{
	in->inflater.next_out = (unsigned char *)block;
	in->inflater.avail_out = (unsigned)size;
	while (in->inflater.avail_out == size) {
		int status;

		if (!in->in_member) {
			if (next_member(in, err) != 0)
				return -1;
			if (!in->in_member)
				return 0;
		}
		if (in->raw_at == in->raw_end && !in->raw_ended && read_raw(in, err) != 0)
			return -1;
		if (in->raw_at == in->raw_end)
			return in_error(in, err, "the gzip data is truncated");
		in->inflater.next_in = in->raw + in->raw_at;
		in->inflater.avail_in = (unsigned)(in->raw_end - in->raw_at);
		status = inflate(&in->inflater, Z_NO_FLUSH);
		in->raw_at = in->raw_end - in->inflater.avail_in;
		if (status == Z_STREAM_END)
			in->in_member = false;
		else if (status != Z_OK && status != Z_BUF_ERROR)
			return in_error(in, err, "the gzip data is damaged");
	}
	return (ssize_t)(size - in->inflater.avail_out);
}

static ssize_t fill_block(struct in *in, char *block, size_t size, struct err *err)
{
	if (size > INT32_MAX)
		size = INT32_MAX;
	return in->is_gzip ? gzip_block(in, block, size, err) : plain_block(in, block, size, err);
}

/* Makes room behind the text and fills it. 0 or -1; in->ended when there is no more. */
static int fill_text(struct in *in, struct err *err)
{
	ssize_t n;

	if (in->at > 0) {
		memmove(in->text, in->text + in->at, in->end - in->at);
		in->end -= in->at;
		in->at = 0;
	}
	if (in->end + 1 >= in->text_size) {
		if (in->text_size >= LINE_MOST)
			return in_error(in, err, "the line has more than 256 MiB");
		in->text_size = in->text_size ? in->text_size * 2 : TEXT_SIZE;
		in->text = xrealloc(in->text, in->text_size, 1);
	}
	n = fill_block(in, in->text + in->end, in->text_size - in->end - 1, err);
	if (n < 0)
		return -1;
	in->ended = n == 0;
	in->has_nul = in->has_nul || memchr(in->text + in->end, '\0', (size_t)n) != NULL;
	in->end += (size_t)n;
	return 0;
}

/* Before the first line or block: a byte order mark is passed over. */
static int begin(struct in *in, struct err *err)
{
	while (!in->ended && in->end - in->at < 3)
		if (fill_text(in, err) != 0)
			return -1;
	if (in->end - in->at >= 3 && memcmp(in->text + in->at, "\xEF\xBB\xBF", 3) == 0)
		in->at += 3;
	in->has_begun = true;
	return 0;
}

ssize_t in_block(struct in *in, char *block, size_t size, struct err *err)
{
	size_t n;

	if (!in->has_begun && begin(in, err) != 0)
		return -1;
	n = in->end - in->at;
	if (n == 0)
		return fill_block(in, block, size, err);
	if (n > size)
		n = size;
	memcpy(block, in->text + in->at, n);
	in->at += n;
	return (ssize_t)n;
}

int in_line(struct in *in, char **line, size_t *length, struct err *err)
{
	size_t looked = 0, n;
	char *newline = NULL;

	if (!in->has_begun && begin(in, err) != 0)
		return -1;
	in->lineno++;
	for (;;) {
		if (in->end > in->at + looked)
			newline =
				memchr(in->text + in->at + looked, '\n', in->end - in->at - looked);
		if (newline != NULL || in->ended)
			break;
		looked = in->end - in->at;
		if (fill_text(in, err) != 0)
			return -1;
	}
	in->had_newline = newline != NULL;
	if (newline == NULL && in->at == in->end) {
		in->lineno--;
		return 0;
	}
	*line = in->text + in->at;
	n = newline != NULL ? (size_t)(newline - *line) : in->end - in->at;
	in->at += n + (newline != NULL);
	if (n > 0 && (*line)[n - 1] == '\r')
		n--;
	(*line)[n] = '\0';
	if (in->has_nul && memchr(*line, '\0', n) != NULL)
		return in_error(in, err, "a NUL byte: this is not text");
	if (length != NULL)
		*length = n;
	return 1;
}

int in_all(struct in *in, char **text, size_t *n, size_t limit, struct err *err)
{
	struct buf all = {0};
	char block[1 << 15];
	ssize_t got;

	*text = NULL;
	while ((got = in_block(in, block, sizeof(block), err)) > 0) {
		if (all.n + (size_t)got > limit) {
			buf_free(&all);
			return err_set(err, "%s: more than %zu bytes", in->name, limit);
		}
		buf_add(&all, block, (size_t)got);
	}
	if (got < 0) {
		buf_free(&all);
		return -1;
	}
	buf_add(&all, "", 0);
	*text = all.text;
	*n = all.n;
	return 0;
}

/* It can be opened and read once more. */
static bool is_read_again(const struct in *in)
{
	struct stat st;

	return in->fd != STDIN_FILENO && !in->is_copy && fstat(in->fd, &st) == 0 &&
	       S_ISREG(st.st_mode);
}

int in_head(const char *path, char *head, size_t size, size_t *n, struct err *err)
{
	struct in *in;
	int status = in_open(&in, path, err);

	if (status != 0)
		return -1;
	if (status == 0 && !in->has_begun)
		status = begin(in, err);
	while (status == 0 && !in->ended && in->end - in->at < size)
		status = fill_text(in, err);
	*n = in->end - in->at < size ? in->end - in->at : size;
	memcpy(head, in->text + in->at, status == 0 ? *n : 0);
	head[status == 0 ? *n : 0] = '\0';
	if (status == 0 && !is_read_again(in))
		hold(in);
	else
		in_close(in);
	return status;
}

/* Everything that in gives, at the beginning of a file without a name. NULL with a message. */
static FILE *copy_all(struct in *in, struct err *err)
{
	FILE *copy = tmpfile();
	char block[1 << 15];
	ssize_t n = 0;

	if (copy == NULL) {
		err_set(err, "%s: no temporary file: %s", in->name, strerror(errno));
		return NULL;
	}
	while ((n = in_block(in, block, sizeof(block), err)) > 0)
		if (fwrite(block, 1, (size_t)n, copy) != (size_t)n)
			break;
	if (n == 0 && fflush(copy) == 0 && fseek(copy, 0, SEEK_SET) == 0)
		return copy;
	if (n >= 0)
		err_set(err, "%s: the temporary copy can't be written: %s", in->name,
			strerror(errno));
	fclose(copy);
	return NULL;
}

int in_hold(const char *path, struct err *err)
{
	struct in *in, *again;
	FILE *copy;

	if (in_open(&in, path, err) != 0)
		return -1;
	if (is_read_again(in)) {
		in_close(in);
		return 0;
	}
	copy = copy_all(in, err);
	if (copy != NULL) {
		again = xcalloc(1, sizeof(*again));
		again->fd = dup(fileno(copy));
		again->is_stdin = in->is_stdin;
		again->name = xstrdup(in->name);
		again->raw = xmalloc(RAW_SIZE);
		again->is_copy = true;
		fclose(copy);
		hold(again);
	}
	in_close(in);
	return copy != NULL ? 0 : -1;
}

int in_again(struct in *in, struct err *err)
{
	if (!in->is_copy) {
		in_close(in);
		return 0;
	}
	if (lseek(in->fd, 0, SEEK_SET) != 0) {
		err_set(err, "%s: %s", in->name, strerror(errno));
		in_close(in);
		return -1;
	}
	in->raw_at = in->raw_end = in->at = in->end = 0;
	in->raw_ended = in->ended = false;
	in->lineno = 0;
	hold(in);
	return 0;
}

const char *in_name(const struct in *in)
{
	return in->name;
}

long in_lineno(const struct in *in)
{
	return in->lineno;
}

bool in_had_newline(const struct in *in)
{
	return in->had_newline;
}
