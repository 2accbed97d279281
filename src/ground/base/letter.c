/* letter.c - characters of UTF-8, and which of them do something instead of being shown */
#include "base/letter.h"

uint32_t letter_read(const char *text, size_t n, int *nbytes)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)*text;
	int length = c < 0x80 ? 1 : c >> 5 == 6 ? 2 : c >> 4 == 14 ? 3 : c >> 3 == 30 ? 4 : 0;
	uint32_t code = length == 1 ? c : c & (0x7fU >> length);

	*nbytes = 1;
	if (length == 0 || (size_t)length > n)
		return LETTER_NONE;
	for (int i = 1; i < length; i++) {
		c = (unsigned char)text[i];
		if (c >> 6 != 2)
			return LETTER_NONE;
		code = code << 6 | (c & 0x3f);
	}
	/* written longer than it is; surrogates; beyond Unicode */
	if (code < least[length] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return LETTER_NONE;
	*nbytes = length;
	return code;
}

bool letter_is_active(uint32_t letter)
{
	static const uint32_t ranges[][2] = {
		{0, 0x1f},
		{0x7f, 0x9f},
		{0x61c, 0x61c},
		{0x180e, 0x180e},
		{0x200b, 0x200b},
		{0x200e, 0x200f},
		{0x2028, 0x202e},
		{0x2060, 0x206f},
		{0xfeff, 0xfeff},
		{0xfff0, 0xfffb},
		{0xfffe, 0xffff},
		{0xe0000, 0xe0fff},
		{0x110000, LETTER_NONE},
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]) && letter >= ranges[i][0]; i++)
		if (letter <= ranges[i][1])
			return true;
	return false;
}

int letter_show(uint32_t letter, char shown[LETTER_MOST])
{
	int n = 0;

	if (letter < 0x20)
		letter += 0x2400; /* the pictures of control characters */
	else if (letter == 0x7f)
		letter = 0x2421;
	else if (letter_is_active(letter))
		letter = 0xfffd;
	if (letter < 0x80) {
		shown[n++] = (char)letter;
	} else if (letter < 0x800) {
		shown[n++] = (char)(0xc0 | letter >> 6);
	} else if (letter < 0x10000) {
		shown[n++] = (char)(0xe0 | letter >> 12);
		shown[n++] = (char)(0x80 | (letter >> 6 & 0x3f));
	} else {
		shown[n++] = (char)(0xf0 | letter >> 18);
		shown[n++] = (char)(0x80 | (letter >> 12 & 0x3f));
		shown[n++] = (char)(0x80 | (letter >> 6 & 0x3f));
	}
	if (letter >= 0x80)
		shown[n++] = (char)(0x80 | (letter & 0x3f));
	shown[n] = '\0';
	return n;
}
