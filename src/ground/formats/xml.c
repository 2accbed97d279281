/* xml.c - XML as a stream of tags */
#include "formats/xml.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/str.h"

enum { BLOCK_SIZE = 1 << 16, TOKEN_MOST = 1 << 20, DEPTH_MOST = 256 };

struct attribute {
	const char *name, *value;
};

struct xml {
	struct in *in;
	char *block; /* [BLOCK_SIZE]: at … end is read and not yet used */
	size_t at, end;
	long line;
	bool ended;
	struct buf text, tag; /* tag: what is between < and >, cut up by parse_tag */
	VEC(struct attribute) attributes;
	const char *name;
	bool closes_next; /* after <a/> */
	char *open[DEPTH_MOST];
	int depth;
};

struct xml *xml_new(struct in *in)
{
	struct xml *xml = xcalloc(1, sizeof(*xml));

	xml->in = in;
	xml->block = xmalloc(BLOCK_SIZE);
	xml->line = 1;
	return xml;
}

void xml_free(struct xml *xml)
{
	if (xml == NULL)
		return;
	for (int i = 0; i < xml->depth; i++)
		free(xml->open[i]);
	free(xml->block);
	free(xml->attributes.at);
	buf_free(&xml->text);
	buf_free(&xml->tag);
	free(xml);
}

int xml_error(const struct xml *xml, struct err *err, const char *fmt, ...)
{
	char what[900];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	return err_set(err, "%s:%ld: %s", in_name(xml->in), xml->line, what);
}

/* The next byte; -1: the end; -2: error. */
static int next_byte(struct xml *xml, struct err *err)
{
	unsigned char c;

	if (xml->at == xml->end) {
		ssize_t n = xml->ended ? 0 : in_block(xml->in, xml->block, BLOCK_SIZE, err);

		if (n < 0)
			return -2;
		xml->ended = n == 0;
		if (n == 0)
			return -1;
		xml->at = 0;
		xml->end = (size_t)n;
	}
	c = (unsigned char)xml->block[xml->at++];
	xml->line += c == '\n';
	return c;
}

static int add_byte(struct xml *xml, struct buf *buf, int c, struct err *err)
{
	if (c == 0)
		return xml_error(xml, err, "a NUL byte: this is not XML");
	if (buf->n >= TOKEN_MOST)
		return xml_error(xml, err, "a tag or text of more than 1 MiB");
	buf_char(buf, (char)c);
	return 0;
}

/* ---- character references ---- */

