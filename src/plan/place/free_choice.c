/* free_choice.c - which domains to free: those whose jobs cost least to move, with a bound */
#include "place/free_choice.h"

#include <stdlib.h>
#include <string.h>

#include "place/min_cut.h"

/* Of a cost, in the multipliers of the bound. */
enum { MULTIPLIER_ONE = 1 << 16, MULTIPLIERS = 48 };

/* A choice that grows. */
struct choice {
	const struct free_problem *problem;
	bool *has;  /* [ndomains] */
	int *count; /* [nitems] chosen domains that have it */
	int n;
	int64_t cost, room;
	const int *by_size; /* [ndomains] those that may be chosen, smallest first; -1 ends it */
};

static int nitems(const struct free_problem *problem, int domain)
{
	return problem->first[domain + 1] - problem->first[domain];
}

static void clear(struct choice *choice)
{
	memset(choice->has, 0, (size_t)choice->problem->ndomains * sizeof(bool));
	memset(choice->count, 0, (size_t)choice->problem->nitems * sizeof(int));
	choice->n = 0;
	choice->cost = 0;
	choice->room = choice->problem->room;
}

static void put(struct choice *choice, int domain)
{
	const struct free_problem *problem = choice->problem;

	choice->has[domain] = true;
	choice->n++;
	choice->room -= problem->size[domain];
	for (int i = problem->first[domain]; i < problem->first[domain + 1]; i++)
		if (choice->count[problem->item[i]]++ == 0)
			choice->cost += problem->cost[problem->item[i]];
}

static void drop(struct choice *choice, int domain)
{
	const struct free_problem *problem = choice->problem;

	choice->has[domain] = false;
	choice->n--;
	choice->room += problem->size[domain];
	for (int i = problem->first[domain]; i < problem->first[domain + 1]; i++)
		if (--choice->count[problem->item[i]] == 0)
			choice->cost -= problem->cost[problem->item[i]];
}

static int64_t price(const struct choice *choice, int domain)
{
	const struct free_problem *problem = choice->problem;
	int64_t sum = 0;

	for (int i = problem->first[domain]; i < problem->first[domain + 1]; i++)
		if (choice->count[problem->item[i]] == 0)
			sum += problem->cost[problem->item[i]];
	return sum;
}

/* The room that the smallest n others need, beside the choice and a domain. */
static int64_t least_room(const struct choice *choice, int beside, int n)
{
	int64_t sum = 0;

	for (int i = 0; n > 0 && choice->by_size[i] >= 0; i++)
		if (choice->by_size[i] != beside && !choice->has[choice->by_size[i]]) {
			sum += choice->problem->size[choice->by_size[i]];
			n--;
		}
	return n > 0 ? INT64_MAX : sum;
}

/* Whether k can still be had with it. */
static bool can_put(const struct choice *choice, int domain, int64_t others)
{
	int64_t size = choice->problem->size[domain];

	if (!choice->problem->may[domain] || choice->has[domain] || others == INT64_MAX)
		return false;
	/* others are the smallest, which it may be one of */
	if (size + others <= choice->room)
		return true;
	others = least_room(choice, domain, choice->problem->k - choice->n - 1);
	return others < INT64_MAX && size + others <= choice->room;
}

/* ---- starts ---- */

/* Domain by domain, the cheapest next. False: there are not k. */
static bool fill(struct choice *choice)
{
	const struct free_problem *problem = choice->problem;

	while (choice->n < problem->k) {
		int64_t others = least_room(choice, -1, problem->k - choice->n - 1), least = 0;
		int best = -1;

		for (int d = 0; d < problem->ndomains; d++) {
			int64_t own;

			if (!problem->may[d] || choice->has[d])
				continue;
			own = price(choice, d);
			if ((best < 0 || own < least) && can_put(choice, d, others)) {
				best = d;
				least = own;
			}
		}
		if (best < 0)
			return false;
		put(choice, best);
	}
	return true;
}

/* Domains of each item. */
struct holders {
	int *first, *domain;
};

