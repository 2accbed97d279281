/* pending.c - the jobs that wait, in the order of their places, and the next one that fits */
#include "place/run/pending.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"

struct pending_knot {
	int64_t length_ns; /* the shortest below; INT64_MAX: none */
	int nnodes;        /* the fewest below; INT_MAX: none waits */
};

static const struct pending_knot nobody = {.length_ns = INT64_MAX, .nnodes = INT_MAX};

void pending_init(struct pending *pending, int n)
{
	*pending = (struct pending){.nleaves = 1, .first = n};
	while (pending->nleaves < n)
		pending->nleaves *= 2;
	pending->knots = xmalloc(2 * (size_t)pending->nleaves * sizeof(*pending->knots));
	for (int i = 0; i < 2 * pending->nleaves; i++)
		pending->knots[i] = nobody;
}

void pending_free(struct pending *pending)
{
	free(pending->knots);
	*pending = (struct pending){0};
}

/* Knot i has the children 2i and 2i + 1; place p is knot nleaves + p. */
static void set(struct pending *pending, int place, struct pending_knot knot)
{
	struct pending_knot *knots = pending->knots;

	knots[pending->nleaves + place] = knot;
	for (int i = (pending->nleaves + place) / 2; i > 0; i /= 2) {
		const struct pending_knot *a = &knots[2 * i], *b = &knots[2 * i + 1];

		knots[i].length_ns = a->length_ns < b->length_ns ? a->length_ns : b->length_ns;
		knots[i].nnodes = a->nnodes < b->nnodes ? a->nnodes : b->nnodes;
	}
}

void pending_add(struct pending *pending, int place, int nnodes, int64_t length_ns)
{
	set(pending, place, (struct pending_knot){.length_ns = length_ns, .nnodes = nnodes});
	if (pending->n++ == 0 || place < pending->first)
		pending->first = place;
}

void pending_remove(struct pending *pending, int place)
{
	set(pending, place, nobody);
	pending->n--;
	if (place == pending->first)
		pending->first = pending->n > 0 ? pending_next(pending, place + 1) : INT_MAX;
}

/* Exact for a leaf; for a knot: whether it can be true of one below. */
static bool may_fit(const struct pending_knot *knot, int nnodes, int64_t length_ns, int nlong)
{
	return knot->nnodes <= nnodes && (knot->length_ns <= length_ns || knot->nnodes <= nlong);
}

int pending_next_fitting(const struct pending *pending, int from, int nnodes, int64_t length_ns,
			 int nlong)
{
	const struct pending_knot *knots = pending->knots;
	int i;

	if (from < pending->first)
		from = pending->first;
	if (pending->n == 0 || from >= pending->nleaves)
		return -1;
	for (i = pending->nleaves + from;;) {
		if (may_fit(&knots[i], nnodes, length_ns, nlong)) {
			if (i >= pending->nleaves)
				return i - pending->nleaves;
			i = 2 * i;
			continue;
		}
		/* on to the next knot that begins behind this one: up while it is a right child */
		while ((i & 1) != 0)
			i /= 2;
		if (i == 0)
			return -1;
		i++;
	}
}

int pending_next(const struct pending *pending, int from)
{
	return pending_next_fitting(pending, from, INT_MAX - 1, INT64_MAX, 0);
}
