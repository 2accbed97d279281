/* availability.c - which nodes are planned to be idle over time */
#include "place/queue/availability.h"

#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"

/* ---- sets ---- */

static uint64_t *take_set(struct profile *profile, const uint64_t *like)
{
	size_t bytes = (size_t)profile->nwords * sizeof(uint64_t);
	uint64_t *set;

	set = profile->unused.n > 0 ? profile->unused.at[--profile->unused.n] : xmalloc(bytes);
	memcpy(set, like, bytes);
	return set;
}

/* ---- changes ---- */

enum { MOST_LOGGED = 1024 };

static void log_change(struct profile *profile, int64_t from_ns, int64_t to_ns)
{
	if (profile->log.n == MOST_LOGGED) {
		profile->nforgotten += MOST_LOGGED;
		profile->log.n = 0;
	}
	vec_push(&profile->log, (struct span_ns){from_ns, to_ns});
}

int64_t profile_nchanges(const struct profile *profile)
{
	return profile->nforgotten + (int64_t)profile->log.n;
}

bool profile_has_changed(const struct profile *profile, int64_t since, int64_t from_ns,
			 int64_t length_ns)
{
	int64_t to_ns = length_ns > INT64_MAX - from_ns ? INT64_MAX : from_ns + length_ns;

	if (since < profile->nforgotten)
		return true;
	for (size_t i = (size_t)(since - profile->nforgotten); i < profile->log.n; i++)
		if (profile->log.at[i].from_ns < to_ns && profile->log.at[i].to_ns > from_ns)
			return true;
	return false;
}

/* ---- slices ---- */

void profile_reset(struct profile *profile, int64_t now_ns, int nidle, const uint64_t *idle,
		   int nwords)
{
	for (size_t i = 0; i < profile->slices.n; i++)
		vec_push(&profile->unused, profile->slices.at[i].idle);
	log_change(profile, INT64_MIN, INT64_MAX);
	profile->slices.n = 0;
	profile->nwords = nwords;
	vec_push(&profile->slices, (struct slice){now_ns, nidle, take_set(profile, idle)});
}

void profile_free(struct profile *profile)
{
	for (size_t i = 0; i < profile->slices.n; i++)
		free(profile->slices.at[i].idle);
	for (size_t i = 0; i < profile->unused.n; i++)
		free(profile->unused.at[i]);
	free(profile->slices.at);
	free(profile->unused.at);
	free(profile->changes.at);
	free(profile->log.at);
	free(profile->window.front);
	free(profile->window.back);
	free(profile->window.both);
}

