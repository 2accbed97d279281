/* name_numbers.c - names of nodes as numbers, as they come up; ranges of names by arithmetic */
#include "formats/name_numbers.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/hostlist.h"

/* Digits of a number that is counted with: more are part of the text before it. */
enum { DIGITS_MOST = 17, CHUNK = 64 };

/* Numbers of CHUNK names, -1 where none came up. */
struct name_chunk {
	int of[CHUNK];
};

/* Names with one text before and after their number. Numbers with leading zeros, by how many digits
 * they have, are apart from those without (width 0). */
struct name_family {
	struct umap chunks; /* (number / CHUNK, width) → place in at */
	VEC(struct name_chunk) at;
	uint64_t last_key;
	int64_t last; /* the chunk that was asked for last; -1: none was */
	bool ends_in_number;
};

/* The number of a name. */
struct name_digits {
	int family, length; /* length: digits as written */
	uint64_t number;
};

/* ---- one name ---- */

static int ndigits_of(uint64_t number)
{
	int n = 1;

	for (; number >= 10; number /= 10)
		n++;
	return n;
}

static int family_of(struct name_numbers *numbers, const char *prefix, size_t nprefix,
		     const char *suffix, size_t nsuffix)
{
	int family;

	buf_clear(&numbers->key);
	buf_add(&numbers->key, prefix, nprefix);
	buf_char(&numbers->key, '\0');
	buf_add(&numbers->key, suffix, nsuffix);
	family = (int)map_add(&numbers->families, numbers->key.text, numbers->key.n,
			      (int64_t)numbers->of.n);
	if (family == (int)numbers->of.n)
		vec_push(&numbers->of,
			 (struct name_family){.last = -1, .ends_in_number = nsuffix == 0});
	return family;
}

/* Where the number of a name is kept; made if it is not there. Valid until the next call. */
static int *place_of(struct name_numbers *numbers, const struct name_digits *digits)
{
	struct name_family *family = &numbers->of.at[digits->family];
	int width = digits->length > ndigits_of(digits->number) ? digits->length : 0;
	uint64_t key = digits->number / CHUNK * (DIGITS_MOST + 1) + (uint64_t)width;

	if (family->last < 0 || family->last_key != key) {
		if (!umap_get(&family->chunks, key, &family->last)) {
			struct name_chunk chunk;

			memset(&chunk, -1, sizeof(chunk));
			family->last = (int64_t)family->at.n;
			vec_push(&family->at, chunk);
			umap_set(&family->chunks, key, family->last);
		}
		family->last_key = key;
	}
	return &family->at.at[family->last].of[digits->number % CHUNK];
}

/* Whether a name is the last one that came up, counted up by one. */
static bool counts_on(const struct name_numbers *numbers, const struct name_digits *digits)
{
	const struct name_digits *last = numbers->last;
	int ndigits = ndigits_of(digits->number);

	return last != NULL && last->family == digits->family &&
	       last->number + 1 == digits->number &&
	       digits->length == (last->length > ndigits ? last->length : ndigits) &&
	       numbers->of.at[digits->family].ends_in_number;
}

static int number_of(struct name_numbers *numbers, const struct name_digits *digits,
		     const char *name, size_t n)
{
	int *place = place_of(numbers, digits);

	if (*place >= 0)
		return *place;
	*place = (int)numbers->names.n;
	vec_push(&numbers->names,
		 (struct numbered_name){arena_strndup(&numbers->arena, name, n),
					digits->length > 0 && counts_on(numbers, digits)});
	if (numbers->last == NULL)
		numbers->last = xmalloc(sizeof(*numbers->last));
	*numbers->last = *digits;
	return *place;
}

