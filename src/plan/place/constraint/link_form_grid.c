/* link_form_grid.c - links in use of grids with dimension-order routes, one cable per pair */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/grid.h"
#include "place/constraint/link_forms.h"
#include "place/constraint/link_line.h"

enum { MOST_WORDS = 1 << 22 };

/*
 * Units are routers. A line is all routers that differ in x only: nwords words; so a line number is
 * the other coordinates. Links in use: for each dimension d and router the one to the next router
 * of d. A route goes along x first, then y, …: from (x, y, z) to (X, Y, Z) along x at (y, z), along
 * y at (X, z), along z at (X, Y). So which routers of a whole line it is free to or from is an AND
 * of words with a bit for each X:
 *
 * out[line][x]: bits X, the way from x to X on the line is free; into: from X to x.
 * along[d][line][c]: bits X, the way along d from (X, line) to its coordinate c is free.
 */
struct state {
	int ndims, nlines, nwords, width; /* width: routers of a line */
	const int *sizes;
	bool is_ring;
	int strides[GRID_DIMS];          /* of routers */
	int line_strides[GRID_DIMS];     /* of lines, from d = 1 on */
	int *at;                         /* [nlines · ndims] coordinates of each */
	uint64_t *out, *into;            /* [nlines · width · nwords] */
	uint64_t *along[GRID_DIMS];      /* [nlines · sizes[d] · nwords] from d = 1 on */
	uint64_t *was;                   /* links->used [links->nwords] that these are of */
	bool *starts, *ends;             /* [nrouters] of mark() */
	uint64_t *start_bits, *end_bits; /* [nrouters] of mark() */
};

static int64_t words_needed(const struct space *space, int64_t nlines, int nwords)
{
	int64_t n = 2 * (int64_t)space->sizes[0];

	for (int d = 1; d < space->ndims; d++)
		n += space->sizes[d];
	return n * nlines * nwords;
}

static bool form_open(struct links *links)
{
	const struct space *space = links->space;
	const struct topo *topo = space->topo;
	size_t nrouters = (size_t)topo->nrouters, words;
	int nwords, nlines, stride = 1;
	struct state *state;

	if (!space->is_grid || space->ndims > GRID_DIMS || !links_are_single(space))
		return false;
	nwords = (space->sizes[0] + 63) / 64;
	nlines = topo->nrouters / space->sizes[0];
	if (words_needed(space, nlines, nwords) > MOST_WORDS)
		return false;
	links->state = state = xcalloc(1, sizeof(*state));
	*state = (struct state){space->ndims,    nlines,       nwords,
				space->sizes[0], space->sizes, space->is_ring};
	words = (size_t)nlines * (size_t)nwords;
	state->out = xcalloc(words * (size_t)state->width, sizeof(uint64_t));
	state->into = xcalloc(words * (size_t)state->width, sizeof(uint64_t));
	state->was = xmalloc(words * (size_t)space->ndims * sizeof(uint64_t));
	memset(state->was, 0xff, words * (size_t)space->ndims * sizeof(uint64_t));
	for (int d = 0; d < space->ndims; d++) {
		state->strides[d] = stride;
		state->line_strides[d] = stride / space->sizes[0];
		stride *= space->sizes[d];
		if (d > 0)
			state->along[d] =
				xcalloc(words * (size_t)space->sizes[d], sizeof(uint64_t));
	}
	state->at = xcalloc((size_t)nlines * (size_t)space->ndims, sizeof(int));
	for (int line = 0; line < nlines; line++)
		for (int d = 1; d < space->ndims; d++)
			state->at[line * space->ndims + d] =
				line / state->line_strides[d] % space->sizes[d];
	state->starts = xcalloc(nrouters, sizeof(bool));
	state->ends = xcalloc(nrouters, sizeof(bool));
	state->start_bits = xcalloc(nrouters, sizeof(uint64_t));
	state->end_bits = xcalloc(nrouters, sizeof(uint64_t));
	for (int node = 0; node < topo->nnodes; node++) {
		int router = topo->router_of[node];

		links->unit_of[node] = router / state->width * nwords * 64 + router % state->width;
	}
	links->nunit_words = nlines * nwords;
	links->nwords = space->ndims * nlines * nwords;
	links->mark_steps = 12 * (int64_t)space->ndims * topo->nrouters;
	links_add_hosts(links);
	return true;
}