/* The slice that a time is in, the first one for an earlier time. */
static size_t slice_at(const struct profile *profile, int64_t time_ns)
{
	size_t low = 0, high = profile->slices.n;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (profile->slices.at[middle].from_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void drop_slices(struct profile *profile, size_t first, size_t n)
{
	struct slice *at = profile->slices.at;

	for (size_t i = first; i < first + n; i++)
		vec_push(&profile->unused, at[i].idle);
	memmove(&at[first], &at[first + n], (profile->slices.n - first - n) * sizeof(*at));
	profile->slices.n -= n;
}

void profile_advance(struct profile *profile, int64_t now_ns)
{
	drop_slices(profile, 0, slice_at(profile, now_ns));
	profile->slices.at[0].from_ns = now_ns;
}

/* A slice begins at a time that is not before the first one. Returns its index. */
static size_t cut(struct profile *profile, int64_t time_ns)
{
	size_t i = slice_at(profile, time_ns);
	struct slice *at;

	if (profile->slices.at[i].from_ns == time_ns)
		return i;
	vec_reserve(&profile->slices, profile->slices.n + 1);
	at = profile->slices.at;
	memmove(&at[i + 2], &at[i + 1], (profile->slices.n - i - 1) * sizeof(*at));
	at[i + 1] = (struct slice){time_ns, at[i].nidle, take_set(profile, at[i].idle)};
	profile->slices.n++;
	return i + 1;
}

/* Joins a slice with the one before it if they are equal. */
static void join(struct profile *profile, size_t i)
{
	const struct slice *at = profile->slices.at;

	if (i == 0 || i >= profile->slices.n || at[i].nidle != at[i - 1].nidle)
		return;
	if (memcmp(at[i].idle, at[i - 1].idle, (size_t)profile->nwords * sizeof(uint64_t)) != 0)
		return;
	drop_slices(profile, i, 1);
}

void profile_cut(struct profile *profile, int64_t time_ns)
{
	if (time_ns > profile->slices.at[0].from_ns && time_ns != INT64_MAX)
		cut(profile, time_ns);
}

void profile_join(struct profile *profile)
{
	for (size_t i = profile->slices.n; i-- > 1;)
		join(profile, i);
}

/* The nodes as words and masks. */
static void list_changes(struct profile *profile, const int *nodes, int nnodes)
{
	profile->changes.n = 0;
	for (int k = 0; k < nnodes; k++) {
		int word = nodes[k] / 64;

		if (profile->changes.n == 0 ||
		    profile->changes.at[profile->changes.n - 1].word != word)
			vec_push(&profile->changes, (struct word_mask){word, 0});
		profile->changes.at[profile->changes.n - 1].mask ^= 1ULL << (nodes[k] % 64);
	}
}

void profile_change(struct profile *profile, int64_t from_ns, int64_t to_ns, const int *nodes,
		    int nnodes, bool becomes_idle)
{
	size_t first, end;

	if (from_ns < profile->slices.at[0].from_ns)
		from_ns = profile->slices.at[0].from_ns;
	if (to_ns <= from_ns || nnodes == 0)
		return;
	log_change(profile, from_ns, to_ns);
	list_changes(profile, nodes, nnodes);
	first = cut(profile, from_ns);
	end = to_ns != INT64_MAX ? cut(profile, to_ns) : profile->slices.n;
	for (size_t i = first; i < end; i++) {
		struct slice *slice = &profile->slices.at[i];

		slice->nidle += becomes_idle ? nnodes : -nnodes;
		for (size_t k = 0; k < profile->changes.n; k++)
			slice->idle[profile->changes.at[k].word] ^= profile->changes.at[k].mask;
	}
	join(profile, end);
	join(profile, first);
}

/* ---- looking ---- */

int profile_common(const struct profile *profile, int64_t from_ns, int64_t length_ns,
		   uint64_t *idle)
{
	size_t i = slice_at(profile, from_ns);

	memcpy(idle, profile->slices.at[i].idle, (size_t)profile->nwords * sizeof(*idle));
	for (i++; i < profile->slices.n; i++) {
		const struct slice *slice = &profile->slices.at[i];

		if (length_ns != INT64_MAX &&
		    (uint64_t)slice->from_ns - (uint64_t)from_ns >= (uint64_t)length_ns)
			break;
		for (int w = 0; w < profile->nwords; w++)
			idle[w] &= slice->idle[w];
	}
	return bits_count(idle, profile->nwords);
}

void profile_list_steps(const struct profile *profile, uint64_t *idle, struct steps *steps)
{
	const struct slice *at = profile->slices.at;
	int least = at[0].nidle;

	memcpy(idle, at[0].idle, (size_t)profile->nwords * sizeof(*idle));
	steps->n = 0;
	for (size_t i = 1; i < profile->slices.n && least > 0; i++) {
		int n;

		for (int w = 0; w < profile->nwords; w++)
			idle[w] &= at[i].idle[w];
		n = bits_count(idle, profile->nwords);
		if (n < least)
			vec_push(steps, ((struct step){least, at[i].from_ns - at[0].from_ns}));
		least = n;
	}
	if (least > 0)
		vec_push(steps, ((struct step){least, INT64_MAX}));
}

/* ---- windows that slide ---- */

/*
 * What a queue of slices shares, by two stacks: the front ones each know what they share with those
 * up to the middle, those behind share one set. Each slice is looked at twice.
 */
static void turn(struct profile *profile)
{
	struct window *window = &profile->window;
	size_t n = window->end - window->first, bytes = (size_t)profile->nwords * sizeof(uint64_t);

	if (n > window->most) {
		window->most = 2 * n;
		window->front = xrealloc(window->front, window->most, bytes);
	}
	for (size_t i = window->end; i-- > window->first;) {
		uint64_t *front = &window->front[(i - window->first) * (size_t)profile->nwords];
		const uint64_t *idle = profile->slices.at[i].idle;

		memcpy(front, idle, bytes);
		for (int w = 0; i + 1 < window->end && w < profile->nwords; w++)
			front[w] &= front[profile->nwords + w];
	}
	window->middle = window->end;
}

static void add_slice(struct profile *profile)
{
	struct window *window = &profile->window;
	const uint64_t *idle = profile->slices.at[window->end].idle;

	if (window->end == window->middle)
		memcpy(window->back, idle, (size_t)profile->nwords * sizeof(uint64_t));
	else
		for (int w = 0; w < profile->nwords; w++)
			window->back[w] &= idle[w];
	window->end++;
}

static bool is_within(const struct profile *profile, size_t slice, size_t first, int64_t length_ns)
{
	const struct slice *at = profile->slices.at;

	return slice == first || length_ns == INT64_MAX ||
	       (uint64_t)at[slice].from_ns - (uint64_t)at[first].from_ns < (uint64_t)length_ns;
}

/* The window from first on, if no slice in it has too few nodes; else it is empty behind the last
 * of those. */
static bool fill_window(struct profile *profile, int nnodes, int64_t length_ns)
{
	struct window *window = &profile->window;

	while (window->end < profile->slices.n &&
	       is_within(profile, window->end, window->first, length_ns)) {
		if (profile->slices.at[window->end].nidle < nnodes) {
			window->first = window->middle = ++window->end;
			return false;
		}
		add_slice(profile);
	}
	return true;
}

static int share(struct profile *profile, size_t base)
{
	struct window *window = &profile->window;
	const uint64_t *front = &window->front[(window->first - base) * (size_t)profile->nwords];

	for (int w = 0; w < profile->nwords; w++) {
		uint64_t word = window->first < window->middle ? front[w] : ~0ULL;

		if (window->middle < window->end)
			word &= window->back[w];
		window->both[w] = word;
	}
	return bits_count(window->both, profile->nwords);
}

bool profile_next_start(struct profile *profile, int64_t from_ns, int nnodes, int64_t length_ns,
			size_t *slice, uint64_t **idle, int *nidle)
{
	struct window *window = &profile->window;

	if (*slice == SIZE_MAX) {
		size_t nwords = (size_t)profile->nwords;

		window->first = window->middle = window->end = window->base =
			slice_at(profile, from_ns);
		window->back = xrealloc(window->back, nwords, sizeof(uint64_t));
		window->both = xrealloc(window->both, nwords, sizeof(uint64_t));
	} else {
		window->first++;
	}
	for (; window->first < profile->slices.n; window->first++) {
		bool is_filled = true;

		while (window->first < profile->slices.n &&
		       !(is_filled = fill_window(profile, nnodes, length_ns)))
			;
		if (!is_filled)
			return false;
		if (window->first >= window->middle && window->first < window->end) {
			window->base = window->first;
			turn(profile);
		}
		*nidle = share(profile, window->base);
		if (*nidle < nnodes)
			continue;
		*slice = window->first;
		*idle = window->both;
		return true;
	}
	return false;
}
