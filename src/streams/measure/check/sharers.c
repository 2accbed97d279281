/* sharers.c - how many jobs may have a CPU of a node together, as its row says */
#include "measure/check/sharers.h"

#include <string.h>
#include <strings.h>

/* The word at a place of a list; the only one holds for all. NULL: it has none there. */
static const char *word_at(const char *list, int place)
{
	for (; place > 0 && strchr(list, ',') != NULL; place--)
		list = strchr(list, ',') + 1;
	return list;
}

static int place_of(const char *list, const char *name)
{
	size_t n = strcspn(name, ",");

	for (int place = 0;; place++) {
		size_t length = strcspn(list, ",");

		if (length == n && memcmp(list, name, n) == 0)
			return place;
		if (list[length] == '\0')
			return -1;
		list += length + 1;
	}
}

/* Digits up to the next comma; 1: they are none. */
static int number_at(const char *text)
{
	int number = 0;

	for (; *text >= '0' && *text <= '9' && number < 100000; text++)
		number = number * 10 + (*text - '0');
	return number > 0 ? number : 1;
}

int sharers_of(const struct node_state *state, const char *partition, bool accepts, bool *is_forced)
{
	const char *word;
	int place, most = 4, colon;

	*is_forced = false;
	if (state->oversubscribe == NULL || state->partitions == NULL || partition == NULL)
		return SHARERS_UNSAID;
	place = place_of(state->partitions, partition);
	if (place < 0)
		return SHARERS_UNSAID;
	word = word_at(state->oversubscribe, place);
	if (strncasecmp(word, "exclusive", 9) == 0)
		return 0;
	colon = (int)strcspn(word, ":,");
	if (word[colon] == ':')
		most = number_at(word + colon + 1);
	if (strncasecmp(word, "force", 5) == 0) {
		*is_forced = most > 1;
		return most;
	}
	return strncasecmp(word, "yes", 3) == 0 && accepts ? most : 1;
}