static void list_holders(struct holders *holders, const struct free_problem *problem)
{
	int n = problem->first[problem->ndomains];

	holders->first = xcalloc((size_t)problem->nitems + 2, sizeof(int));
	holders->domain = xmalloc(((size_t)n + 1) * sizeof(int));
	for (int i = 0; i < n; i++)
		holders->first[problem->item[i] + 2]++;
	for (int i = 0; i < problem->nitems; i++)
		holders->first[i + 2] += holders->first[i + 1];
	for (int d = 0; d < problem->ndomains; d++)
		for (int i = problem->first[d]; i < problem->first[d + 1]; i++)
			holders->domain[holders->first[problem->item[i] + 1]++] = d;
}

/* How many domains are free once the items of one are gone; missing [ndomains]: items of each
 * that are not in the choice, changed and put back. */
static int gained(const struct choice *choice, const struct holders *holders, int domain,
		  int *missing)
{
	const struct free_problem *problem = choice->problem;
	int n = nitems(problem, domain) == 0;

	for (int turn = 0; turn < 2; turn++)
		for (int i = problem->first[domain]; i < problem->first[domain + 1]; i++) {
			int item = problem->item[i];

			if (choice->count[item] > 0)
				continue;
			for (int h = holders->first[item]; h < holders->first[item + 1]; h++) {
				int d = holders->domain[h];

				missing[d] += turn == 0 ? -1 : 1;
				n += turn == 0 && missing[d] == 0 && problem->may[d];
			}
		}
	return n;
}

/* All items of a domain at once, those that free most domains for their cost. */
static bool fill_by_gain(struct choice *choice)
{
	const struct free_problem *problem = choice->problem;
	int *missing = xmalloc(((size_t)problem->ndomains + 1) * sizeof(int));
	struct holders holders;
	bool is_done = true;

	list_holders(&holders, problem);
	while (is_done && choice->n < problem->k) {
		int64_t others = least_room(choice, -1, problem->k - choice->n - 1);
		int64_t best_price = 0, best_gain = 0;
		int best = -1;

		for (int d = 0; d < problem->ndomains; d++) {
			missing[d] = 0;
			for (int i = problem->first[d]; i < problem->first[d + 1]; i++)
				missing[d] += choice->count[problem->item[i]] == 0;
		}
		for (int d = 0; d < problem->ndomains; d++) {
			int64_t own, gain;

			if (!can_put(choice, d, others))
				continue;
			own = price(choice, d);
			gain = own == 0 ? 1 : gained(choice, &holders, d, missing);
			if (gain > problem->k - choice->n)
				gain = problem->k - choice->n;
			if (best < 0 || own * best_gain < best_price * gain) {
				best = d;
				best_price = own;
				best_gain = gain;
			}
		}
		is_done = best >= 0;
		if (is_done)
			put(choice, best);
	}
	free(holders.first);
	free(holders.domain);
	free(missing);
	return is_done;
}

/* One for another, as long as that is cheaper. */
static void exchange(struct choice *choice)
{
	const struct free_problem *problem = choice->problem;

	for (bool is_better = true; is_better;) {
		is_better = false;
		for (int out = 0; out < problem->ndomains; out++) {
			int64_t was = choice->cost, least;
			int best = out;

			if (!choice->has[out])
				continue;
			drop(choice, out);
			least = was - choice->cost;
			for (int in = 0; in < problem->ndomains; in++) {
				int64_t own;

				if (!problem->may[in] || choice->has[in] ||
				    problem->size[in] > choice->room)
					continue;
				own = price(choice, in);
				if (own < least) {
					best = in;
					least = own;
				}
			}
			put(choice, best);
			is_better |= best != out;
		}
	}
}

/* ---- the bound ---- */