static void close(struct links *links)
{
	struct state *state = links->state;

	free(state->at);
	free(state->out);
	free(state->into);
	free(state->was);
	free(state->starts);
	free(state->ends);
	free(state->start_bits);
	free(state->end_bits);
	for (int d = 1; d < state->ndims; d++)
		free(state->along[d]);
	free(state);
}

/* The words of a line's links to the next of dimension d. */
static int64_t links_of(const struct state *state, int d, int line)
{
	return ((int64_t)d * state->nlines + line) * state->nwords;
}

/* Half way round a ring the + direction; a ring of two is one joint. */
static bool is_farther(const struct state *state, int size, int steps, bool is_up)
{
	if (!state->is_ring)
		return steps >= size;
	return is_up ? 2 * steps > size : 2 * steps >= size;
}

/* The coordinate that many steps up (down where negative); −1: there is none. */
static int step(const struct state *state, int size, int at, int steps)
{
	at += steps;
	if (state->is_ring)
		return at < 0 ? at + size : at >= size ? at - size : at;
	return at < size ? at : -1;
}

/* The coordinate that the link between a and the next one up is counted at. */
static int link_above(const struct state *state, int size, int at)
{
	return state->is_ring && size == 2 ? 0 : at;
}

/* ---- the links of a job ---- */

struct line {
	const struct state *state;
	int d, router; /* its router at 0 */
	const bool *starts, *ends;
	uint64_t *marked;
};

/* Steps from a start to the farthest end that way. */
static int farthest(const struct line *line, int from, bool is_up)
{
	const struct state *state = line->state;
	int size = state->sizes[line->d], k = size - 1;

	while (k > 0 && is_farther(state, size, k, is_up))
		k--;
	for (; k > 0; k--) {
		int to = step(state, size, from, is_up ? k : -k);

		if (to >= 0 && line->ends[(int64_t)to * state->strides[line->d]])
			break;
	}
	return k;
}

/* The links of places from … to − 1, which may be beyond the ends of a ring. */
static void mark_span(const struct line *line, int from, int to)
{
	const struct state *state = line->state;
	int size = state->sizes[line->d];

	for (int at = from; at < to; at++) {
		int place = link_above(state, size, at < 0 ? at + size : at % size);
		int of = line->router + place * state->strides[line->d];

		bits_add(line->marked + links_of(state, line->d, of / state->width),
			 of % state->width);
	}
}

/* From each start to the farthest end up and down; what was marked before is not again. */
static void mark_line(const struct line *line)
{
	int size = line->state->sizes[line->d], up_to = 0, down_to = size;

	for (int from = 0; from < size; from++) {
		int to;

		if (!line->starts[from])
			continue;
		to = from + farthest(line, from, true);
		mark_span(line, from > up_to ? from : up_to, to);
		up_to = to > up_to ? to : up_to;
	}
	for (int from = size - 1; from >= 0; from--) {
		int to;

		if (!line->starts[from])
			continue;
		to = from - farthest(line, from, false);
		mark_span(line, to, from < down_to ? from : down_to);
		down_to = to < down_to ? to : down_to;
	}
}

/* The routers that segment d may leave have a start's coordinates from d on, those that it may
 * reach an end's up to d. */
static void mark_long(const struct links *links, int d, const int *nodes, int n, uint64_t *marked)
{
	const struct state *state = links->state;
	const int *router_of = links->space->topo->router_of;
	int stride = state->strides[d], above = stride * state->sizes[d];

	for (int i = 0; i < n; i++) {
		state->starts[router_of[nodes[i]] / stride] = true;
		state->ends[router_of[nodes[i]] % above] = true;
	}
	for (int router = 0; router < links->space->topo->nrouters; router++)
		if (router / stride % state->sizes[d] == 0)
			mark_line(&(struct line){state, d, router, &state->starts[router / stride],
						 &state->ends[router % stride], marked});
	for (int i = 0; i < n; i++) {
		state->starts[router_of[nodes[i]] / stride] = false;
		state->ends[router_of[nodes[i]] % above] = false;
	}
}

