/* json_text.c - texts as JSON strings */
#include "formats/json_text.h"

#include <string.h>

#include "base/str.h"

void json_put_text(struct out *out, const char *text)
{
	size_t left = strlen(text);

	out_char(out, '"');
	while (left > 0) {
		unsigned char c = (unsigned char)*text;
		int n = c < 0x80 ? 1 : str_utf8(text, left);

		if (c == '"' || c == '\\')
			out_printf(out, "\\%c", c);
		else if (c < 0x20)
			out_printf(out, "\\u%04x", c);
		else if (n == 0)
			out_str(out, "\xef\xbf\xbd");
		else
			out_write(out, text, (size_t)n);
		n = n > 0 ? n : 1;
		text += n;
		left -= (size_t)n;
	}
	out_char(out, '"');
}

static const char *digits(const char *text)
{
	while (*text >= '0' && *text <= '9')
		text++;
	return text;
}

bool json_is_number(const char *text)
{
	const char *from = text += *text == '-';

	text = digits(text);
	if (text == from || (*from == '0' && text > from + 1))
		return false;
	if (*text == '.') {
		from = text + 1;
		text = digits(from);
		if (text == from)
			return false;
	}
	if (*text == 'e' || *text == 'E') {
		text += 1 + (text[1] == '+' || text[1] == '-');
		from = text;
		text = digits(from);
		if (text == from)
			return false;
	}
	return *text == '\0';
}