/* The domains that are worth their multiplier. The bound of it, in MULTIPLIER_ONEs of a cost. */
static int64_t relax(const struct free_problem *problem, int64_t multiplier, bool *worth, int *n)
{
	int source = problem->ndomains + problem->nitems, sink = source + 1;
	int64_t value = problem->k * multiplier;
	struct cut cut;

	cut_init(&cut, sink + 1);
	for (int d = 0; d < problem->ndomains; d++) {
		if (!problem->may[d])
			continue;
		cut_arc(&cut, source, d, multiplier);
		value -= multiplier;
		for (int i = problem->first[d]; i < problem->first[d + 1]; i++)
			cut_arc(&cut, d, problem->ndomains + problem->item[i], INT64_MAX / 4);
	}
	for (int i = 0; i < problem->nitems; i++)
		cut_arc(&cut, problem->ndomains + i, sink, problem->cost[i] * MULTIPLIER_ONE);
	value += cut_find(&cut, source, sink);
	*n = 0;
	for (int d = 0; d < problem->ndomains; d++) {
		worth[d] = problem->may[d] && cut.depth[d] >= 0;
		*n += worth[d];
	}
	cut_free(&cut);
	return value;
}

/* worth: the largest set of less than k domains, or of k, that a multiplier found. */
static int64_t find_bound(const struct free_problem *problem, bool *worth)
{
	bool *set = xcalloc((size_t)problem->ndomains + 1, sizeof(bool));
	int64_t low = 0, high = 1, best = 0;
	int n;

	for (int i = 0; i < problem->nitems; i++)
		high += problem->cost[i] * MULTIPLIER_ONE;
	for (int i = 0; i < MULTIPLIERS && low < high; i++) {
		int64_t middle = low + (high - low) / 2;
		int64_t value = relax(problem, middle, set, &n);

		best = value > best ? value : best;
		if (n <= problem->k) {
			memcpy(worth, set, (size_t)problem->ndomains * sizeof(bool));
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	free(set);
	return (best + MULTIPLIER_ONE - 1) / MULTIPLIER_ONE;
}

/* The domains that may be chosen, smallest first; -1 ends them. */
static int *list_by_size(const struct free_problem *problem)
{
	int *order = xmalloc(((size_t)problem->ndomains + 1) * sizeof(int)), most = 0, n = 0, *from;

	for (int d = 0; d < problem->ndomains; d++)
		most = problem->size[d] > most ? problem->size[d] : most;
	from = xcalloc((size_t)most + 2, sizeof(int));
	for (int d = 0; d < problem->ndomains; d++)
		if (problem->may[d]) {
			from[problem->size[d] + 1]++;
			n++;
		}
	for (int size = 0; size < most; size++)
		from[size + 1] += from[size];
	for (int d = 0; d < problem->ndomains; d++)
		if (problem->may[d])
			order[from[problem->size[d]]++] = d;
	order[n] = -1;
	free(from);
	return order;
}

static void keep_best(struct choice *choice, bool is_whole, bool *chosen, int64_t *cost)
{
	if (!is_whole)
		return;
	exchange(choice);
	if (*cost < 0 || choice->cost < *cost) {
		*cost = choice->cost;
		memcpy(chosen, choice->has, (size_t)choice->problem->ndomains * sizeof(bool));
	}
}

int64_t free_choose(const struct free_problem *problem, bool *chosen, int64_t *bound)
{
	size_t n = (size_t)problem->ndomains + 1;
	bool *worth = xcalloc(n, sizeof(bool));
	int *order = list_by_size(problem);
	struct choice choice = {.problem = problem,
				.has = xmalloc(n * sizeof(bool)),
				.count = xmalloc(((size_t)problem->nitems + 1) * sizeof(int)),
				.by_size = order};
	int64_t cost = -1;

	*bound = 0;
	clear(&choice);
	if (least_room(&choice, -1, problem->k) <= problem->room) {
		*bound = find_bound(problem, worth);
		for (int start = 0; start < 3; start++) {
			bool is_whole = true;

			clear(&choice);
			for (int d = 0; start == 2 && d < problem->ndomains; d++)
				if (worth[d] &&
				    can_put(&choice, d,
					    least_room(&choice, -1, problem->k - choice.n - 1)))
					put(&choice, d);
			is_whole = start == 1 ? fill_by_gain(&choice) : fill(&choice);
			keep_best(&choice, is_whole, chosen, &cost);
		}
	}
	free(worth);
	free(order);
	free(choice.has);
	free(choice.count);
	return cost;
}
