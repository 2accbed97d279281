/* compact_moved.c - a compact set of the empty machine, where it is idle */
#include <limits.h>
#include <stdlib.h>

#include "place/constraint/compact.h"

static bool is_idle(const struct pool *pool, const int *set, int n, int64_t *steps)
{
	for (int i = 0; i < n; i++)
		if (!pool->has[set[i]]) {
			*steps -= i + 1;
			return false;
		}
	*steps -= n;
	return true;
}

enum { WORD = 64 };

/*
 * A set moved as a whole: at [n · ndims] the coordinates of its routers, place [n] how many nodes
 * of each one's router come before it in the set. Around rings it moves by any number of routers;
 * along others, where it lies at 0 then, as far as there is room; where they have two routers, it
 * is turned over.
 */
struct moving {
	const struct space *space;
	int n, ndims;
	int *at, *place;
	int most[COMPACT_DIMS]; /* [ndims] the farthest moves */
};

/* Along a line to its beginning. */
static void push_down(struct moving *moving, int d)
{
	int least = INT_MAX, most = 0;

	for (int i = 0; i < moving->n; i++) {
		int at = moving->at[i * moving->ndims + d];

		least = at < least ? at : least;
		most = at > most ? at : most;
	}
	for (int i = 0; i < moving->n; i++)
		moving->at[i * moving->ndims + d] -= least;
	moving->most[d] -= most - least;
}

static bool is_turned_over(const struct space *space, int d)
{
	return !space->is_ring && space->sizes[d] == 2;
}

static void open_moving(struct moving *moving, const struct space *space, const int *set, int n)
{
	int *ntaken = xcalloc((size_t)space->topo->nrouters, sizeof(*ntaken));

	*moving = (struct moving){.space = space, .n = n, .ndims = space->ndims};
	moving->at = xmalloc((size_t)n * (size_t)space->ndims * sizeof(int));
	moving->place = xmalloc((size_t)n * sizeof(int));
	for (int i = 0; i < n; i++) {
		int router = space->topo->router_of[set[i]];

		space_coordinates(space, router, &moving->at[i * space->ndims]);
		moving->place[i] = ntaken[router]++;
	}
	for (int d = 0; d < space->ndims; d++) {
		moving->most[d] = space->sizes[d] - 1;
		if (!space->is_ring && !is_turned_over(space, d))
			push_down(moving, d);
	}
	free(ntaken);
}

static void close_moving(struct moving *moving)
{
	free(moving->at);
	free(moving->place);
}

static bool has_room(const struct moving *moving, const int *by)
{
	for (int d = 0; d < moving->ndims; d++)
		if (by[d] > moving->most[d])
			return false;
	return true;
}

/* The router of node i of the set, moved by coordinates. */
static inline int moved_router(const struct moving *moving, int i, const int *by)
{
	const struct space *space = moving->space;
	int stride = 1, router = 0;

	for (int d = 0; d < moving->ndims; d++) {
		int size = space->sizes[d], from = moving->at[i * moving->ndims + d];
		int to = is_turned_over(space, d) ? from ^ by[d] : from + by[d];

		router += (to >= size ? to - size : to) * stride;
		stride *= size;
	}
	return router;
}

/* The idle node of a router that has so many idle ones before it. */
static int idle_node(const struct pool *pool, int router, int nbefore)
{
	const struct space *space = pool->space;
	int k = space->first_node[router];

	while (!pool->has[space->node[k]] || nbefore-- > 0)
		k++;
	return space->node[k];
}

static bool is_idle_at(const struct pool *pool, const struct moving *moving, const int *by,
		       int64_t *steps)
{
	for (int i = 0; i < moving->n; i++) {
		*steps -= 6;
		if (pool->weight[moved_router(moving, i, by)] <= moving->place[i])
			return false;
	}
	return true;
}

/* ---- where routers have one node each: line by line ---- */

struct mask {
	int member; /* coordinates from dimension 1 on, of one of its nodes: at[member · ndims] */
	int span;   /* of those that differ */
	uint64_t xs;
};

struct masks {
	int n, nlines;   /* of the set, and of the machine */
	struct mask *of; /* [n] */
	uint64_t *idle;  /* [nlines] */
	VEC(uint64_t) spans;
	bool *is_known;  /* [spans.n · nlines] of the next */
	uint64_t *moves; /* [spans.n · nlines] bits by: the span, moved by so much, is idle there */
};

static bool has_masks(const struct space *space)
{
	return space->is_ring && space->sizes[0] <= WORD &&
	       space->topo->nnodes == space->topo->nrouters;
}

static void open_masks(struct masks *masks, const struct pool *pool, const struct moving *moving)
{
	const struct space *space = pool->space;
	int width = space->sizes[0], nlines = space->topo->nrouters / width;
	int *mask_of = xmalloc((size_t)nlines * sizeof(int));

	masks->nlines = nlines;
	masks->of = xmalloc((size_t)moving->n * sizeof(*masks->of));
	masks->idle = xcalloc((size_t)nlines, sizeof(uint64_t));
	for (int line = 0; line < nlines; line++)
		mask_of[line] = -1;
	for (int r = 0; r < space->topo->nrouters; r++)
		if (pool->weight[r] > 0)
			masks->idle[r / width] |= 1ULL << (r % width);
	for (int i = 0; i < moving->n; i++) {
		const int *at = &moving->at[i * moving->ndims];
		int line = 0, stride = 1;

		for (int d = 1; d < moving->ndims; d++) {
			line += at[d] * stride;
			stride *= space->sizes[d];
		}
		if (mask_of[line] < 0) {
			mask_of[line] = masks->n;
			masks->of[masks->n++] = (struct mask){.member = i};
		}
		masks->of[mask_of[line]].xs |= 1ULL << at[0];
	}
	free(mask_of);
}

