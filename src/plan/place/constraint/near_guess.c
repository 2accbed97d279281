/* near_guess.c - nodes near each other, quickly but not all of them: balls and boxes */
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "place/constraint/near.h"
#include "place/constraint/grid_windows.h"

/* ---- balls ---- */

/*
 * Routers whose distances to two centres add up to no more than the distance: by the triangle
 * inequality two of them are no further apart. The centres are one router, or two neighbours.
 */
struct balls {
	struct near_query *query;
	struct near_list *list; /* sets are listed instead; NULL: they are tried */
	struct map index;       /* the bytes of a set → 0 */
	int *distance; /* [nrouters] from the first centre; −1: further than that matters */
	int *other;    /* from the second one */
	int_vec seen, queue;
};

static void walk(struct balls *balls, int from, int radius, int *distance, int_vec *seen)
{
	const struct space *space = balls->query->pool->space;

	for (size_t i = 0; i < seen->n; i++)
		distance[seen->at[i]] = -1;
	seen->n = 0;
	vec_push(seen, from);
	distance[from] = 0;
	for (size_t i = 0; i < seen->n; i++) {
		int r = seen->at[i];

		if (distance[r] == radius)
			break;
		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++)
			if (distance[space->peer[k]] < 0) {
				distance[space->peer[k]] = distance[r] + 1;
				vec_push(seen, space->peer[k]);
			}
	}
}

enum { LIST_MOST = 1 << 22 };

