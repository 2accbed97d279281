/* words.c - a line is cut at blanks as one letter after the other would say */
#include "convert/reader/text.h"
#include "base/rng.h"
#include "check.h"

enum { MOST = 40 };

/* The same, slowly. */
static int cut(char *line, char **words, int max)
{
	int n = 0;

	for (; *line != '\0'; line++) {
		bool begins = *line != ' ' && *line != '\t' &&
			      (n == 0 || line == words[0] || line[-1] == '\0');

		if (*line == ' ' || *line == '\t')
			*line = '\0';
		else if (begins && n == max)
			return max;
		else if (begins)
			words[n++] = line;
	}
	return n;
}

int main(void)
{
	static const char letters[] = " \tab1-\x01\xa0\x7f\x80 ";
	struct rng rng = rng_make(1, "words", NULL, NULL);

	for (int round = 0; round < 20000; round++) {
		char a[64], b[64], *want[MOST], *got[MOST];
		int n = (int)rng_below(&rng, 60), max = 1 + (int)rng_below(&rng, 8), nwant;

		for (int i = 0; i < n; i++)
			a[i] = letters[rng_below(&rng, sizeof(letters) - 1)];
		a[n] = '\0';
		memcpy(b, a, sizeof(b));
		nwant = cut(a, want, max);
		CHECK_INT(text_words(b, got, max), nwant);
		for (int i = 0; i < nwant && i < max - 1; i++)
			CHECK_TEXT(got[i], want[i]);
		for (int i = 0; i < nwant; i++)
			CHECK_INT(got[i] - b, want[i] - a);
	}
	return check_done();
}
