/* near_torus.c - balls of a torus: all counted at once, or line by line until too many are missing
 */
#include <stdlib.h>

#include "place/constraint/near.h"

/*
 * A ball is a span of x on each of some lines, which lie about the centre's own as they do about
 * any other's. Of two neighbours as centres it is the union of theirs.
 */
struct span {
	int line; /* of the centre at the origin */
	int x, n; /* from the centre's x on */
};

struct torus {
	struct near_query *query;
	const struct space *space;
	int ndims, width, nlines, per; /* per: the most nodes of a router */
	int *at;                       /* [nlines · ndims] coordinates, from dimension 1 on */
	int *below;             /* [nlines · (width + 1)] idle nodes of a line with a lower x */
	VEC(struct span) spans; /* the longest first */
	int size;               /* routers of a ball */
	int_vec *room;          /* for near_counts */
	int *line;              /* [spans.n] of the spans about the centre's line */
};

static int around(int distance, int size)
{
	return distance > size - distance ? size - distance : distance;
}

/* Half the width of a ball on a line; −1: it has none of it. from: one step of a dimension further
 * on; −1: none. */
static int half_width(const struct torus *torus, int line, int radius, int from)
{
	for (int d = 1; d < torus->ndims; d++) {
		int size = torus->space->sizes[d], at = torus->at[line * torus->ndims + d];

		radius -= around((at - (d == from) + size) % size, size);
	}
	return radius < 0 ? -1 : radius;
}

static int by_length(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->n != y->n ? y->n - x->n : x->line - y->line;
}

/* of: the dimension that the second centre is one step of; −1: there is one centre. */
static void find_spans(struct torus *torus, int radius, int of)
{
	torus->spans.n = 0;
	torus->size = 0;
	for (int line = 0; line < torus->nlines; line++) {
		int half = half_width(torus, line, radius, -1);
		int other = of > 0 ? half_width(torus, line, radius, of) : half;
		struct span span = {.line = line};

		half = other > half ? other : half;
		if (half < 0)
			continue;
		span.x = -half;
		span.n = 2 * half + 1 + (of == 0);
		span.n = span.n > torus->width ? torus->width : span.n;
		vec_push(&torus->spans, span);
		torus->size += span.n;
	}
	if (torus->spans.n > 1)
		qsort(torus->spans.at, torus->spans.n, sizeof(struct span), by_length);
}

static void place_spans(struct torus *torus, int centre)
{
	for (size_t i = 0; i < torus->spans.n; i++) {
		int stride = 1, line = 0;

		for (int d = 1; d < torus->ndims; d++) {
			int size = torus->space->sizes[d];
			int at = torus->at[centre * torus->ndims + d] +
				 torus->at[torus->spans.at[i].line * torus->ndims + d];

			line += (at >= size ? at - size : at) * stride;
			stride *= size;
		}
		torus->line[i] = line;
	}
}

/* Idle nodes of a span that begins at x. */
static int count(const struct torus *torus, int line, int x, int n)
{
	const int *below = &torus->below[line * (torus->width + 1)];
	int end = x + n;

	if (end <= torus->width)
		return below[end] - below[x];
	return below[torus->width] - below[x] + below[end - torus->width];
}

static int first_x(const struct torus *torus, const struct span *span, int x)
{
	return (x + span->x % torus->width + torus->width) % torus->width;
}

/* Whether the ball about x of the line that spans are placed for has as many nodes as wanted. */
static bool has_enough(struct torus *torus, int x)
{
	int weight = 0, most = torus->size * torus->per, wanted = torus->query->wanted;

	for (size_t i = 0; i < torus->spans.n; i++) {
		const struct span *span = &torus->spans.at[i];
		int n = count(torus, torus->line[i], first_x(torus, span, x), span->n);

		torus->query->steps -= 4;
		weight += n;
		most -= span->n * torus->per - n;
		if (most < wanted)
			return false;
	}
	return weight >= wanted;
}

