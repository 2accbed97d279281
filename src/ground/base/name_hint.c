/* name_hint.c - "did you mean": which of several names a word is nearest to */
#include "base/name_hint.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int fold(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* In either case, insertions, deletions, replacements and swaps of neighbours that lead from a to b
 * (the optimal string alignment distance). Both are shorter than NEAR_NAME. */
static int distance(const char *a, int na, const char *b, int nb)
{
	int rows[3][NEAR_NAME + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];

	for (int j = 0; j <= nb; j++)
		last[j] = before[j] = j;
	for (int i = 1; i <= na; i++) {
		int *oldest = before;

		row[0] = i;
		for (int j = 1; j <= nb; j++) {
			row[j] = least(last[j - 1] + (fold(a[i - 1]) != fold(b[j - 1])),
				       least(last[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) &&
			    fold(a[i - 2]) == fold(b[j - 1]))
				row[j] = least(row[j], before[j - 2] + 1);
		}
		before = last;
		last = row;
		row = oldest;
	}
	return last[nb];
}

void near_begin(struct near_name *near, const char *word)
{
	size_t n = strlen(word);

	*near = (struct near_name){.word = word};
	/* a third of the letters may be wrong */
	near->best = n < 2 ? 0 : n < 6 ? 2 : (int)(n / 3) + 1;
}

void near_try(struct near_name *near, const char *name, size_t n)
{
	size_t nword = strlen(near->word);
	int far;

	if (n == 0 || n >= NEAR_NAME || nword >= NEAR_NAME)
		return;
	far = distance(near->word, (int)nword, name, (int)n);
	if (nword >= 3 + strspn(near->word, "-@") && nword < n &&
	    strncasecmp(near->word, name, nword) == 0)
		far = 0; /* the word is its beginning */
	if (far >= near->best)
		return;
	near->best = far;
	memcpy(near->name, name, n);
	near->name[n] = '\0';
}

void near_try_all(struct near_name *near, const char *names, char cut)
{
	const char stops[] = {cut, '\0'};

	while (*names != '\0') {
		size_t n = strcspn(names, stops);

		near_try(near, names, n);
		names += n + (names[n] == cut);
	}
}

const char *near_hint(struct near_name *near)
{
	if (near->name[0] == '\0')
		return "";
	snprintf(near->hint, sizeof(near->hint), " (did you mean '%s'?)", near->name);
	return near->hint;
}

enum { SEEN_MOST = sizeof(((struct seen_values *)0)->value) / NEAR_NAME };

void seen_add(struct seen_values *seen, const char *value)
{
	char text[NEAR_NAME];

	if (seen->n > SEEN_MOST)
		return;
	snprintf(text, sizeof(text), "%s", value);
	for (int i = 0; i < seen->n; i++)
		if (strcmp(seen->value[i], text) == 0)
			return;
	if (seen->n < SEEN_MOST)
		memcpy(seen->value[seen->n], text, sizeof(text));
	seen->n++;
}

const char *seen_list(struct seen_values *seen)
{
	size_t n = 0;

	seen->list[0] = '\0';
	for (int i = 0; i < seen->n; i++)
		n += (size_t)snprintf(seen->list + n, sizeof(seen->list) - n, "%s%s",
				      i > 0 ? ", " : "", i < SEEN_MOST ? seen->value[i] : "…");
	return seen->list;
}
