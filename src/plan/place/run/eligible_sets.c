/* eligible_sets.c - nodes by partition, feature and reservation, and what jobs write about them */
#include "place/run/eligible_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/str.h"

/* ---- sets ---- */

void sets_free(struct name_sets *sets)
{
	for (size_t i = 0; i < sets->sets.n; i++)
		free(sets->sets.at[i]);
	vec_free(&sets->sets);
	map_free(&sets->ids);
}

void sets_add(struct name_sets *sets, int node, const char *names)
{
	while (names != NULL && *names != '\0') {
		size_t n = strcspn(names, ",");
		int64_t id = map_add(&sets->ids, names, n, (int64_t)sets->sets.n);

		if (id == (int64_t)sets->sets.n)
			vec_push(&sets->sets, xcalloc((size_t)sets->nwords, sizeof(uint64_t)));
		sets->sets.at[id][node / 64] |= UINT64_C(1) << node % 64;
		names += n + (names[n] == ',');
	}
}

const uint64_t *sets_get(const struct name_sets *sets, const char *name, size_t n)
{
	int64_t id = map_get(&sets->ids, name, n);

	return id >= 0 ? sets->sets.at[id] : NULL;
}

/* ---- features ---- */

/* a&b|(c&d), from left to right; *text moves behind it. words [nwords]. -1: not such a thing. */
static int read_features(const struct name_sets *features, const char **text, uint64_t *words,
			 int depth)
{
	uint64_t *other = xcalloc((size_t)features->nwords, sizeof(*other));
	char op = '|';
	int status = depth < 16 ? 0 : -1;

	memset(words, 0, (size_t)features->nwords * sizeof(*words));
	while (status == 0) {
		memset(other, 0, (size_t)features->nwords * sizeof(*other));
		if (**text == '(') {
			++*text;
			status = read_features(features, text, other, depth + 1);
			if (status == 0 && *(*text)++ != ')')
				status = -1;
		} else {
			size_t n = strcspn(*text, "&|()[]*");
			const uint64_t *set = sets_get(features, *text, n);

			if (n == 0 || (*text)[n] == '*' || (*text)[n] == '[')
				status = -1;
			if (set != NULL)
				memcpy(other, set, (size_t)features->nwords * sizeof(*other));
			*text += n;
		}
		for (int i = 0; i < features->nwords && status == 0; i++)
			words[i] = op == '|' ? words[i] | other[i] : words[i] & other[i];
		if (status != 0 || (**text != '&' && **text != '|'))
			break;
		op = *(*text)++;
	}
	free(other);
	return status;
}

/* One that is alone in [text, text + n). */
static int read_alone(const struct name_sets *features, const char *text, size_t n, uint64_t *words)
{
	char *one = xstrndup(text, n);
	const char *at = one;
	int status = read_features(features, &at, words, 0) == 0 && *at == '\0' ? 0 : -1;

	free(one);
	return status;
}

int features_next(const struct name_sets *features, const char **text, uint64_t *words)
{
	size_t n;
	int status;

	if (**text == '\0')
		return 0;
	if (**text != '[' && **text != '|') {
		status = read_features(features, text, words, 0);
		return status == 0 && **text == '\0' ? 1 : -1;
	}
	if (str_eq(*text, "]"))
		return 0;
	n = strcspn(*text + 1, "|]");
	status = read_alone(features, *text + 1, n, words) == 0 ? 1 : -1;
	*text += n + 1;
	if (**text == ']')
		*text += 1;
	return **text == '\0' || **text == '|' ? status : -1;
}

bool features_are_counted(const char *text)
{
	return strchr(text, '*') != NULL;
}

/* The end of a term: the next & outside of parentheses. */
static size_t term_length(const char *text, size_t most)
{
	int depth = 0;

	for (size_t i = 0; i < most; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		if (text[i] == '&' && depth == 0)
			return i;
	}
	return most;
}

/* a*2; without a number it holds for all nodes. */
static int read_term(const struct name_sets *features, const char *term, size_t n,
		     feature_count_vec *counts, uint64_t *words)
{
	const char *star = memchr(term, '*', n);
	size_t length = star != NULL ? (size_t)(star - term) : n;
	uint64_t *set = xcalloc((size_t)features->nwords, sizeof(*set));
	char digits[12] = "";
	int64_t count = 0;

	if (read_alone(features, term, length, set) != 0 || n - length > sizeof(digits)) {
		free(set);
		return -1;
	}
	if (star == NULL) {
		for (int i = 0; i < features->nwords; i++)
			words[i] &= set[i];
		free(set);
		return 0;
	}
	memcpy(digits, star + 1, n - length - 1);
	if (num_int(digits, 1, INT32_MAX, &count) != 0) {
		free(set);
		return -1;
	}
	vec_push(counts, (struct feature_count){(int)count, set});
	return 0;
}

int features_count(const struct name_sets *features, const char *text, feature_count_vec *counts,
		   uint64_t *words)
{
	size_t n = strlen(text);

	memset(words, 0xff, (size_t)features->nwords * sizeof(*words));
	if (n > 1 && text[0] == '[' && text[n - 1] == ']') {
		text++;
		n -= 2;
	}
	while (n > 0) {
		size_t length = term_length(text, n);

		if (read_term(features, text, length, counts, words) != 0)
			return -1;
		if (length == n)
			return 0;
		text += length + 1;
		n -= length + 1;
	}
	return -1;
}

void feature_counts_clear(feature_count_vec *counts)
{
	for (size_t i = 0; i < counts->n; i++)
		free(counts->at[i].words);
	counts->n = 0;
}