int name_numbers_add(struct name_numbers *numbers, const char *name, size_t n)
{
	struct name_digits digits = {0};
	size_t end = n, first;

	while (end > 0 && !isdigit((unsigned char)name[end - 1]))
		end--;
	for (first = end; first > 0 && isdigit((unsigned char)name[first - 1]);)
		first--;
	if (first == end || end - first > DIGITS_MOST) {
		/* a name without a number: a family of one */
		digits.family = family_of(numbers, name, n, "\0", 1);
		return number_of(numbers, &digits, name, n);
	}
	for (size_t i = first; i < end; i++)
		digits.number = digits.number * 10 + (uint64_t)(name[i] - '0');
	digits.length = (int)(end - first);
	digits.family = family_of(numbers, name, first, name + end, n - end);
	return number_of(numbers, &digits, name, n);
}

/* ---- lists ---- */

struct numbers_reading {
	struct name_numbers *numbers;
	struct node_ranges *ranges;
};

static int add_name(void *context, const char *name, size_t n, struct err *err)
{
	struct numbers_reading *reading = context;
	int number = name_numbers_add(reading->numbers, name, n);

	(void)err;
	node_ranges_add(reading->ranges, number, number);
	return 0;
}

/* Whether the number in brackets is the last one of the names, and all of it. */
static bool is_last_number(const struct hostlist_run *run)
{
	for (size_t i = 0; i < run->nsuffix; i++)
		if (isdigit((unsigned char)run->suffix[i]))
			return false;
	return run->width <= DIGITS_MOST && ndigits_of(run->last) <= DIGITS_MOST &&
	       (run->nprefix == 0 || !isdigit((unsigned char)run->prefix[run->nprefix - 1]));
}

static int add_run(void *context, const struct hostlist_run *run, struct err *err)
{
	struct numbers_reading *reading = context;
	struct name_numbers *numbers = reading->numbers;
	struct name_digits digits = {.number = run->first};

	(void)err;
	if (!is_last_number(run))
		return 0;
	digits.family = family_of(numbers, run->prefix, run->nprefix, run->suffix, run->nsuffix);
	for (uint64_t grows_at = 0; digits.number <= run->last; digits.number++) {
		int number;

		if (digits.number >= grows_at) { /* as many digits until the next power of ten */
			int ndigits = ndigits_of(digits.number);

			digits.length = run->width > ndigits ? run->width : ndigits;
			for (grows_at = 10; ndigits > 1; ndigits--)
				grows_at *= 10;
		}
		number = *place_of(numbers, &digits);
		if (number < 0) {
			char name[512];
			int n = snprintf(name, sizeof(name), "%.*s%0*llu%.*s", (int)run->nprefix,
					 run->prefix, run->width, (unsigned long long)digits.number,
					 (int)run->nsuffix, run->suffix);

			number = number_of(numbers, &digits, name, (size_t)n);
		}
		node_ranges_add(reading->ranges, number, number);
	}
	return 1;
}

int name_numbers_read(struct name_numbers *numbers, const char *text, struct node_ranges *ranges,
		      struct err *err)
{
	struct numbers_reading reading = {numbers, ranges};

	node_ranges_clear(ranges);
	return hostlist_walk_runs(text, add_name, add_run, &reading, err);
}

void name_numbers_print(const struct name_numbers *numbers, const struct node_ranges *ranges,
			struct buf *out)
{
	struct hostlist list = {0};

	for (size_t i = 0; i < ranges->of.n; i++)
		for (int at = ranges->of.at[i].first, first; at <= ranges->of.at[i].last;) {
			const char *name = numbers->names.at[at].text;

			first = at++;
			while (at <= ranges->of.at[i].last && numbers->names.at[at].counts_on)
				at++;
			hostlist_add(&list, name, strlen(name));
			hostlist_extend(&list, at - first - 1);
		}
	buf_str(out, hostlist_text(&list));
	hostlist_free(&list);
}

void name_numbers_free(struct name_numbers *numbers)
{
	for (size_t i = 0; i < numbers->of.n; i++) {
		umap_free(&numbers->of.at[i].chunks);
		vec_free(&numbers->of.at[i].at);
	}
	vec_free(&numbers->of);
	vec_free(&numbers->names);
	map_free(&numbers->families);
	free(numbers->last);
	buf_free(&numbers->key);
	arena_free(&numbers->arena);
	*numbers = (struct name_numbers){0};
}
