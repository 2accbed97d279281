/* near_counts.c - the nodes of every ball of a torus at once, one dimension after the other */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/near.h"

/*
 * A ball of radius r has, o steps along the last dimension, what is within r − |o| of there in the
 * others: so the counts for radii 0 … r in some dimensions give those in one more. What lies ahead
 * of a place within r is what is at its step within r in the others, and what lies ahead of the
 * next step within r − 1.
 */
struct counting {
	const struct space *space;
	size_t n;      /* routers */
	int nradii;    /* 0 … nradii − 1 */
	int *within;   /* [nradii · n] in the dimensions so far */
	int *wider;    /* [nradii · n] in one more */
	int *ahead[2]; /* [n] of a radius and of the one before it, by its parity */
	int *behind[2];
	int *none; /* [n] zeros */
};

static int *within(const struct counting *counting, int radius)
{
	return &counting->within[(size_t)radius * counting->n];
}

/* to = a + b: eight at a time, which compilers make few instructions of. */
static void add_row(const int *restrict a, const int *restrict b, size_t n, int *restrict to)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		for (size_t k = 0; k < 8; k++)
			to[i + k] = a[i + k] + b[i + k];
	for (; i < n; i++)
		to[i] = a[i] + b[i];
}

static void take_row(const int *restrict b, size_t n, int *restrict from)
{
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		for (size_t k = 0; k < 8; k++)
			from[i + k] -= b[i + k];
	for (; i < n; i++)
		from[i] -= b[i];
}

/* Along dimension 0; is_pair: around two centres, the second one a step further on. */
static void count_lines(struct counting *counting, const int *weight, bool is_pair)
{
	size_t width = (size_t)counting->space->sizes[0];
	int *below = xcalloc(3 * width + 1, sizeof(*below)); /* the line three times */

	for (size_t first = 0; first < counting->n; first += width) {
		for (size_t i = 0; i < width; i++)
			below[i + 1] = below[i] + weight[first + i];
		for (size_t i = 1; i <= 2 * width; i++)
			below[width + i] = below[width] + below[i];
		for (int r = 0; r < counting->nradii; r++) {
			size_t length = 2 * (size_t)r + 1 + is_pair;
			const int *from = &below[width - (length < width ? (size_t)r : 0)];
			int *to = &within(counting, r)[first];

			length = length < width ? length : width;
			memcpy(to, &from[length], width * sizeof(*to));
			take_row(from, width, to);
		}
	}
	free(below);
}

/* A dimension: its coordinates follow each other in runs of stride routers. */
struct along {
	size_t stride;
	int size;
};

static int turned(struct along along, int at)
{
	at %= along.size;
	return at < 0 ? at + along.size : at;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

/* to = a, moved by steps, plus b, moved by others; all at once up to where one of them begins
 * anew. */
static void add(const struct counting *counting, struct along along, const int *a, int a_steps,
		const int *b, int b_steps, int *to)
{
	size_t stride = along.stride;

	for (size_t ring = 0; ring < counting->n; ring += stride * (size_t)along.size)
		for (int at = 0, n; at < along.size; at += n) {
			int a_at = turned(along, at + a_steps), b_at = turned(along, at + b_steps);

			n = along.size - (a_at > b_at ? a_at : b_at);
			n = smaller(n, along.size - at);
			add_row(&a[ring + (size_t)a_at * stride], &b[ring + (size_t)b_at * stride],
				(size_t)n * stride, &to[ring + (size_t)at * stride]);
		}
}

static void take_off(const struct counting *counting, struct along along, const int *b, int steps,
		     int *from)
{
	size_t stride = along.stride;

	for (size_t ring = 0; ring < counting->n; ring += stride * (size_t)along.size)
		for (int at = 0, n; at < along.size; at += n) {
			int b_at = turned(along, at + steps);

			n = smaller(along.size - b_at, along.size - at);
			take_row(&b[ring + (size_t)b_at * stride], (size_t)n * stride,
				 &from[ring + (size_t)at * stride]);
		}
}

/* What is within a radius from a place on, most steps at most; sides: of the last two radii. */
static void add_radius(const struct counting *counting, struct along along, int radius, int most,
		       int step, int *const *sides)
{
	const int *before = radius > 0 ? sides[(radius - 1) % 2] : counting->none;
	int *now = sides[radius % 2];

	if (most < 0) {
		memset(now, 0, counting->n * sizeof(*now));
		return;
	}
	add(counting, along, within(counting, radius), 0, before, step, now);
	if (radius > most)
		take_off(counting, along, within(counting, radius - 1 - most), step * (most + 1),
			 now);
}

/* One dimension more. The halves of a ring meet, but no router is counted twice. */
static void count_along(struct counting *counting, struct along along, bool is_pair, bool is_last)
{
	int most_ahead = is_pair ? (along.size - 1) / 2 : along.size / 2;
	int most_behind = along.size - 2 - most_ahead, step = is_pair ? 0 : -1;
	int *filled;

	for (int r = 0; r < counting->nradii; r++) {
		const int *behind = counting->none;

		add_radius(counting, along, r, most_ahead, 1, counting->ahead);
		add_radius(counting, along, r, most_behind, -1, counting->behind);
		if (r + step >= 0)
			behind = counting->behind[(r + step) % 2];
		if (!is_last || r == counting->nradii - 1)
			add(counting, along, counting->ahead[r % 2], is_pair, behind, step,
			    &counting->wider[(size_t)r * counting->n]);
	}
	filled = counting->wider;
	counting->wider = counting->within;
	counting->within = filled;
}

int64_t near_counts_steps(const struct space *space, int radius)
{
	/* three passes for each radius and dimension, six routers a nanosecond */
	return (int64_t)(radius + 1) * space->ndims * space->topo->nrouters / 2;
}

const int *near_counts(const struct space *space, const int *weight, int radius, int second,
		       int_vec *room)
{
	struct counting counting = {
		.space = space, .n = (size_t)space->topo->nrouters, .nradii = radius + 1};
	size_t n = counting.n, nall = n * (size_t)counting.nradii;
	struct along along = {.stride = (size_t)space->sizes[0]};
	int *rows;

	vec_reserve(room, 2 * nall + 5 * n);
	counting.within = room->at;
	counting.wider = &room->at[nall];
	rows = &room->at[2 * nall];
	counting.none = rows;
	memset(counting.none, 0, n * sizeof(int));
	for (int i = 0; i < 2; i++) {
		counting.ahead[i] = &rows[(size_t)(1 + i) * n];
		counting.behind[i] = &rows[(size_t)(3 + i) * n];
	}
	count_lines(&counting, weight, second == 0);
	for (int d = 1; d < space->ndims; d++) {
		along.size = space->sizes[d];
		count_along(&counting, along, second == d, d == space->ndims - 1);
		along.stride *= (size_t)along.size;
	}
	return within(&counting, radius);
}