static void close_masks(struct masks *masks)
{
	free(masks->of);
	free(masks->idle);
	free(masks->spans.at);
	free(masks->is_known);
	free(masks->moves);
}

/* Bit i becomes bit i − by, around the ring. */
static uint64_t turned(uint64_t bits, int by, int width)
{
	return by == 0 ? bits : bits >> by | bits << (width - by);
}

static int by_length(const void *a, const void *b)
{
	const struct mask *x = a, *y = b;
	int x_length = bits_count(&x->xs, 1), y_length = bits_count(&y->xs, 1);

	if (x_length != y_length)
		return y_length - x_length;
	return x->xs != y->xs ? (x->xs < y->xs ? -1 : 1) : x->member - y->member;
}

/* The longest first, as they are the first to meet a busy node. */
static void list_spans(struct masks *masks)
{
	if (masks->n > 1)
		qsort(masks->of, (size_t)masks->n, sizeof(*masks->of), by_length);
	for (int i = 0; i < masks->n; i++) {
		if (i == 0 || masks->of[i].xs != masks->spans.at[masks->spans.n - 1])
			vec_push(&masks->spans, masks->of[i].xs);
		masks->of[i].span = (int)masks->spans.n - 1;
	}
	masks->moves = xmalloc(masks->spans.n * (size_t)masks->nlines * sizeof(*masks->moves));
	masks->is_known = xcalloc(masks->spans.n * (size_t)masks->nlines, sizeof(bool));
}

/* The moves along x that leave a span on idle nodes of a line; found once. */
static uint64_t moves_of(struct masks *masks, int span, int line, int width, int64_t *steps)
{
	size_t at = (size_t)span * (size_t)masks->nlines + (size_t)line;
	uint64_t moves = width == WORD ? ~0ULL : (1ULL << width) - 1;

	*steps -= 2;
	if (masks->is_known[at])
		return masks->moves[at];
	for (uint64_t xs = masks->spans.at[span]; xs != 0 && moves != 0; xs &= xs - 1) {
		moves &= turned(masks->idle[line], __builtin_ctzll(xs), width);
		--*steps;
	}
	masks->is_known[at] = true;
	return masks->moves[at] = moves;
}

/* The moves along x that leave the set idle, after those along the others; 0: none. */
static uint64_t all_moves(struct masks *masks, const struct moving *moving, const int *by,
			  int64_t *steps)
{
	const struct space *space = moving->space;
	uint64_t moves = ~0ULL;

	for (int i = 0; i < masks->n && moves != 0; i++) {
		const int *at = &moving->at[masks->of[i].member * moving->ndims];
		int line = 0, stride = 1;

		for (int d = 1; d < moving->ndims; d++) {
			int size = space->sizes[d], to = at[d] + by[d];

			line += (to >= size ? to - size : to) * stride;
			stride *= size;
		}
		*steps -= 4;
		moves &= moves_of(masks, masks->of[i].span, line, space->sizes[0], steps);
	}
	return moves;
}

/* Line by line, in the order of routers. */
static bool move_lines(const struct pool *pool, const struct moving *moving, int64_t *steps,
		       int *by)
{
	const struct space *space = pool->space;
	struct masks masks = {0};
	uint64_t moves = 0;

	open_masks(&masks, pool, moving);
	list_spans(&masks);
	for (int line = 0; line < masks.nlines && *steps >= 0 && moves == 0; line++) {
		space_coordinates(space, line * space->sizes[0], by);
		moves = all_moves(&masks, moving, by, steps);
	}
	if (moves != 0)
		by[0] = __builtin_ctzll(moves);
	close_masks(&masks);
	return moves != 0;
}

/* ---- every move ---- */

static bool move_routers(const struct pool *pool, const struct moving *moving, int64_t *steps,
			 int *by)
{
	const struct space *space = pool->space;

	for (int router = 0; router < space->topo->nrouters && *steps >= 0; router++) {
		space_coordinates(space, router, by);
		if (has_room(moving, by) && is_idle_at(pool, moving, by, steps))
			return true;
	}
	return false;
}

static bool try_moved(const struct pool *pool, const struct moving *moving, int64_t *steps,
		      int_vec *nodes)
{
	int by[COMPACT_DIMS];
	bool found = has_masks(pool->space) ? move_lines(pool, moving, steps, by)
					    : move_routers(pool, moving, steps, by);

	for (int i = 0; i < moving->n && found; i++)
		vec_push(nodes, idle_node(pool, moved_router(moving, i, by), moving->place[i]));
	return found;
}

bool compact_moved(const struct pool *pool, const int *set, int n, int64_t *steps, int_vec *nodes)
{
	const struct space *space = pool->space;
	struct moving moving;
	bool found;

	nodes->n = 0;
	/* on a mesh it lies in the middle: jobs are packed from a corner on */
	if ((space->is_ring || !space->is_grid) && is_idle(pool, set, n, steps)) {
		for (int i = 0; i < n; i++)
			vec_push(nodes, set[i]);
		return true;
	}
	if (!space->is_grid || space->ndims > COMPACT_DIMS || pool->n < n)
		return false;
	open_moving(&moving, space, set, n);
	found = try_moved(pool, &moving, steps, nodes);
	close_moving(&moving);
	return found;
}
