/* number_set.c - which numbers were there: for many that are close together, such as those of jobs
 */
#include "base/number_set.h"

/* Where the page's words begin; they are added unless they are there. */
static size_t find_page(struct number_set *set, uint64_t page)
{
	int64_t next = (int64_t)(set->words.n / NUMBER_SET_WORDS);
	int64_t found = map_add(&set->pages, (const char *)&page, sizeof(page), next);

	for (int i = 0; found == next && i < NUMBER_SET_WORDS; i++)
		vec_push(&set->words, 0);
	return (size_t)found * NUMBER_SET_WORDS;
}

bool number_set_add(struct number_set *set, uint64_t number)
{
	uint64_t page = number / (64 * NUMBER_SET_WORDS), bit = UINT64_C(1) << number % 64, *word;

	if (set->words.n == 0 || page != set->last) {
		set->last_word = find_page(set, page);
		set->last = page;
	}
	word = &set->words.at[set->last_word + number / 64 % NUMBER_SET_WORDS];
	if ((*word & bit) != 0)
		return false;
	*word |= bit;
	return true;
}

void number_set_free(struct number_set *set)
{
	vec_free(&set->words);
	map_free(&set->pages);
}
