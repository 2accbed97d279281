/* hostlist.c - Slurm's node lists: nid[00001-00016,00020],login1 */
#include "formats/hostlist.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/num.h"

enum { BRACKETS_MOST = 16, NAMES_MOST = 1 << 24, NAME_MOST = 256 };

/* ---- reading ---- */

/* One name with its brackets: text between them, and the list inside each. */
struct walk {
	hostlist_add_fn *add;
	hostlist_run_fn *add_run; /* NULL: every name comes alone */
	void *context;
	struct err *err;
	long nnames;
	char name[NAME_MOST];
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_separator(char c)
{
	return c == ',' || is_blank(c);
}

static int expand(struct walk *walk, const char *text, size_t n, size_t length);

static int put_number(struct walk *walk, uint64_t number, int width, const char *rest, size_t n,
		      size_t length)
{
	char digits[NUM_TEXT];
	int ndigits = snprintf(digits, sizeof(digits), "%0*llu", width, (unsigned long long)number);

	if (length + (size_t)ndigits >= NAME_MOST)
		return err_set(walk->err, "a node name has more than %d letters", NAME_MOST - 1);
	memcpy(walk->name + length, digits, (size_t)ndigits);
	return expand(walk, rest, n, length + (size_t)ndigits);
}

/* Digits of text up to the first letter of stops (or the end at n). */
static int read_number(const char *text, size_t n, uint64_t *number, int *width)
{
	char digits[20];
	size_t i = 0;

	while (i < n && text[i] >= '0' && text[i] <= '9')
		i++;
	if (i == 0 || i >= sizeof(digits))
		return -1;
	memcpy(digits, text, i);
	digits[i] = '\0';
	*width = (int)i;
	return num_uint(digits, INT64_MAX, number);
}

/* All names of a range at once, if no callback needs each. 1: done; 0: one by one; -1 */
static int offer_run(struct walk *walk, struct hostlist_run *run, size_t length)
{
	int status;

	/* the longest number still fits a name, and no bracket follows */
	if (walk->add_run == NULL || length + 20 + run->nsuffix >= NAME_MOST ||
	    memchr(run->suffix, '[', run->nsuffix) != NULL ||
	    memchr(run->suffix, ']', run->nsuffix) != NULL)
		return 0;
	run->prefix = walk->name;
	run->nprefix = length;
	status = walk->add_run(walk->context, run, walk->err);
	if (status != 1)
		return status;
	walk->nnames += (long)(run->last - run->first) + 1;
	return walk->nnames > NAMES_MOST ? err_set(walk->err, "more than %d nodes", NAMES_MOST) : 1;
}

/* One element of a bracket: "7" or "00001-00016"; rest [n] follows the bracket. */
static int expand_range(struct walk *walk, const char *range, size_t nrange, const char *rest,
			size_t n, size_t length)
{
	uint64_t first, last;
	int width, last_width, status;

	if (read_number(range, nrange, &first, &width) != 0)
		return err_set(walk->err, "'%.*s' in brackets is not a number or a range",
			       (int)nrange, range);
	if ((size_t)width == nrange)
		return put_number(walk, first, width, rest, n, length);
	if (range[width] != '-' ||
	    read_number(range + width + 1, nrange - (size_t)width - 1, &last, &last_width) != 0 ||
	    (size_t)(width + 1 + last_width) != nrange)
		return err_set(walk->err, "'%.*s' in brackets is not a number or a range",
			       (int)nrange, range);
	if (last < first)
		return err_set(walk->err, "the range '%.*s' runs backwards", (int)nrange, range);
	if (last - first >= NAMES_MOST)
		return err_set(walk->err, "the range '%.*s' has more than %d nodes", (int)nrange,
			       range, NAMES_MOST);
	status = offer_run(
		walk,
		&(struct hostlist_run){
			.first = first, .last = last, .width = width, .suffix = rest, .nsuffix = n},
		length);
	if (status != 0)
		return status == 1 ? 0 : -1;
	for (uint64_t i = first; i <= last; i++)
		if (put_number(walk, i, width, rest, n, length) != 0)
			return -1;
	return 0;
}

/* The rest [n] of a name whose first length letters are in walk->name. */
static int expand(struct walk *walk, const char *text, size_t n, size_t length)
{
	const char *open = memchr(text, '[', n), *close;
	size_t plain = open != NULL ? (size_t)(open - text) : n;

	if (memchr(text, ']', plain) != NULL)
		return err_set(walk->err, "a ']' without its '['");
	if (length + plain >= NAME_MOST)
		return err_set(walk->err, "a node name has more than %d letters", NAME_MOST - 1);
	memcpy(walk->name + length, text, plain);
	length += plain;
	if (open == NULL) {
		if (++walk->nnames > NAMES_MOST)
			return err_set(walk->err, "more than %d nodes", NAMES_MOST);
		walk->name[length] = '\0';
		return walk->add(walk->context, walk->name, length, walk->err);
	}
	close = memchr(open, ']', n - plain);
	if (close == NULL)
		return err_set(walk->err, "a '[' without its ']'");
	for (const char *p = open + 1;; p++) {
		const char *comma = memchr(p, ',', (size_t)(close - p));
		const char *end = comma != NULL ? comma : close;

		if (expand_range(walk, p, (size_t)(end - p), close + 1,
				 n - (size_t)(close + 1 - text), length) != 0)
			return -1;
		if (comma == NULL)
			return 0;
		p = comma;
	}
}

static int no_name(struct err *err)
{
	return err_set(err, "a node list has a comma without a name before or behind it");
}

int hostlist_walk(const char *text, hostlist_add_fn *add, void *context, struct err *err)
{
	return hostlist_walk_runs(text, add, NULL, context, err);
}

int hostlist_walk_runs(const char *text, hostlist_add_fn *add, hostlist_run_fn *add_run,
		       void *context, struct err *err)
{
	struct walk walk = {.add = add, .add_run = add_run, .context = context, .err = err};
	bool wants_name = false; /* after a comma */

	/* a few letters can name more than anybody has: that is found before any is made */
	if (hostlist_count(text) > NAMES_MOST)
		return err_set(err, "more than %d nodes", NAMES_MOST);
	while (*text != '\0') {
		int depth = 0, nbrackets = 0;
		size_t n = 0;

		if (is_blank(*text)) {
			text++;
			continue;
		}
		if (*text == ',') {
			if (wants_name || walk.nnames == 0)
				return no_name(err);
			wants_name = true;
			text++;
			continue;
		}
		wants_name = false;
		for (; text[n] != '\0' && (depth > 0 || !is_separator(text[n])); n++) {
			if (text[n] == '[' && (depth++ > 0 || ++nbrackets > BRACKETS_MOST))
				return err_set(err, "too many brackets in a node list");
			if (text[n] == ']' && depth > 0)
				depth--;
		}
		if (expand(&walk, text, n, 0) != 0)
			return -1;
		text += n;
	}
	return wants_name ? no_name(err) : 0;
}

static int64_t product(int64_t a, int64_t b)
{
	return a > 0 && b > INT64_MAX / a ? INT64_MAX : a * b;
}

static int64_t sum(int64_t a, int64_t b)
{
	return b > INT64_MAX - a ? INT64_MAX : a + b;
}

/* The elements of a bracket, from behind the '[' on; *end: where its ']' is, or the text ends. */
static int64_t count_bracket(const char *text, const char **end)
{
	int64_t n = 0;

	for (;;) {
		size_t length = 0, dash;
		uint64_t first, last;
		int width;

		while (text[length] != '\0' && text[length] != ',' && text[length] != ']' &&
		       text[length] != '-')
			length++;
		dash = length;
		while (text[length] != '\0' && text[length] != ',' && text[length] != ']')
			length++;
		if (dash < length && read_number(text, dash, &first, &width) == 0 &&
		    read_number(text + dash + 1, length - dash - 1, &last, &width) == 0 &&
		    last >= first)
			n = sum(n, (int64_t)(last - first));
		n = sum(n, 1);
		text += length;
		if (*text != ',')
			break;
		text++;
	}
	*end = text;
	return n;
}

int64_t hostlist_count(const char *text)
{
	int64_t all = 0, one = 0; /* one: names of the element that is being read; 0: between two */

	for (; *text != '\0'; text += *text != '\0') {
		if (is_separator(*text)) {
			all = sum(all, one);
			one = 0;
			continue;
		}
		one = one > 0 ? one : 1;
		if (*text == '[')
			one = product(one, count_bracket(text + 1, &text));
	}
	return sum(all, one);
}

/* ---- writing ---- */

static void close_bracket(struct hostlist *list)
{
	if (list->is_open == 2) {
		if (list->last != list->first)
			buf_printf(&list->text, "-%0*lld", list->width, (long long)list->last);
		buf_char(&list->text, ']');
	} else if (list->is_open == 1 && list->last != list->first) {
		/* one run only: its number is plainly at the end of the text */
		char digits[NUM_TEXT];
		int n = snprintf(digits, sizeof(digits), "%0*lld", list->width,
				 (long long)list->first);

		list->text.n -= (size_t)n;
		buf_printf(&list->text, "[%s-%0*lld]", digits, list->width, (long long)list->last);
	}
	list->is_open = 0;
}

/* Begins another element of the open bracket, opening it if this is the second one. */
static void next_element(struct hostlist *list, int64_t number, const char *digits, int width)
{
	if (list->is_open == 1) {
		char first[NUM_TEXT];
		int n = snprintf(first, sizeof(first), "%0*lld", list->width,
				 (long long)list->first);

		list->text.n -= (size_t)n;
		buf_printf(&list->text, "[%s", first);
		list->is_open = 2;
	}
	if (list->last != list->first)
		buf_printf(&list->text, "-%0*lld", list->width, (long long)list->last);
	buf_char(&list->text, ',');
	buf_str(&list->text, digits);
	list->first = list->last = number;
	list->width = width;
}

void hostlist_add(struct hostlist *list, const char *name, size_t n)
{
	char digits[20];
	size_t at = n;
	int64_t number;

	while (at > 0 && n - at < 18 && name[at - 1] >= '0' && name[at - 1] <= '9')
		at--;
	memcpy(digits, name + at, n - at);
	digits[n - at] = '\0';
	if (at == n || num_int(digits, 0, INT64_MAX, &number) != 0) {
		close_bracket(list);
		buf_str(&list->text, list->text.n > 0 ? "," : "");
		buf_add(&list->text, name, n);
		return;
	}
	if (list->is_open != 0 && list->prefix.n == at &&
	    memcmp(buf_text(&list->prefix), name, at) == 0) {
		int ndigits = (int)(n - at);

		/* the next number, written as wide as the bracket writes it */
		if (number == list->last + 1 &&
		    (ndigits == list->width || (ndigits > list->width && digits[0] != '0')))
			list->last++;
		else
			next_element(list, number, digits, ndigits);
		return;
	}
	close_bracket(list);
	buf_str(&list->text, list->text.n > 0 ? "," : "");
	buf_add(&list->text, name, n);
	buf_clear(&list->prefix);
	buf_add(&list->prefix, name, at);
	list->first = list->last = number;
	list->width = (int)(n - at);
	list->is_open = 1;
}

void hostlist_extend(struct hostlist *list, int64_t n)
{
	list->last += n;
}

const char *hostlist_text(struct hostlist *list)
{
	close_bracket(list);
	return buf_text(&list->text);
}

void hostlist_clear(struct hostlist *list)
{
	buf_clear(&list->text);
	buf_clear(&list->prefix);
	list->is_open = 0;
}

void hostlist_free(struct hostlist *list)
{
	buf_free(&list->text);
	buf_free(&list->prefix);
	*list = (struct hostlist){0};
}