/* The same where the places of each line are bits of a word. */
static void mark_short(const struct links *links, int d, const int *nodes, int n, uint64_t *marked)
{
	const struct state *state = links->state;
	const int *router_of = links->space->topo->router_of;
	int stride = state->strides[d], size = state->sizes[d], nabove;
	uint64_t *starts = state->start_bits, *ends = state->end_bits;

	nabove = links->space->topo->nrouters / (stride * size);
	memset(starts, 0, (size_t)nabove * sizeof(*starts));
	memset(ends, 0, (size_t)stride * sizeof(*ends));
	for (int i = 0; i < n; i++) {
		int router = router_of[nodes[i]], at = router / stride;

		starts[at / size] |= 1ULL << (at % size);
		ends[router % stride] |= 1ULL << (at % size);
	}
	for (int above = 0; above < nabove; above++)
		for (int below = 0; starts[above] != 0 && below < stride; below++) {
			uint64_t taken =
				link_line(size, state->is_ring, starts[above], ends[below]);
			int first = above * size * stride + below, line = first / state->width;

			if (d == 0)
				marked[links_of(state, 0, line)] |= taken;
			for (; d > 0 && taken != 0; taken &= taken - 1)
				bits_add(marked + links_of(state, d,
							   line + __builtin_ctzll(taken) *
									   state->line_strides[d]),
					 first % state->width);
		}
}

static void mark(struct links *links, const int *nodes, int n, uint64_t *marked)
{
	const struct state *state = links->state;

	for (int d = 0; d < state->ndims && n > 1; d++) {
		if (state->sizes[d] <= LINE_MOST)
			mark_short(links, d, nodes, n, marked);
		else
			mark_long(links, d, nodes, n, marked);
	}
	if (n > 1)
		links_mark_hosts(links, nodes, n, marked);
}

/* ---- what is free ---- */

static void prepare_line(const struct links *links, int line)
{
	const struct state *state = links->state;
	const uint64_t *used = &links->used[links_of(state, 0, line)];
	int64_t first = (int64_t)line * state->width * state->nwords;
	size_t bytes = (size_t)state->width * (size_t)state->nwords * sizeof(uint64_t);

	if (state->width <= LINE_MOST) {
		link_reach(state->width, state->is_ring, *used, &state->out[first],
			   &state->into[first]);
		return;
	}
	memset(&state->out[first], 0, bytes);
	memset(&state->into[first], 0, bytes);
	for (int x = 0; x < state->width; x++) {
		uint64_t *out = &state->out[first + (int64_t)x * state->nwords];

		bits_add(out, x);
		bits_add(&state->into[first + (int64_t)x * state->nwords], x);
		for (int up = 0; up < 2; up++)
			for (int k = 1; !is_farther(state, state->width, k, up == 1); k++) {
				int to = step(state, state->width, x, up == 1 ? k : -k);
				int lower = up == 1 ? step(state, state->width, x, k - 1) : to;

				if (to < 0 ||
				    bits_has(used, link_above(state, state->width, lower)))
					break;
				bits_add(out, to);
				bits_add(&state->into[first + (int64_t)to * state->nwords], x);
			}
	}
}

/* The ways from one line to the others along d. */
static void prepare_along(const struct links *links, int d, int line)
{
	const struct state *state = links->state;
	int size = state->sizes[d], stride = state->line_strides[d];
	int from = state->at[line * state->ndims + d], base = line - from * stride,
	    nwords = state->nwords;
	uint64_t *along = &state->along[d][(int64_t)line * size * nwords];

	memset(along, 0, (size_t)size * (size_t)nwords * sizeof(uint64_t));
	memset(&along[(int64_t)from * nwords], 0xff, (size_t)nwords * sizeof(uint64_t));
	for (int up = 0; up < 2; up++) {
		const uint64_t *before = &along[(int64_t)from * nwords];

		for (int k = 1; !is_farther(state, size, k, up == 1); k++) {
			int to = step(state, size, from, up == 1 ? k : -k);
			int lower = up == 1 ? step(state, size, from, k - 1) : to;
			const uint64_t *used;

			if (to < 0)
				break;
			used = &links->used[links_of(
				state, d, base + link_above(state, size, lower) * stride)];
			for (int w = 0; w < nwords; w++)
				along[(int64_t)to * nwords + w] = before[w] & ~used[w];
			before = &along[(int64_t)to * nwords];
		}
	}
}

/* Whether links along d of the lines that differ from one in that coordinate are others now. */
static bool has_changed(const struct links *links, int d, int line)
{
	const struct state *state = links->state;
	size_t nwords = (size_t)state->nwords;

	for (int i = 0; i < (d > 0 ? state->sizes[d] : 1); i++) {
		int64_t at = links_of(state, d, line + i * state->line_strides[d]);

		for (size_t w = 0; w < nwords; w++)
			if (state->was[at + (int64_t)w] != links->used[at + (int64_t)w])
				return true;
	}
	return false;
}

