/* name_hint.h - "did you mean": which of several names a word is nearest to */
#ifndef BASE_NAME_HINT_H
#define BASE_NAME_HINT_H

#include <stddef.h>

enum { NEAR_NAME = 64 };

/* A search: near_begin, near_try for each name, near_hint. */
struct near_name {
	const char *word;
	int best; /* the distance of name; that of names that are too far at first */
	char name[NEAR_NAME];
	char hint[NEAR_NAME + 32];
};

void near_begin(struct near_name *near, const char *word);
/* n: the name's length. Of those that are equally near the first one counts. */
void near_try(struct near_name *near, const char *name, size_t n);
/* The names of a list such as "best|first", cut at a character. */
void near_try_all(struct near_name *near, const char *names, char cut);
/* " (did you mean 'NAME'?)", or "" when no name is near. Valid as long as near. */
const char *near_hint(struct near_name *near);

/* The first distinct values of a column, for a message that lists what was there. Zeroed is empty.
 */
struct seen_values {
	int n; /* 9: there were more */
	char value[8][NEAR_NAME];
	char list[9 * (NEAR_NAME + 2)];
};

void seen_add(struct seen_values *seen, const char *value);
/* "a, b, …"; valid as long as seen. */
const char *seen_list(struct seen_values *seen);

#endif
