/* availability.c - what is planned to be idle over time: numbers of nodes, or sets of them */
#include "place/queue/availability.h"

#include <stdlib.h>
#include <string.h>

/* ---- sets ---- */

static uint64_t *take_set(struct profile *profile, const uint64_t *like)
{
	size_t bytes = (size_t)profile->nwords * sizeof(uint64_t);
	uint64_t *set;

	if (profile->nwords == 0)
		return NULL;
	set = profile->unused.n > 0 ? profile->unused.at[--profile->unused.n] : xmalloc(bytes);
	memcpy(set, like, bytes);
	return set;
}

static void drop_set(struct profile *profile, uint64_t *set)
{
	if (set != NULL)
		vec_push(&profile->unused, set);
}

/* ---- slices ---- */

void profile_reset(struct profile *profile, int64_t now_ns, int nidle, const uint64_t *idle,
		   int nwords)
{
	for (size_t i = 0; i < profile->slices.n; i++)
		drop_set(profile, profile->slices.at[i].idle);
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
}

/* The slice that a time lies in, the first one for an earlier time. */
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
		drop_set(profile, at[i].idle);
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
	if (profile->nwords > 0 &&
	    memcmp(at[i].idle, at[i - 1].idle, (size_t)profile->nwords * sizeof(uint64_t)) != 0)
		return;
	drop_slices(profile, i, 1);
}

void profile_change(struct profile *profile, int64_t from_ns, int64_t to_ns, const int *nodes,
		    int nnodes, bool becomes_idle)
{
	size_t first, end;

	if (from_ns < profile->slices.at[0].from_ns)
		from_ns = profile->slices.at[0].from_ns;
	if (to_ns <= from_ns || nnodes == 0)
		return;
	first = cut(profile, from_ns);
	end = to_ns != INT64_MAX ? cut(profile, to_ns) : profile->slices.n;
	for (size_t i = first; i < end; i++) {
		struct slice *slice = &profile->slices.at[i];

		slice->nidle += becomes_idle ? nnodes : -nnodes;
		for (int k = 0; k < nnodes && profile->nwords > 0; k++)
			slice->idle[nodes[k] / 64] ^= 1ULL << (nodes[k] % 64);
	}
	join(profile, end);
	join(profile, first);
}

/* ---- looking ---- */

int profile_find(const struct profile *profile, int nnodes, int64_t length_ns)
{
	const struct slice *at = profile->slices.at;
	size_t n = profile->slices.n, first = 0;

	for (size_t i = 0; i < n; i++) {
		/* the differences are of times within one schedule, but the length may be
		 * anything */
		if (length_ns != INT64_MAX && i > first &&
		    (uint64_t)at[i].from_ns - (uint64_t)at[first].from_ns >= (uint64_t)length_ns)
			return (int)first;
		if (at[i].nidle < nnodes)
			first = i + 1;
	}
	return first < n ? (int)first : -1;
}

/* Bits set; counted in parallel, since not every processor that this is built for has popcnt. */
static int nbits(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555ULL;
	word = (word & 0x3333333333333333ULL) + (word >> 2 & 0x3333333333333333ULL);
	word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
	return (int)(word * 0x0101010101010101ULL >> 56);
}

int profile_common(const struct profile *profile, int64_t from_ns, int64_t length_ns,
		   uint64_t *idle)
{
	size_t i = slice_at(profile, from_ns);
	int n = 0;

	memcpy(idle, profile->slices.at[i].idle, (size_t)profile->nwords * sizeof(*idle));
	for (i++; i < profile->slices.n; i++) {
		const struct slice *slice = &profile->slices.at[i];

		if (length_ns != INT64_MAX &&
		    (uint64_t)slice->from_ns - (uint64_t)from_ns >= (uint64_t)length_ns)
			break;
		for (int w = 0; w < profile->nwords; w++)
			idle[w] &= slice->idle[w];
	}
	for (int w = 0; w < profile->nwords; w++)
		n += nbits(idle[w]);
	return n;
}