static int by_number(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

/* Routers within the sum of both distances, where they are not listed yet. */
static int list_centres(struct balls *balls)
{
	struct near_list *list = balls->list;
	size_t first = list->router.n, n;

	for (size_t i = 0; i < balls->seen.n; i++) {
		int r = balls->seen.at[i];

		if (balls->other[r] >= 0 &&
		    balls->distance[r] + balls->other[r] <= balls->query->distance)
			vec_push(&list->router, r);
	}
	n = list->router.n - first;
	if (n > 1)
		qsort(&list->router.at[first], n, sizeof(int), by_number);
	if (map_get(&balls->index, (const char *)&list->router.at[first], n * sizeof(int)) >= 0) {
		list->router.n = first;
		return SEARCH_ALL;
	}
	map_add(&balls->index, (const char *)&list->router.at[first], n * sizeof(int), 0);
	vec_push(&list->first, (int)list->router.n);
	list->is_too_long = list->router.n > LIST_MOST;
	return list->is_too_long ? SEARCH_BOUND : SEARCH_ALL;
}

/* Routers within the sum of both distances. */
static int try_centres(struct balls *balls)
{
	struct near_query *query = balls->query;
	int weight = 0;

	if (balls->list != NULL)
		return list_centres(balls);

	query->steps -= (int64_t)balls->seen.n;
	if (query->steps < 0)
		return SEARCH_BOUND;
	for (size_t i = 0; i < balls->seen.n; i++) {
		int r = balls->seen.at[i];

		if (balls->other[r] >= 0 && balls->distance[r] + balls->other[r] <= query->distance)
			weight += query->pool->weight[r];
	}
	if (weight < query->wanted)
		return SEARCH_ALL;
	query->nodes.n = 0;
	for (size_t i = 0; i < balls->seen.n; i++) {
		int r = balls->seen.at[i];

		if (balls->other[r] >= 0 && balls->distance[r] + balls->other[r] <= query->distance)
			pool_add(query->pool, r, &query->nodes);
	}
	query->steps -= query->wanted;
	return query->visit(query->context, query->nodes.at, (int)query->nodes.n) ? SEARCH_STOP
										  : SEARCH_ALL;
}

/* list NULL: each set is tried. */
static int all_balls(struct near_query *query, struct near_list *list)
{
	const struct space *space = query->pool->space;
	size_t nrouters = (size_t)space->topo->nrouters;
	struct balls balls = {.query = query, .list = list};
	bool is_odd = query->distance % 2 != 0;
	int radius = (query->distance + 1) / 2, end = SEARCH_ALL;

	balls.distance = xmalloc(nrouters * sizeof(int));
	balls.other = xmalloc(nrouters * sizeof(int));
	for (size_t r = 0; r < nrouters; r++)
		balls.distance[r] = balls.other[r] = -1;
	for (int r = 0; r < (int)nrouters && end == SEARCH_ALL; r++) {
		walk(&balls, r, radius, balls.distance, &balls.seen);
		if (!is_odd) {
			walk(&balls, r, radius, balls.other, &balls.queue);
			end = try_centres(&balls);
			continue;
		}
		for (int k = space->first_peer[r]; k < space->first_peer[r + 1]; k++) {
			if (space->peer[k] < r || end != SEARCH_ALL)
				continue;
			walk(&balls, space->peer[k], radius, balls.other, &balls.queue);
			end = try_centres(&balls);
		}
	}
	free(balls.distance);
	free(balls.other);
	free(balls.seen.at);
	free(balls.queue.at);
	map_free(&balls.index);
	return end;
}

/* ---- the same, listed once ---- */

void near_lists_open(struct near_lists *lists, int most)
{
	lists->most = most;
	lists->of = xcalloc((size_t)most + 1, sizeof(*lists->of));
}

void near_lists_close(struct near_lists *lists)
{
	for (int d = 0; lists->of != NULL && d <= lists->most; d++) {
		free(lists->of[d].first.at);
		free(lists->of[d].router.at);
	}
	free(lists->of);
	free(lists->room.at);
	*lists = (struct near_lists){0};
}

static struct near_list *list_at(struct near_query *query)
{
	struct near_list *list = &query->pool->lists->of[query->distance];

	if (list->is_made)
		return list;
	list->is_made = true;
	vec_push(&list->first, 0);
	all_balls(query, list);
	if (list->is_too_long) {
		vec_free(&list->first);
		vec_free(&list->router);
	}
	return list;
}

int near_balls(struct near_query *query)
{
	const struct pool *pool = query->pool;
	struct near_list *list;

	if (pool->lists == NULL || query->distance > pool->lists->most)
		return all_balls(query, NULL);
	list = list_at(query);
	if (list->is_too_long)
		return all_balls(query, NULL);
	for (size_t i = 0; i + 1 < list->first.n; i++) {
		int weight = 0;

		query->steps -= list->first.at[i + 1] - list->first.at[i];
		if (query->steps < 0)
			return SEARCH_BOUND;
		for (int k = list->first.at[i]; k < list->first.at[i + 1]; k++)
			weight += pool->weight[list->router.at[k]];
		if (weight < query->wanted)
			continue;
		query->nodes.n = 0;
		for (int k = list->first.at[i]; k < list->first.at[i + 1]; k++)
			pool_add(pool, list->router.at[k], &query->nodes);
		query->steps -= 4 * weight;
		if (query->visit(query->context, query->nodes.at, (int)query->nodes.n) != 0)
			return SEARCH_STOP;
	}
	return SEARCH_ALL;
}

/* ---- boxes ---- */

enum { DIMS = 32 };

struct near_box {
	struct near_query *query;
	const struct space *space;
	int sides[DIMS], strides[DIMS];
	int per;       /* the most nodes of a router */
	int64_t *most; /* [(ndims + 1) · (distance + 1)] routers, by the dimensions from one on and
			* what they may span together */
};

static int span_of(const struct space *space, int d, int side)
{
	int half = space->sizes[d] / 2;

	/* more than half of a ring is no further apart than half */
	return space->is_ring && side - 1 > half ? half : side - 1;
}

static int64_t *most_of(const struct near_box *box, int d, int left)
{
	return &box->most[(int64_t)d * (box->query->distance + 1) + left];
}

/* The largest boxes are found once, so that none is looked for that has too few routers. */
static void find_most(struct near_box *box)
{
	const struct space *space = box->space;
	int distance = box->query->distance;

	for (int left = 0; left <= distance; left++)
		*most_of(box, space->ndims, left) = 1;
	for (int d = space->ndims - 1; d >= 0; d--)
		for (int left = 0; left <= distance; left++) {
			int64_t most = 0;

			for (int side = 1; side <= space->sizes[d]; side++) {
				int span = span_of(space, d, side);

				if (span <= left && side * *most_of(box, d + 1, left - span) > most)
					most = side * *most_of(box, d + 1, left - span);
			}
			*most_of(box, d, left) = most;
		}
}

/* Whether a box with those sides before a dimension has room, whatever the others are. */
static bool may_hold(const struct near_box *box, int d, int left)
{
	int64_t most = *most_of(box, d, left) * box->per;

	for (int i = 0; i < d; i++)
		most *= box->sides[i];
	return most >= box->query->wanted;
}

static int visit_box(struct near_box *box, int origin)
{
	struct near_query *query = box->query;
	const struct space *space = box->space;
	int at[DIMS] = {0}, d;

	query->nodes.n = 0;
	do {
		int router = 0;

		for (int i = 0; i < space->ndims; i++)
			router += (origin / box->strides[i] + at[i]) % space->sizes[i] *
				  box->strides[i];
		pool_add(query->pool, router, &query->nodes);
		for (d = 0; d < space->ndims && ++at[d] == box->sides[d]; d++)
			at[d] = 0;
	} while (d < space->ndims);
	return query->visit(query->context, query->nodes.at, (int)query->nodes.n) ? SEARCH_STOP
										  : SEARCH_ALL;
}

static int visit_places(struct near_box *box, const struct cell *cells, const int *extents)
{
	int64_t n = 1;
	int end = SEARCH_ALL;

	for (int d = 0; d < box->space->ndims; d++)
		n *= extents[d];
	for (int64_t i = 0; i < n && end == SEARCH_ALL; i++) {
		int64_t place = i;
		int origin = 0;

		if (cells[i].weight < box->query->wanted)
			continue;
		for (int d = 0; d < box->space->ndims; d++) {
			origin += (int)(place % extents[d]) * box->strides[d];
			place /= extents[d];
		}
		box->query->steps -= cells[i].weight;
		end = box->query->steps < 0 ? SEARCH_BOUND : visit_box(box, origin);
	}
	return end;
}

/* left: what the sides along dimension d and after may still span together. */
static int choose_side(struct near_box *box, int d, const struct cell *cells, const int *extents,
		       int left)
{
	const struct space *space = box->space;
	int places[DIMS], end = SEARCH_ALL, rest = 0;

	if (d == space->ndims)
		return visit_places(box, cells, extents);
	memcpy(places, extents, sizeof(places));
	for (int i = d + 1; i < space->ndims; i++)
		rest += space->is_ring ? space->sizes[i] / 2 : space->sizes[i] - 1;
	for (int side = 1; side <= space->sizes[d] && end == SEARCH_ALL; side++) {
		int half = space->sizes[d] / 2, span = span_of(space, d, side);
		bool is_last = side == space->sizes[d];
		struct cell *windows;

		/* so take all of it */
		if (space->is_ring && side - 1 >= half && !is_last)
			continue;
		/* what could be larger is no region of its own */
		if (span > left || (span < left && span + rest < left && !is_last))
			continue;
		box->sides[d] = side;
		if (!may_hold(box, d + 1, left - span))
			continue;
		box->query->steps -= near_is_guessed(space) ? 4 * (int64_t)space->topo->nrouters
							    : space->topo->nrouters / 8;
		if (box->query->steps < 0)
			return SEARCH_BOUND;
		windows = windows_slide(cells, extents, space->ndims, d, side, space->is_ring,
					&places[d]);
		end = choose_side(box, d + 1, windows, places, left - span);
		free(windows);
	}
	return end;
}

int near_boxes(struct near_query *query)
{
	const struct space *space = query->pool->space;
	struct near_box box = {.query = query, .space = space};
	struct cell *cells = xcalloc((size_t)space->topo->nrouters, sizeof(*cells));
	int stride = 1, extents[DIMS], end = SEARCH_ALL;

	for (int d = 0; d < space->ndims; d++) {
		extents[d] = space->sizes[d];
		box.strides[d] = stride;
		stride *= space->sizes[d];
	}
	for (int r = 0; r < space->topo->nrouters; r++) {
		cells[r].weight = query->pool->weight[r];
		box.per = cells[r].weight > box.per ? cells[r].weight : box.per;
	}
	box.most = xmalloc(((size_t)space->ndims + 1) * ((size_t)query->distance + 1) *
			   sizeof(*box.most));
	find_most(&box);
	if (may_hold(&box, 0, query->distance))
		end = choose_side(&box, 0, cells, extents, query->distance);
	free(box.most);
	free(cells);
	return end;
}