static int visit_ball(struct torus *torus, int x)
{
	struct near_query *query = torus->query;

	query->nodes.n = 0;
	for (size_t i = 0; i < torus->spans.n; i++) {
		const struct span *span = &torus->spans.at[i];
		int at = first_x(torus, span, x);

		for (int k = 0; k < span->n; k++)
			pool_add(query->pool,
				 torus->line[i] * torus->width + (at + k) % torus->width,
				 &query->nodes);
	}
	query->steps -= 8 * (int64_t)query->nodes.n;
	return query->visit(query->context, query->nodes.at, (int)query->nodes.n) ? SEARCH_STOP
										  : SEARCH_ALL;
}

static bool is_one_enough(const struct torus *torus, const int *counts)
{
	for (int x = 0; x < torus->width; x++)
		if (counts[x] >= torus->query->wanted)
			return true;
	return false;
}

/* The idle nodes of each ball; NULL: to count them all takes more steps than are left. */
static const int *count_all(struct torus *torus, int radius, int of)
{
	int64_t steps = near_counts_steps(torus->space, radius);

	if (torus->query->steps < steps)
		return NULL;
	torus->query->steps -= steps;
	return near_counts(torus->space, torus->query->pool->weight, radius, of, torus->room);
}

static int all_centres(struct torus *torus, int radius, int of)
{
	const int *counts;
	int end = SEARCH_ALL;

	find_spans(torus, radius, of);
	if (torus->size * torus->per < torus->query->wanted)
		return SEARCH_ALL;
	counts = count_all(torus, radius, of);
	for (int line = 0; line < torus->nlines && end == SEARCH_ALL; line++) {
		const int *of_line = counts != NULL ? &counts[line * torus->width] : NULL;

		if (of_line != NULL && !is_one_enough(torus, of_line))
			continue;
		place_spans(torus, line);
		torus->query->steps -= 4 * (int64_t)torus->spans.n;
		for (int x = 0; x < torus->width && end == SEARCH_ALL; x++) {
			if (torus->query->steps < 0)
				end = SEARCH_BOUND;
			else if (of_line != NULL ? of_line[x] >= torus->query->wanted
						 : has_enough(torus, x))
				end = visit_ball(torus, x);
		}
	}
	return end;
}

int near_torus_balls(struct near_query *query)
{
	const struct pool *pool = query->pool;
	const struct space *space = pool->space;
	struct torus torus = {.query = query,
			      .space = space,
			      .ndims = space->ndims,
			      .width = space->sizes[0],
			      .nlines = space->topo->nrouters / space->sizes[0]};
	int_vec room = {0};
	int end = SEARCH_ALL;

	torus.room = pool->lists != NULL ? &pool->lists->room : &room;
	torus.at = xcalloc((size_t)torus.nlines * (size_t)torus.ndims, sizeof(int));
	torus.below = xcalloc((size_t)torus.nlines * ((size_t)torus.width + 1), sizeof(int));
	torus.line = xmalloc((size_t)torus.nlines * sizeof(int));
	for (int line = 0; line < torus.nlines; line++)
		space_coordinates(space, line * torus.width, &torus.at[line * torus.ndims]);
	for (int r = 0; r < space->topo->nrouters; r++) {
		int at = r / torus.width * (torus.width + 1) + r % torus.width;

		torus.below[at + 1] = torus.below[at] + pool->weight[r];
		if (space->ncompute[r] > torus.per)
			torus.per = space->ncompute[r];
	}
	if (query->distance % 2 == 0)
		end = all_centres(&torus, query->distance / 2, -1);
	for (int d = 0; d < torus.ndims && end == SEARCH_ALL && query->distance % 2 != 0; d++)
		end = all_centres(&torus, query->distance / 2, d);
	free(room.at);
	free(torus.at);
	free(torus.below);
	free(torus.line);
	free(torus.spans.at);
	return end;
}
