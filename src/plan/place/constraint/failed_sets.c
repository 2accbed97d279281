/* failed_sets.c - idle nodes among which no region was found, by the number of nodes */
#include "place/constraint/failed_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Kept at a time, and looked at for one question. */
enum { MOST_BYTES = 1 << 23, MOST_SETS = 1024, MOST_LOOKS = 32 };

void failed_sets_open(struct failed_sets *sets, int nnodes)
{
	int nwords = (nnodes + 63) / 64;
	int most = MOST_BYTES / (nwords * (int)sizeof(uint64_t));

	*sets = (struct failed_sets){.nnodes = nnodes, .nwords = nwords};
	sets->most = most < MOST_LOOKS ? MOST_LOOKS : most < MOST_SETS ? most : MOST_SETS;
	sets->at = xcalloc((size_t)sets->most, sizeof(*sets->at));
	sets->last = xmalloc(((size_t)nnodes + 1) * sizeof(*sets->last));
	for (int n = 0; n <= nnodes; n++)
		sets->last[n] = -1;
}

void failed_sets_close(struct failed_sets *sets)
{
	for (int i = 0; i < sets->n; i++)
		free(sets->at[i].idle);
	free(sets->at);
	free(sets->last);
	*sets = (struct failed_sets){0};
}

/* The next place back of a chain, if it still is of the same number of nodes and older. */
static int before(const struct failed_sets *sets, int place)
{
	const struct failed_set *set = &sets->at[place];

	if (set->before < 0 || sets->at[set->before].wanted != set->wanted ||
	    sets->at[set->before].number >= set->number)
		return -1;
	return set->before;
}

static bool is_within(const struct failed_sets *sets, const uint64_t *idle, const uint64_t *of)
{
	for (int w = 0; w < sets->nwords; w++)
		if ((idle[w] & ~of[w]) != 0)
			return false;
	return true;
}

enum failed failed_sets_find(const struct failed_sets *sets, const uint64_t *idle, int wanted)
{
	size_t bytes = (size_t)sets->nwords * sizeof(*idle);
	enum failed found = FAILED_UNKNOWN;
	int place = sets->last[wanted];

	for (int i = 0; i < MOST_LOOKS && place >= 0; i++, place = before(sets, place)) {
		const struct failed_set *set = &sets->at[place];

		if (set->wanted != wanted)
			break;
		if (!is_within(sets, idle, set->idle))
			continue;
		if (set->is_sure)
			return FAILED_SURE;
		if (memcmp(set->idle, idle, bytes) == 0)
			return FAILED_SAME;
		found = FAILED_WITHIN;
	}
	return found;
}

void failed_sets_add(struct failed_sets *sets, const uint64_t *idle, int wanted, bool is_sure)
{
	struct failed_set *set = &sets->at[sets->next];
	size_t bytes = (size_t)sets->nwords * sizeof(*idle);
	int64_t number =
		sets->n > 0 ? sets->at[(sets->next + sets->most - 1) % sets->most].number : 0;

	if (set->idle == NULL) {
		set->idle = xmalloc(bytes);
		sets->n++;
	}
	memcpy(set->idle, idle, bytes);
	set->wanted = wanted;
	set->is_sure = is_sure;
	set->before = sets->last[wanted];
	set->number = number + 1;
	sets->last[wanted] = sets->next;
	sets->next = (sets->next + 1) % sets->most;
}
