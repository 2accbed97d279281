/* foreign.c - whatever a text holds, nothing of it acts in any kind of output */
#include <stdlib.h>

#include "base/foreign.h"
#include "base/letter.h"
#include "base/rng.h"
#include "check.h"

static void csv(struct buf *buf, const char *text)
{
	foreign_csv(buf, text, ",");
}

/* What acts by Unicode's own lists: categories Cc, Cf but the joiners and the soft hyphen, Zl, Zp.
 */
static bool acts(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x180e || c == 0x200b ||
	       c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
	       c == 0xfffe || c == 0xffff || (c >= 0xe0000 && c <= 0xe0fff);
}

static bool is_quiet(const char *text, const char *allowed)
{
	for (int n; *text != '\0'; text += n) {
		uint32_t letter = letter_read(text, LETTER_MOST - 1, &n);

		/* a byte of Latin-1 stays in cells and fields */
		if (letter == LETTER_NONE ? (unsigned char)*text < 0xa0
					  : acts(letter) && strchr(allowed, *text) == NULL)
			return false;
	}
	return true;
}

static const struct {
	const char *name;
	void (*put)(struct buf *buf, const char *text);
	const char *allowed, *never; /* letters that act and may stay; that may only be escaped */
} kinds[] = {
	{"text", foreign_text, "", ""},     {"markdown", foreign_markdown, "", ""},
	{"xml", foreign_xml, "", "<>\"'"},  {"html", foreign_html, "", "\"'"},
	{"json", foreign_json, "", ""},     {"yaml", foreign_yaml, "", ""},
	{"dot", foreign_dot, "", ""},       {"shell", foreign_shell, "", ""},
	{"csv", csv, "\t\n", ""},           {"cell", foreign_cell, "", "#\t\n"},
	{"meta", foreign_meta, "", "\t\n"},
};

static void check_all(const char *text)
{
	struct buf buf = {0};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		buf_clear(&buf);
		kinds[i].put(&buf, text);
		if (!is_quiet(buf.text, kinds[i].allowed) ||
		    strpbrk(buf.text, kinds[i].never[0] != '\0' ? kinds[i].never : "\x1b") != NULL)
			check_text(buf.text, kinds[i].name, __FILE__, __LINE__);
		check_ndone++;
	}
	buf_free(&buf);
}

/* Every character, alone; a honest one stays what it is in text. */
static void check_letters(void)
{
	for (uint32_t c = 1; c <= 0x10ffff;
	     c += c < 0x3000 || (c >= 0xd000 && c < 0x11000) ? 1 : 61) {
		char text[5] = {0}, *at = text, shown[LETTER_MOST];
		int n, nread;

		if (c < 0x80)
			*at++ = (char)c;
		else if (c < 0x800)
			*at++ = (char)(0xc0 | c >> 6);
		else if (c < 0x10000)
			*at++ = (char)(0xe0 | c >> 12);
		else
			*at++ = (char)(0xf0 | c >> 18);
		for (int shift = c < 0x80      ? -6
				 : c < 0x800   ? 0
				 : c < 0x10000 ? 6
					       : 12;
		     shift >= 0; shift -= 6)
			*at++ = (char)(0x80 | (c >> shift & 0x3f));
		n = (int)(at - text);
		CHECK(letter_read(text, 4, &nread) ==
		      (c >= 0xd800 && c < 0xe000 ? LETTER_NONE : c));
		CHECK(nread == (c >= 0xd800 && c < 0xe000 ? 1 : n));
		CHECK(letter_is_active(c) == acts(c));
		if (!acts(c) && (c < 0xd800 || c >= 0xe000)) {
			CHECK(letter_show(c, shown) == n);
			CHECK_TEXT(shown, text);
			CHECK(foreign_is_word(text) == (c != ' ' && c != '#'));
		}
		check_all(text);
	}
}

static void check_random(void)
{
	static const char letters[] =
		"ab\x1b\x07\n\r\t\x7f\x80\x9b\xc2\xe2\xa8\xae\xf0\xff<>&\"'#|`*_\\.,~[";
	struct rng rng = rng_make(1, "foreign", NULL, NULL);

	for (int round = 0; round < 20000; round++) {
		char text[24];
		int n = (int)rng_below(&rng, sizeof(text));

		for (int i = 0; i < n; i++)
			text[i] = letters[rng_below(&rng, sizeof(letters) - 1)];
		text[n] = '\0';
		check_all(text);
		CHECK(foreign_cell_plain(text) <= strlen(text));
	}
}

static void check_one_of(void (*put)(struct buf *buf, const char *text), const char *text,
			 const char *want)
{
	struct buf buf = {0};

	put(&buf, text);
	CHECK_TEXT(buf.text, want);
	buf_free(&buf);
}

int main(void)
{
	check_letters();
	check_random();
	check_one_of(foreign_text, "a\x1b[1m\n\xc2\x9b\xe2\x80\xae", "a␛[1m␊��");
	check_one_of(foreign_markdown, "<b>|&lt;`7~2", "\\<b\\>\\|\\&lt;\\`7\\~2");
	check_one_of(foreign_html, "<b>", "<bdi>&lt;b&gt;</bdi>");
	check_one_of(foreign_json, "\"\\\n\x7f\xff\xf3\xa0\x80\x81",
		     "\"\\\"\\\\\\u000a\\u007f�\\udb40\\udc01\"");
	check_one_of(foreign_yaml, "\xf3\xa0\x80\x81", "\"\\U000e0001\"");
	check_one_of(foreign_dot, "a\"\\N", "\"a\\\"\\\\N\"");
	check_one_of(foreign_shell, "it's\nx", "'it'\\''s␊x'");
	check_one_of(csv, "a", "a");
	check_one_of(csv, "a,\"\n", "\"a,\"\"\n\"");
	check_one_of(foreign_cell, "a\tb#\xe9\x9b", "a_b_\xe9_");
	check_one_of(foreign_cell, ".", "_");
	check_one_of(foreign_meta, "a#\nb", "a#_b");
	return check_done();
}
