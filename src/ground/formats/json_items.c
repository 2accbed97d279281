/* json_items.c - a large JSON document one item at a time */
#include "formats/json_items.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"
#include "formats/json.h"

enum { BLOCK = 1 << 16, ITEM_MOST = 64 << 20 };

/* Where the reading is. */
enum place { AT_START, IN_OBJECT, IN_LIST, AT_END };

struct json_items {
	struct in *in;
	char block[BLOCK];
	size_t at, n;
	long line, first_line; /* here; of the value that was read last */
	enum place place;
	bool is_outer_list, is_first; /* nothing was read of this object or list yet */
	char *key;
	struct buf text;
	struct yaml_file *file; /* of the item */
	struct err *err;
};

struct json_items *json_items_new(struct in *in)
{
	struct json_items *items = xcalloc(1, sizeof(*items));

	items->in = in;
	items->line = 1;
	return items;
}

void json_items_free(struct json_items *items)
{
	if (items == NULL)
		return;
	yaml_close(items->file);
	buf_free(&items->text);
	free(items->key);
	free(items);
}

long json_items_line(const struct json_items *items)
{
	return items->first_line;
}

static int fail(struct json_items *items, const char *what)
{
	return err_set(items->err, "%s:%ld: %s", in_name(items->in), items->line, what);
}

/* Whether there is a byte at items->at. 1, 0 at the end, -1. */
static int fill(struct json_items *items)
{
	ssize_t n;

	if (items->at < items->n)
		return 1;
	n = in_block(items->in, items->block, BLOCK, items->err);
	if (n < 0)
		return -1;
	items->at = 0;
	items->n = (size_t)n;
	return n > 0;
}

/* The next byte that is no blank, which stays; 0: the end; -1: no input. */
static int peek(struct json_items *items)
{
	int status;

	while ((status = fill(items)) == 1) {
		char c = items->block[items->at];

		if (c == '\n')
			items->line++;
		else if (c != ' ' && c != '\t' && c != '\r')
			return c != '\0' ? (unsigned char)c
					 : fail(items, "a NUL byte: this is not JSON");
		items->at++;
	}
	return status;
}

/* ---- one value, as text ---- */

/* A value ends at the closing bracket of its first one, at a quote, or before what follows. */
struct span {
	int depth;
	bool in_string, is_escaped, is_plain;
};

/* Whether the value ends at c; *takes: c belongs to it. */
static bool ends_at(struct span *span, char c, bool *takes)
{
	*takes = true;
	if (span->in_string) {
		if (span->is_escaped)
			span->is_escaped = false;
		else if (c == '\\')
			span->is_escaped = true;
		else if (c == '"')
			span->in_string = false;
		return !span->in_string && span->depth == 0;
	}
	if (c == '"' && !span->is_plain) {
		span->in_string = true;
		return false;
	}
	if ((c == '{' || c == '[') && !span->is_plain) {
		span->depth++;
		return false;
	}
	if (span->depth > 0)
		return (c == '}' || c == ']') && --span->depth == 0;
	span->is_plain = true;
	*takes = strchr(" \t\r\n,]}", c) == NULL;
	return !*takes;
}

/* Collects a value into items->text. */
static int collect(struct json_items *items)
{
	struct span span = {0};
	bool is_ended = false;
	int status = 1;

	buf_clear(&items->text);
	while (!is_ended && (status = fill(items)) == 1) {
		size_t begin = items->at;
		bool takes = true;

		while (items->at < items->n && !is_ended) {
			char c = items->block[items->at];

			is_ended = ends_at(&span, c, &takes);
			if (!is_ended || takes) {
				items->line += c == '\n';
				items->at++;
			}
		}
		buf_add(&items->text, items->block + begin, items->at - begin);
		if (items->text.n > ITEM_MOST)
			return fail(items, "an item of more than 64 MiB");
	}
	if (status < 0)
		return -1;
	return is_ended || (span.is_plain && items->text.n > 0)
		       ? 0
		       : fail(items, "the document ends too early");
}

