/* json.c - a JSON document as the same tree as YAML's */
#include "formats/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/mem.h"
#include "base/str.h"
#include "formats/in.h"
#include "formats/yaml_priv.h"

#define FILE_MOST ((size_t)1 << 30)
enum { DEPTH_MOST = 64, KEYS_FEW = 16 };

struct parser {
	struct yaml_file *file;
	const char *at, *end;
	long line;
	struct err *err;
};

static struct yaml *fail(struct parser *parser, const char *what)
{
	err_set(parser->err, "%s:%ld: %s", parser->file->name, parser->line, what);
	return NULL;
}

static void skip_blanks(struct parser *parser)
{
	for (; parser->at < parser->end; parser->at++) {
		char c = *parser->at;

		if (c == '\n')
			parser->line++;
		else if (c != ' ' && c != '\t' && c != '\r')
			return;
	}
}

/* The next letter that is no blank; 0: the end. */
static char peek(struct parser *parser)
{
	skip_blanks(parser);
	return parser->at < parser->end ? *parser->at : '\0';
}

static struct yaml *new_item(struct parser *parser, enum yaml_type type)
{
	struct yaml *item = arena_alloc(&parser->file->arena, sizeof(*item));

	*item = (struct yaml){.type = type, .line = parser->line};
	return item;
}

/* ---- scalars ---- */

/* Four hexadecimal digits; -1: others. */
static int hex4(const char *p, const char *end)
{
	int value = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		const char *digits = "0123456789abcdef";
		const char *at = p[i] != '\0' ? strchr(digits, p[i] | 0x20) : NULL;

		if (at == NULL || (p[i] < '0'))
			return -1;
		value = value * 16 + (int)(at - digits);
	}
	return value;
}

static char *put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

/* \uXXXX, of which two make one character beyond the first 65536; parser->at is at the u. */
static char *unescape_unicode(struct parser *parser, char *to)
{
	int first = hex4(parser->at + 1, parser->end), second;
	uint32_t c = (uint32_t)first;

	if (first <= 0)
		return NULL;
	parser->at += 5;
	if (first >= 0xd800 && first <= 0xdbff) {
		if (parser->end - parser->at < 6 || parser->at[0] != '\\' || parser->at[1] != 'u')
			return NULL;
		second = hex4(parser->at + 2, parser->end);
		if (second < 0xdc00 || second > 0xdfff)
			return NULL;
		c = 0x10000 + ((c - 0xd800) << 10) + ((uint32_t)second - 0xdc00);
		parser->at += 6;
	} else if (first >= 0xdc00 && first <= 0xdfff) {
		return NULL;
	}
	return put_utf8(to, c);
}