static void prepare(struct links *links)
{
	struct state *state = links->state;

	for (int line = 0; line < state->nlines; line++) {
		if (has_changed(links, 0, line))
			prepare_line(links, line);
		for (int d = 1; d < state->ndims; d++) {
			if (state->at[line * state->ndims + d] != 0 || !has_changed(links, d, line))
				continue;
			for (int i = 0; i < state->sizes[d]; i++)
				prepare_along(links, d, line + i * state->line_strides[d]);
		}
	}
	memcpy(state->was, links->used,
	       (size_t)state->ndims * (size_t)state->nlines * (size_t)state->nwords *
		       sizeof(uint64_t));
}

/* ---- who goes together ---- */

/*
 * From a router to those of the lines that differ from one another in y only. A way there goes
 * along y at the router's own coordinates from z on, which is the same for all of these lines, and
 * comes to each of them along z, …; a way back comes to them along y, and leaves by what is the
 * same for all of them.
 */
struct row {
	int line, x;                      /* of the router */
	int first;                        /* line of the row */
	const uint64_t *there[GRID_DIMS]; /* along d, of the row's line 0; d from 2 on */
};

/* Whether a way back from a row is free but for x and y. */
static bool open_row(const struct state *state, struct row *row)
{
	int64_t there = row->line, back = row->first;
	const int *from = &state->at[(int64_t)row->line * state->ndims];
	const int *to = &state->at[(int64_t)row->first * state->ndims];

	if (state->ndims < 3)
		return true;
	there -= from[1]; /* lines of neighbouring y follow each other */
	back += from[1];
	for (int d = 2; d < state->ndims; d++) {
		int64_t size = state->sizes[d], moved;
		const uint64_t *along = state->along[d];

		if (!bits_has(&along[(back * size + from[d]) * state->nwords], row->x))
			return false;
		row->there[d] = &along[(there * size + to[d]) * state->nwords];
		moved = (int64_t)(to[d] - from[d]) * state->line_strides[d];
		there += moved;
		back -= moved;
	}
	return true;
}

/* Of a row the lines in which some are left; x, y: of the router. */
static void narrow_row(const struct state *state, const struct row *row, uint64_t *units)
{
	int64_t nwords = state->nwords, width = state->width, first = row->first;
	int64_t size = state->ndims > 1 ? state->sizes[1] : 1, x = row->x;
	int y = state->ndims > 1 ? state->at[(int64_t)row->line * state->ndims + 1] : 0;
	const uint64_t *out = &state->out[(row->line * width + x) * nwords];
	const uint64_t *into = &state->into[(first * width + x) * nwords];
	const uint64_t *there =
		state->ndims > 1 ? &state->along[1][row->line * size * nwords] : out;
	const uint64_t *back =
		state->ndims > 1 ? &state->along[1][(first * size + y) * nwords] : into;

	back += x >> 6;
	for (int64_t w = 0; w < nwords; w++) {
		const uint64_t own = out[w], *from = &into[w], *along = &there[w], *home = back;
		/* in two dimensions the same again */
		const uint64_t *on = state->ndims > 2 ? &row->there[2][w] : along;
		int64_t step = nwords * (state->ndims > 2 ? state->sizes[2] : 1);

		for (uint64_t *left = &units[w]; left < &units[size * nwords]; left += nwords) {
			if (*left != 0)
				*left &= own & *from & *along & *on & -(*home >> (x & 63) & 1);
			from += width * nwords;
			along += nwords;
			on += step;
			home += size * nwords;
		}
	}
	for (int d = 3; d < state->ndims; d++)
		for (int64_t to = 0; to < size; to++)
			for (int64_t w = 0; w < nwords; w++)
				units[to * nwords + w] &=
					row->there[d][to * state->sizes[d] * nwords + w];
}

static int64_t narrow(struct links *links, int unit, uint64_t *units)
{
	const struct state *state = links->state;
	size_t nwords = (size_t)state->nwords;
	struct row row = {.line = unit / (64 * state->nwords), .x = unit % (64 * state->nwords)};
	int nlines = state->ndims > 1 ? state->sizes[1] : 1;

	for (; row.first < state->nlines; row.first += nlines) {
		uint64_t *of = &units[(size_t)row.first * nwords];

		if (open_row(state, &row))
			narrow_row(state, &row, of);
		else
			memset(of, 0, (size_t)nlines * nwords * sizeof(*of));
	}
	return (int64_t)(4 * state->ndims) * links->nunit_words;
}

const struct link_form link_form_grid = {
	.open = form_open, .close = close, .mark = mark, .prepare = prepare, .narrow = narrow};
