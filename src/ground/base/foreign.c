/* foreign.c - texts that others wrote, such as the name of a job, in each kind of output */
#include "base/foreign.h"

#include <string.h>

#include "base/letter.h"

/* What stands for a letter in one kind of output: for one of ASCII that its readers take for more
 * than itself, and for one that acts. */
struct kind {
	const char *special; /* letters of ASCII */
	void (*put_special)(struct buf *buf, char c);
	void (*put_active)(struct buf *buf, uint32_t letter, const char *byte);
};

/* Text of which most is plain is added in long pieces. */
static void put(struct buf *buf, const struct kind *kind, const char *text)
{
	bool is_special[0x80] = {false};
	const char *from = text;

	for (const char *c = kind->special; *c != '\0'; c++)
		is_special[(unsigned char)*c] = true;
	while (*text != '\0') {
		int n = 1;
		bool is_ascii = (unsigned char)*text < 0x80;
		uint32_t letter =
			is_ascii ? (unsigned char)*text : letter_read(text, LETTER_MOST - 1, &n);
		bool acts = letter_is_active(letter);

		if (acts || (is_ascii && is_special[letter])) {
			buf_add(buf, from, (size_t)(text - from));
			from = text + n;
			if (acts)
				kind->put_active(buf, letter, text);
			else
				kind->put_special(buf, *text);
		}
		text += n;
	}
	buf_add(buf, from, (size_t)(text - from));
}

static void show(struct buf *buf, uint32_t letter, const char *byte)
{
	char shown[LETTER_MOST];

	(void)byte;
	buf_add(buf, shown, (size_t)letter_show(letter, shown));
}

static void put_escaped(struct buf *buf, char c)
{
	buf_char(buf, '\\');
	buf_char(buf, c);
}

void foreign_text(struct buf *buf, const char *text)
{
	put(buf, &(struct kind){"", NULL, show}, text);
}

void foreign_markdown(struct buf *buf, const char *text)
{
	put(buf, &(struct kind){"|\\*_`<>[&~", put_escaped, show}, text);
}

static void put_entity(struct buf *buf, char c)
{
	buf_str(buf, c == '&'   ? "&amp;"
		     : c == '<' ? "&lt;"
		     : c == '>' ? "&gt;"
		     : c == '"' ? "&quot;"
				: "&#39;");
}

void foreign_xml(struct buf *buf, const char *text)
{
	put(buf, &(struct kind){"&<>\"'", put_entity, show}, text);
}

void foreign_html(struct buf *buf, const char *text)
{
	buf_str(buf, "<bdi>");
	foreign_xml(buf, text);
	buf_str(buf, "</bdi>");
}

/* \u001b; a character beyond 16 bits is a pair. */
static void put_code(struct buf *buf, uint32_t letter, const char *byte)
{
	(void)byte;
	if (letter == LETTER_NONE)
		buf_str(buf, "\xef\xbf\xbd");
	else if (letter >= 0x10000)
		buf_printf(buf, "\\u%04x\\u%04x", 0xd800 + ((letter - 0x10000) >> 10),
			   0xdc00 + (letter & 0x3ff));
	else
		buf_printf(buf, "\\u%04x", letter);
}

void foreign_json(struct buf *buf, const char *text)
{
	buf_char(buf, '"');
	put(buf, &(struct kind){"\"\\", put_escaped, put_code}, text);
	buf_char(buf, '"');
}

/* YAML has no pairs. */
static void put_yaml_code(struct buf *buf, uint32_t letter, const char *byte)
{
	if (letter != LETTER_NONE && letter >= 0x10000)
		buf_printf(buf, "\\U%08x", letter);
	else
		put_code(buf, letter, byte);
}

void foreign_yaml(struct buf *buf, const char *text)
{
	buf_char(buf, '"');
	put(buf, &(struct kind){"\"\\", put_escaped, put_yaml_code}, text);
	buf_char(buf, '"');
}

void foreign_dot(struct buf *buf, const char *text)
{
	buf_char(buf, '"');
	put(buf, &(struct kind){"\"\\", put_escaped, show}, text);
	buf_char(buf, '"');
}

static void put_shell_quote(struct buf *buf, char c)
{
	(void)c;
	buf_str(buf, "'\\''");
}

void foreign_shell(struct buf *buf, const char *text)
{
	buf_char(buf, '\'');
	put(buf, &(struct kind){"'", put_shell_quote, show}, text);
	buf_char(buf, '\'');
}

static void put_twice(struct buf *buf, char c)
{
	buf_char(buf, c);
	buf_char(buf, c);
}

/* A field of CSV may have several lines; other programs make keys of it. */
static void put_in_field(struct buf *buf, uint32_t letter, const char *byte)
{
	bool stays = letter == '\t' || letter == '\n' ||
		     (letter == LETTER_NONE && (unsigned char)*byte >= 0xa0);

	buf_char(buf, stays ? *byte : '_');
}

void foreign_csv(struct buf *buf, const char *text, const char *delimiter)
{
	bool is_quoted = strpbrk(text, "\"\r\n") != NULL || strstr(text, delimiter) != NULL;

	buf_str(buf, is_quoted ? "\"" : "");
	put(buf, &(struct kind){"\"", put_twice, put_in_field}, text);
	buf_str(buf, is_quoted ? "\"" : "");
}

/* ---- cells ---- */

static void put_blank(struct buf *buf, char c)
{
	(void)c;
	buf_char(buf, '_');
}

/* A byte that is not UTF-8 stays what it is: a name of Latin-1 is still a key. */
static void put_in_cell(struct buf *buf, uint32_t letter, const char *byte)
{
	buf_char(buf, letter == LETTER_NONE && (unsigned char)*byte >= 0xa0 ? *byte : '_');
}

void foreign_cell(struct buf *buf, const char *text)
{
	if (text[0] == '.' && text[1] == '\0')
		text = "_";
	put(buf, &(struct kind){"#", put_blank, put_in_cell}, text);
}

void foreign_meta(struct buf *buf, const char *text)
{
	put(buf, &(struct kind){"", NULL, put_in_cell}, text);
}

bool foreign_is_word(const char *text)
{
	bool is_word = *text != '\0';

	for (int n; is_word && *text != '\0'; text += n)
		is_word = *text != ' ' && *text != '#' &&
			  !letter_is_active(letter_read(text, LETTER_MOST - 1, &n));
	return is_word;
}

size_t foreign_cell_plain(const char *text)
{
	size_t n = 0;

	while ((unsigned char)text[n] < 0x7f &&
	       (text[n] > '#' || text[n] == ' ' || text[n] == '!' || text[n] == '"'))
		n++;
	return n;
}
