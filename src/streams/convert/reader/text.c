/* text.c - what readers of text reports share */
#include "convert/reader/text.h"

#include <string.h>

#include "base/mem.h"
#include "base/num.h"

int text_read_files(char *const *paths, text_read_fn *read, void *context, struct err *err)
{
	for (; *paths != NULL; paths++) {
		struct in *in;
		int status;

		if (in_open(&in, *paths, err) != 0)
			return -1;
		status = read(context, in, err);
		in_close(in);
		if (status != 0)
			return -1;
	}
	return 0;
}

struct lines {
	text_line_fn *read;
	void *context;
};

static int read_lines(void *context, struct in *in, struct err *err)
{
	const struct lines *lines = context;
	char *line;
	int status;

	while ((status = in_line(in, &line, NULL, err)) == 1)
		if (lines->read(lines->context, in, line, err) != 0)
			return -1;
	return status;
}

int text_read_lines(char *const *paths, text_line_fn *read, void *context, struct err *err)
{
	struct lines lines = {read, context};

	return text_read_files(paths, read_lines, &lines, err);
}

struct pairs {
	const char *what;
	text_pair_fn *take;
	void *context;
};

static int read_pair(void *context, struct in *in, char *line, struct err *err)
{
	const struct pairs *pairs = context;
	char *words[3];
	int n;

	line[strcspn(line, "#")] = '\0';
	n = text_words(line, words, 3);
	if (n == 2)
		pairs->take(pairs->context, words[0], words[1]);
	return n == 0 || n == 2 ? 0 : in_error(in, err, "expected %s", pairs->what);
}

int text_read_pairs(const char *path, const char *what, text_pair_fn *take, void *context,
		    struct err *err)
{
	struct pairs pairs = {what, take, context};
	char *const paths[] = {(char *)path, NULL};

	return text_read_lines(paths, read_pair, &pairs, err);
}

int text_words_of(char *line, size_t n, char **words, int max)
{
	size_t start = 0;
	int nwords = 0;

	for (size_t i = 0; i < n; i += 8) { /* eight letters at a time */
		uint64_t found = text_find(line + i, n - i, ' ') | text_find(line + i, n - i, '\t');

		for (; found != 0; found &= found - 1) {
			size_t at = i + (size_t)__builtin_ctzll(found) / 8;

			if (at > start) {
				if (nwords == max)
					return max;
				words[nwords++] = line + start;
			}
			line[at] = '\0';
			start = at + 1;
		}
	}
	if (start < n && nwords < max)
		words[nwords++] = line + start;
	return nwords;
}

int text_words(char *line, char **words, int max)
{
	return text_words_of(line, strlen(line), words, max);
}

int text_percent(const char *text, double *fraction)
{
	char scaled[64];
	size_t n = strcspn(text, "%");

	if (text[n] == '%' && text[n + 1] != '\0')
		return -1;
	if (n == 0 || n + 4 > sizeof(scaled) || strspn(text, "0123456789.") < n)
		return -1;
	memcpy(scaled, text, n);
	memcpy(scaled + n, "e-2", 4);
	return num_real(scaled, 0, 1e15, fraction);
}

char *text_program(const char *command)
{
	size_t n;

	command += strspn(command, " \t\"'");
	n = strcspn(command, " \t\"'");
	for (size_t i = n; i-- > 0;)
		if (command[i] == '/') {
			command += i + 1;
			n -= i + 1;
			break;
		}
	return n > 0 ? xstrndup(command, n) : NULL;
}
