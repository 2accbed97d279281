/* constraint_regions.c - the regions that a constraint visits, and the sets of nodes in them */
#include <stdlib.h>
#include <string.h>

#include "base/bitset.h"
#include "place/constraint/constraint.h"

bool search_spend(struct search *search, int64_t steps)
{
	search->steps -= steps;
	return search->steps >= 0;
}

static int visit(struct search *search, const int *nodes, int n)
{
	return search->visit(search->context, nodes, n) != 0 ? SEARCH_STOP : SEARCH_ALL;
}

int search_exact(struct search *search, const int *nodes)
{
	return visit(search, nodes, search->wanted);
}

/* Sorting by rank without a context for qsort: place and rank go together. */
struct ranked {
	int rank, node;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Ranks are distinct: where they are few, each node goes to the place of its rank. */
static void place_by_rank(const struct search *search, int *nodes, int n, int most)
{
	int *at = xmalloc(((size_t)most + 1) * sizeof(*at)), nplaced = 0;

	memset(at, -1, ((size_t)most + 1) * sizeof(*at));
	for (int i = 0; i < n; i++)
		at[search->rank[nodes[i]]] = nodes[i];
	for (int rank = 0; rank <= most; rank++)
		if (at[rank] >= 0)
			nodes[nplaced++] = at[rank];
	free(at);
}

void search_sort(const struct search *search, int *nodes, int n)
{
	struct ranked *ranked;
	int i = 1, most = 0;

	while (i < n && search->rank[nodes[i - 1]] < search->rank[nodes[i]])
		i++;
	if (i >= n)
		return; /* as it often is */
	for (int k = 0; k < n; k++)
		most = search->rank[nodes[k]] > most ? search->rank[nodes[k]] : most;
	if (most / 32 < n) {
		place_by_rank(search, nodes, n, most);
		return;
	}
	ranked = xmalloc((size_t)n * sizeof(*ranked));
	for (i = 0; i < n; i++)
		ranked[i] = (struct ranked){search->rank[nodes[i]], nodes[i]};
	if (n > 1)
		qsort(ranked, (size_t)n, sizeof(*ranked), by_rank);
	for (i = 0; i < n; i++)
		nodes[i] = ranked[i].node;
	free(ranked);
}

/* No two nodes are of the same rank. */
static int64_t least_value(const struct search *search, const int *nodes, int n)
{
	int64_t least = INT64_MAX, wanted = search->wanted;

	for (int i = 0; i < n; i++)
		least = search->rank[nodes[i]] < least ? search->rank[nodes[i]] : least;
	return wanted * least + wanted * (wanted - 1) / 2;
}

/* The wanted least ranks, which are distinct and no higher than most. */
static int64_t sum_of_least(const struct search *search, const int *nodes, int n, int most)
{
	uint64_t *is_of = xcalloc((size_t)most / 64 + 1, sizeof(*is_of));
	int64_t sum = 0;
	int left = search->wanted;

	for (int i = 0; i < n; i++)
		bits_add(is_of, search->rank[nodes[i]]);
	for (int w = 0; left > 0; w++)
		for (uint64_t word = is_of[w]; word != 0 && left > 0; word &= word - 1, left--)
			sum += w * 64 + __builtin_ctzll(word);
	free(is_of);
	return sum;
}

int64_t search_value(const struct search *search, const int *nodes, int n)
{
	int64_t sum = 0;
	int most = 0, *sorted;

	if (n == search->wanted) {
		for (int i = 0; i < n; i++)
			sum += search->rank[nodes[i]];
		return sum;
	}
	sum = least_value(search, nodes, n);
	if (sum >= search->below)
		return sum;
	for (int i = 0; i < n; i++)
		most = search->rank[nodes[i]] > most ? search->rank[nodes[i]] : most;
	if (most / 32 < n)
		return sum_of_least(search, nodes, n, most);
	sorted = xmalloc((size_t)n * sizeof(*sorted));
	memcpy(sorted, nodes, (size_t)n * sizeof(*sorted));
	search_sort(search, sorted, n);
	sum = 0;
	for (int i = 0; i < search->wanted; i++)
		sum += search->rank[sorted[i]];
	free(sorted);
	return sum;
}

/*
 * All ways to take count of n units, the first ones (by rank, as they are) before others. at
 * [count] holds the places taken.
 */
static bool next_choice(int *at, int count, int n)
{
	int i = count - 1;

	while (i >= 0 && at[i] == n - count + i)
		i--;
	if (i < 0)
		return false;
	at[i]++;
	for (i++; i < count; i++)
		at[i] = at[i - 1] + 1;
	return true;
}

/* Every count of the units. */
static int all_choices(struct search *search, const int *nodes, int n, int size)
{
	int count = search->wanted / size, end = SEARCH_ALL;
	int *at = xmalloc((size_t)count * sizeof(*at));
	int *set = xmalloc((size_t)search->wanted * sizeof(*set));

	for (int i = 0; i < count; i++)
		at[i] = i;
	do {
		if (!search_spend(search, search->wanted)) {
			end = SEARCH_BOUND;
			break;
		}
		for (int i = 0; i < count; i++)
			memcpy(&set[i * size], &nodes[at[i] * size], (size_t)size * sizeof(*set));
		end = search_exact(search, set);
	} while (end == SEARCH_ALL && next_choice(at, count, n));
	free(at);
	free(set);
	return end;
}

int search_any(struct search *search, const int *nodes, int n)
{
	int *sorted, end;

	if (n < search->wanted)
		return SEARCH_ALL;
	if (!search->wants_all || n == search->wanted)
		return visit(search, nodes, n);
	sorted = xmalloc((size_t)n * sizeof(*sorted));
	memcpy(sorted, nodes, (size_t)n * sizeof(*sorted));
	search_sort(search, sorted, n);
	end = all_choices(search, sorted, n, 1);
	free(sorted);
	return end;
}

struct unit {
	int64_t value;
	int place;
};

static int by_value(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

int search_units(struct search *search, const int *nodes, int n, int size)
{
	struct unit *units;
	int *sorted, end;

	if (search->wanted % size != 0 || n < search->wanted / size)
		return SEARCH_ALL;
	units = xcalloc((size_t)n, sizeof(*units));
	for (int i = 0; i < n; i++) {
		units[i].place = i;
		for (int k = 0; k < size; k++)
			units[i].value += search->rank[nodes[i * size + k]];
	}
	if (n > 1)
		qsort(units, (size_t)n, sizeof(*units), by_value);
	sorted = xmalloc((size_t)n * (size_t)size * sizeof(*sorted));
	for (int i = 0; i < n; i++)
		memcpy(&sorted[i * size], &nodes[units[i].place * size],
		       (size_t)size * sizeof(*sorted));
	free(units);
	/* the units of least value are the best choice */
	end = search->wants_all ? all_choices(search, sorted, n, size)
				: search_exact(search, sorted);
	free(sorted);
	return end;
}
