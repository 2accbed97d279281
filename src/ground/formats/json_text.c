/* json_text.c - which texts JSON takes as they are */
#include "formats/json_text.h"

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