/* The letter behind a backslash; parser->at is there, and moves behind it. NULL: no escape. */
static char *unescape(struct parser *parser, char *to)
{
	static const char from[] = "\"\\/bfnrt", made[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (parser->at == parser->end)
		return NULL;
	if (*parser->at == 'u')
		return unescape_unicode(parser, to);
	found = *parser->at != '\0' ? strchr(from, *parser->at) : NULL;
	if (found == NULL)
		return NULL;
	*to++ = made[found - from];
	parser->at++;
	return to;
}

/* "…"; the text is in the arena, never longer than what was read. */
static struct yaml *read_string(struct parser *parser)
{
	struct yaml *item = new_item(parser, YAML_SCALAR);
	const char *close = ++parser->at;
	char *text, *to;

	while (close < parser->end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (close >= parser->end)
		return fail(parser, "a string without its closing quote");
	text = to = arena_alloc(&parser->file->arena, (size_t)(close - parser->at) + 1);
	while (parser->at < close) {
		unsigned char c = (unsigned char)*parser->at++;

		if (c < 0x20)
			return fail(parser, "a control character in a string");
		if (c != '\\') {
			*to++ = (char)c;
			continue;
		}
		to = unescape(parser, to);
		if (to == NULL)
			return fail(parser, "a backslash that begins no escape of JSON");
	}
	*to = '\0';
	parser->at = close + 1;
	item->text = text;
	item->n = (size_t)(to - text);
	item->is_quoted = true;
	return item;
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? */
static bool is_number(const char *text, size_t n)
{
	const char *p = text, *end = text + n, *digits;

	if (p < end && *p == '-')
		p++;
	for (digits = p; p < end && *p >= '0' && *p <= '9';)
		p++;
	if (p == digits || (*digits == '0' && p > digits + 1))
		return false;
	if (p < end && *p == '.') {
		for (digits = ++p; p < end && *p >= '0' && *p <= '9';)
			p++;
		if (p == digits)
			return false;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		for (digits = p; p < end && *p >= '0' && *p <= '9';)
			p++;
		if (p == digits)
			return false;
	}
	return p == end;
}

static struct yaml *read_plain(struct parser *parser)
{
	struct yaml *item = new_item(parser, YAML_SCALAR);
	const char *begin = parser->at;
	size_t n;

	while (parser->at < parser->end && *parser->at != '\0' &&
	       strchr(" \t\r\n,:[]{}\"", *parser->at) == NULL)
		parser->at++;
	n = (size_t)(parser->at - begin);
	if (!is_number(begin, n) && !(n == 4 && memcmp(begin, "true", 4) == 0) &&
	    !(n == 5 && memcmp(begin, "false", 5) == 0) &&
	    !(n == 4 && memcmp(begin, "null", 4) == 0))
		return fail(parser, "expected a value of JSON");
	item->text = arena_strndup(&parser->file->arena, begin, n);
	item->n = n;
	return item;
}

/* ---- lists and maps ---- */

static struct yaml *read_item(struct parser *parser, int depth);

static struct yaml **settle(struct parser *parser, struct yaml **at, size_t n)
{
	struct yaml **items = arena_alloc(&parser->file->arena, (n ? n : 1) * sizeof(*items));

	if (n > 0)
		memcpy(items, at, n * sizeof(*items));
	return items;
}

/* After an item: 1: a comma; 0: the closing bracket; -1: something else. */
static int next_or_close(struct parser *parser, char close)
{
	char c = peek(parser);

	if (c != ',' && c != close)
		return -1;
	parser->at++;
	return c == ',';
}

static struct yaml *read_list(struct parser *parser, int depth)
{
	struct yaml *list = new_item(parser, YAML_LIST);
	VEC(struct yaml *) items = {0};
	int more = 1;

	parser->at++;
	if (peek(parser) == ']') {
		parser->at++;
		more = 0;
	}
	while (more == 1) {
		struct yaml *item = read_item(parser, depth + 1);

		if (item == NULL) {
			free(items.at);
			return NULL;
		}
		vec_push(&items, item);
		more = next_or_close(parser, ']');
	}
	list->n = items.n;
	list->items = settle(parser, items.at, items.n);
	free(items.at);
	return more == 0 ? list : fail(parser, "expected a ',' or ']'");
}

/* Whether the last of keys [n] was there before; a map is made once they are many. */
static bool is_repeated(struct map *seen, struct yaml *const *keys, size_t n)
{
	const struct yaml *key = keys[n - 1];

	if (n <= KEYS_FEW) {
		for (size_t i = 0; i + 1 < n; i++)
			if (str_eq(keys[i]->text, key->text))
				return true;
		return false;
	}
	if (seen->n == 0)
		for (size_t i = 0; i + 1 < n; i++)
			map_add(seen, keys[i]->text, keys[i]->n, 1);
	if (map_get(seen, key->text, key->n) != -1)
		return true;
	map_add(seen, key->text, key->n, 1);
	return false;
}

static struct yaml *read_key(struct parser *parser)
{
	struct yaml *key;

	if (peek(parser) != '"')
		return fail(parser, "expected a key in quotes");
	key = read_string(parser);
	if (key == NULL)
		return NULL;
	if (peek(parser) != ':')
		return fail(parser, "expected a ':'");
	parser->at++;
	return key;
}

static struct yaml *read_map(struct parser *parser, int depth)
{
	struct yaml *map = new_item(parser, YAML_MAP);
	VEC(struct yaml *) keys = {0}, values = {0};
	struct map seen = {0};
	int more = 1;

	parser->at++;
	if (peek(parser) == '}') {
		parser->at++;
		more = 0;
	}
	while (more == 1) {
		struct yaml *key = read_key(parser), *value;

		more = -2; /* a message is there already */
		if (key == NULL)
			break;
		vec_push(&keys, key);
		if (is_repeated(&seen, keys.at, keys.n)) {
			err_set(parser->err, "%s:%ld: the key '%s' is there twice",
				parser->file->name, key->line, key->text);
			break;
		}
		value = read_item(parser, depth + 1);
		if (value == NULL)
			break;
		vec_push(&values, value);
		more = next_or_close(parser, '}');
	}
	map->n = values.n;
	map->keys = settle(parser, keys.at, values.n);
	map->items = settle(parser, values.at, values.n);
	map_free(&seen);
	free(keys.at);
	free(values.at);
	if (more == -1)
		return fail(parser, "expected a ',' or '}'");
	return more == 0 ? map : NULL;
}

static struct yaml *read_item(struct parser *parser, int depth)
{
	char c = peek(parser);

	if (depth > DEPTH_MOST)
		return fail(parser, "nested too deeply");
	if (c == '\0')
		return fail(parser, parser->at < parser->end ? "a NUL byte: this is not JSON"
							     : "the document ends too early");
	if (c == '{')
		return read_map(parser, depth);
	if (c == '[')
		return read_list(parser, depth);
	if (c == '"')
		return read_string(parser);
	return read_plain(parser);
}

int json_open_text(struct yaml_file **result, const char *name, const char *text, size_t n,
		   struct err *err)
{
	struct parser parser = {.at = text, .end = text + n, .line = 1, .err = err};

	*result = NULL;
	parser.file = xcalloc(1, sizeof(*parser.file));
	parser.file->name = xstrdup(name);
	parser.file->root = read_item(&parser, 0);
	if (parser.file->root != NULL && (peek(&parser) != '\0' || parser.at < parser.end))
		parser.file->root = fail(&parser, "something follows the document");
	if (parser.file->root == NULL) {
		yaml_close(parser.file);
		return -1;
	}
	*result = parser.file;
	return 0;
}

int json_open(struct yaml_file **file, const char *path, struct err *err)
{
	return yaml_open_by(file, path, FILE_MOST, json_open_text, err);
}