/* The value that begins here becomes items->file. */
static int read_value(struct json_items *items)
{
	struct err why;
	size_t n;

	items->first_line = items->line;
	if (collect(items) != 0)
		return -1;
	yaml_close(items->file);
	if (json_open_text(&items->file, in_name(items->in), items->text.text, items->text.n,
			   &why) == 0)
		return 0;
	items->file = NULL;
	/* its lines count from the beginning of the item */
	n = strlen(in_name(items->in));
	if (strncmp(why.msg, in_name(items->in), n) == 0 && why.msg[n] == ':') {
		size_t ndigits = strspn(why.msg + n + 1, "0123456789");
		uint64_t line = 1;

		num_digits(why.msg + n + 1, ndigits, &line);
		return err_set(items->err, "%s:%ld%s", in_name(items->in),
			       items->first_line + (long)line - 1, why.msg + n + 1 + ndigits);
	}
	*items->err = why;
	return -1;
}

/* ---- the skeleton ---- */

static int begin(struct json_items *items)
{
	int c = peek(items);

	if (c < 0)
		return -1;
	if (c != '{' && c != '[')
		return fail(items, "expected a JSON object");
	items->at++;
	items->is_first = true;
	items->is_outer_list = c == '[';
	items->place = c == '[' ? IN_LIST : IN_OBJECT;
	if (c == '[')
		items->key = xstrdup("");
	return 0;
}

static int finish(struct json_items *items)
{
	int c = peek(items);

	items->place = AT_END;
	return c > 0 ? fail(items, "something follows the document") : c;
}

/* Before an item: a comma, unless it is the first one. 1: an item comes; 0: close came; -1. */
static int step(struct json_items *items, char close)
{
	int c = peek(items);
	bool is_first = items->is_first;

	items->is_first = false;
	if (c < 0)
		return -1;
	if (c == 0)
		return fail(items, "the document ends too early");
	if (c == close) {
		items->at++;
		return 0;
	}
	if (is_first)
		return 1;
	if (c != ',')
		return fail(items,
			    close == '}' ? "expected a ',' or '}'" : "expected a ',' or ']'");
	items->at++;
	c = peek(items);
	if (c == 0 || c == close)
		return fail(items, c == 0 ? "the document ends too early" : "expected a value");
	return c < 0 ? -1 : 1;
}

static int read_key(struct json_items *items)
{
	int c = peek(items);

	if (c < 0)
		return -1;
	if (c != '"')
		return fail(items, "expected a key in quotes");
	if (read_value(items) != 0)
		return -1;
	free(items->key);
	items->key = xstrdup(yaml_root(items->file)->text);
	c = peek(items);
	if (c != ':')
		return c < 0 ? -1 : fail(items, "expected a ':'");
	items->at++;
	return 0;
}

/* The next key of the object. 1: *is_value: its value was read; else a list begins. */
static int next_key(struct json_items *items, bool *is_value)
{
	int status = step(items, '}'), c;

	if (status <= 0)
		return status;
	if (read_key(items) != 0)
		return -1;
	c = peek(items);
	if (c <= 0)
		return c < 0 ? -1 : fail(items, "the document ends too early");
	*is_value = c != '[';
	if (*is_value)
		return read_value(items) == 0 ? 1 : -1;
	items->at++;
	items->is_first = true;
	items->place = IN_LIST;
	return 1;
}

int json_items_next(struct json_items *items, const char **key, const struct yaml **item,
		    struct err *err)
{
	items->err = err;
	if (items->place == AT_START && begin(items) != 0)
		return -1;
	while (items->place != AT_END) {
		bool is_value = true;
		int status =
			items->place == IN_LIST ? step(items, ']') : next_key(items, &is_value);

		if (status < 0)
			return -1;
		if (status == 0 && (items->place == IN_OBJECT || items->is_outer_list)) {
			if (finish(items) != 0)
				return -1;
			break;
		}
		if (status == 0) {
			items->place = IN_OBJECT;
			items->is_first = false;
			continue;
		}
		if (!is_value)
			continue; /* a list has begun */
		if (items->place == IN_LIST && read_value(items) != 0)
			return -1;
		*key = items->key;
		*item = yaml_root(items->file);
		return 1;
	}
	return 0;
}