static void add_character(struct buf *buf, uint64_t c)
{
	if (c < 0x80) {
		buf_char(buf, (char)c);
	} else if (c < 0x800) {
		buf_char(buf, (char)(0xc0 | c >> 6));
		buf_char(buf, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		buf_char(buf, (char)(0xe0 | c >> 12));
		buf_char(buf, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_char(buf, (char)(0x80 | (c & 0x3f)));
	} else {
		buf_char(buf, (char)(0xf0 | c >> 18));
		buf_char(buf, (char)(0x80 | (c >> 12 & 0x3f)));
		buf_char(buf, (char)(0x80 | (c >> 6 & 0x3f)));
		buf_char(buf, (char)(0x80 | (c & 0x3f)));
	}
}

static int hexadecimal(const char *text, uint64_t *value)
{
	*value = 0;
	if (*text == '\0' || strlen(text) > 6)
		return -1;
	for (; *text != '\0'; text++) {
		const char *digits = "0123456789abcdef", *at = strchr(digits, *text | 0x20);

		if (at == NULL)
			return -1;
		*value = *value * 16 + (uint64_t)(at - digits);
	}
	return 0;
}

/* "amp", "#38", "#x26" */
static int add_reference(const struct xml *xml, struct buf *buf, const char *name, struct err *err)
{
	static const struct {
		const char *name;
		char c;
	} named[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
	uint64_t c;
	int status;

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (str_eq(name, named[i].name)) {
			buf_char(buf, named[i].c);
			return 0;
		}
	status = name[0] != '#'   ? -1
		 : name[1] == 'x' ? hexadecimal(name + 2, &c)
				  : num_uint(name + 1, 0x10ffff, &c);
	if (status != 0 || c == 0 || c > 0x10ffff)
		return xml_error(xml, err, "'&%.20s;' is not a character reference", name);
	add_character(buf, c);
	return 0;
}

/* Resolves the references of buf in place: they only get shorter. */
static int resolve(const struct xml *xml, char *text, struct err *err)
{
	char *to = text;
	struct buf one = {0};
	int status = 0;

	while (*text != '\0' && status == 0) {
		char *semicolon;

		if (*text != '&') {
			*to++ = *text++;
			continue;
		}
		semicolon = strchr(text, ';');
		if (semicolon == NULL) {
			status = xml_error(xml, err, "an '&' that begins no character reference");
			break;
		}
		*semicolon = '\0';
		buf_clear(&one);
		status = add_reference(xml, &one, text + 1, err);
		if (status == 0)
			memcpy(to, one.text, one.n);
		to += one.n;
		text = semicolon + 1;
	}
	*to = '\0';
	buf_free(&one);
	return status;
}

/* ---- tags ---- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char *skip_blanks(char *p)
{
	while (is_blank(*p))
		p++;
	return p;
}

static char *skip_name(char *p)
{
	while (*p != '\0' && !is_blank(*p) && strchr("=/>\"'<", *p) == NULL)
		p++;
	return p;
}

/* name="value" at *at; moves *at behind it. */
static int parse_attribute(struct xml *xml, char **at, struct err *err)
{
	char *name = *at, *end = skip_name(name), *value, quote;

	*at = skip_blanks(end);
	if (end == name || **at != '=')
		return xml_error(xml, err, "<%s>: an attribute without its value", xml->name);
	value = skip_blanks(*at + 1);
	quote = *value;
	if (quote != '"' && quote != '\'')
		return xml_error(xml, err, "<%s>: the value of an attribute is not in quotes",
				 xml->name);
	*at = strchr(++value, quote);
	if (*at == NULL)
		return xml_error(xml, err, "<%s>: a quote that does not close", xml->name);
	*end = '\0';
	*(*at)++ = '\0';
	if (resolve(xml, value, err) != 0)
		return -1;
	vec_push(&xml->attributes, (struct attribute){name, value});
	return 0;
}

static int open_element(struct xml *xml, struct err *err)
{
	if (xml->depth == DEPTH_MOST)
		return xml_error(xml, err, "nested too deeply");
	xml->open[xml->depth++] = xstrdup(xml->name);
	return XML_OPEN;
}

static int close_element(struct xml *xml, struct err *err)
{
	if (xml->depth == 0 || !str_eq(xml->open[xml->depth - 1], xml->name))
		return xml_error(xml, err, "</%s> closes nothing", xml->name);
	free(xml->open[--xml->depth]);
	xml->attributes.n = 0;
	return XML_CLOSE;
}

/* What is between < and >, which is in xml->tag. */
static int parse_tag(struct xml *xml, struct err *err)
{
	char *p = xml->tag.text, *end;
	bool closes = *p == '/';

	xml->attributes.n = 0;
	xml->name = p + closes;
	end = skip_name(p + closes);
	if (end == xml->name)
		return xml_error(xml, err, "a tag without a name");
	p = skip_blanks(end);
	if (closes) {
		if (*p != '\0')
			return xml_error(xml, err, "a closing tag with more than its name");
		*end = '\0';
		return close_element(xml, err);
	}
	if (p == end && *p != '\0' && *p != '/')
		return xml_error(xml, err, "a tag with a quote or '=' in its name");
	if (p > end)
		*end = '\0';
	while (*p != '\0' && *p != '/') {
		if (parse_attribute(xml, &p, err) != 0)
			return -1;
		p = skip_blanks(p);
	}
	if (*p == '/' && p[1] != '\0')
		return xml_error(xml, err, "a '/' amid the tag");
	xml->closes_next = *p == '/';
	*end = '\0';
	return open_element(xml, err);
}

/* Takes bytes until the tag ends at a '>' outside quotes. */
static int read_tag(struct xml *xml, struct err *err)
{
	int quote = 0, c;

	buf_clear(&xml->tag);
	while ((c = next_byte(xml, err)) >= 0) {
		if (quote == 0 && c == '>')
			break;
		if (add_byte(xml, &xml->tag, c, err) != 0)
			return -1;
		if (quote == 0 && (c == '"' || c == '\''))
			quote = c;
		else if (c == quote)
			quote = 0;
		if (xml->tag.n == 3 && memcmp(xml->tag.text, "!--", 3) == 0)
			return 0;
		if (xml->tag.n == 8 && memcmp(xml->tag.text, "![CDATA[", 8) == 0)
			return 0;
	}
	if (c == -2)
		return -1;
	if (c == -1)
		return xml_error(xml, err, "ends within a tag");
	buf_add(&xml->tag, "", 0);
	return 0;
}

/* Takes bytes up to the end mark ("-->", "]]>"), into text when it is not NULL. */
static int read_until(struct xml *xml, const char *mark, struct buf *text, struct err *err)
{
	int last = 0, before = 0, c;

	while ((c = next_byte(xml, err)) >= 0) {
		if (c == '>' && last == mark[1] && before == mark[0]) {
			if (text != NULL)
				text->n -= 2;
			return 0;
		}
		if (text != NULL && add_byte(xml, text, c, err) != 0)
			return -1;
		before = last;
		last = c;
	}
	return c == -2 ? -1 : xml_error(xml, err, "ends before its '%s'", mark);
}

/* CDATA is text as it is: its & must not be resolved. */
static int read_cdata(struct xml *xml, struct err *err)
{
	struct buf raw = {0};
	int status = read_until(xml, "]]>", &raw, err);

	for (size_t i = 0; i < raw.n && status == 0; i++)
		buf_str(&xml->text, raw.text[i] == '&' ? "&amp;" : (char[]){raw.text[i], '\0'});
	buf_free(&raw);
	return status;
}

/* A tag that is none of the document's: 1; else 0. */
static int skip_special(struct xml *xml, struct err *err)
{
	const char *tag = xml->tag.text;

	if (xml->tag.n == 3 && memcmp(tag, "!--", 3) == 0)
		return read_until(xml, "-->", NULL, err) == 0 ? 1 : -1;
	if (xml->tag.n == 8 && memcmp(tag, "![CDATA[", 8) == 0)
		return read_cdata(xml, err) == 0 ? 1 : -1;
	if (xml->tag.n > 0 && tag[0] == '?')
		return 1;
	if (xml->tag.n > 0 && tag[0] == '!') {
		if (memchr(tag, '[', xml->tag.n) != NULL)
			return xml_error(xml, err,
					 "a DOCTYPE with declarations, which are not read");
		return 1;
	}
	return 0;
}

/* The text up to the next '<': 1, or 0 at the end of the document. */
static int read_text(struct xml *xml, struct err *err)
{
	int c;

	while ((c = next_byte(xml, err)) >= 0) {
		if (c == '<')
			return 1;
		if (add_byte(xml, &xml->text, c, err) != 0)
			return -1;
	}
	if (c == -2)
		return -1;
	if (xml->depth > 0)
		return xml_error(xml, err, "ends before its </%s>", xml->open[xml->depth - 1]);
	return 0;
}

int xml_next(struct xml *xml, struct err *err)
{
	int status;

	buf_clear(&xml->text);
	buf_add(&xml->text, "", 0);
	if (xml->closes_next) {
		xml->closes_next = false;
		return close_element(xml, err);
	}
	do {
		status = read_text(xml, err);
		if (status <= 0)
			return status;
		if (read_tag(xml, err) != 0)
			return -1;
		status = skip_special(xml, err);
	} while (status == 1);
	if (status < 0 || resolve(xml, xml->text.text, err) != 0)
		return -1;
	return parse_tag(xml, err);
}

const char *xml_name(const struct xml *xml)
{
	return xml->name;
}

const char *xml_attribute(const struct xml *xml, const char *name)
{
	for (size_t i = 0; i < xml->attributes.n; i++)
		if (str_eq(xml->attributes.at[i].name, name))
			return xml->attributes.at[i].value;
	return NULL;
}

const char *xml_text(const struct xml *xml)
{
	return xml->text.text;
}

int xml_depth(const struct xml *xml)
{
	return xml->depth;
}
