/* convex_boxes.c - boxes of meshes, tori and hypercubes: sums over windows, dimension
 * by dimension */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/convex.h"
#include "place/constraint/grid_windows.h"

enum { DIMS = 32 };

struct boxes {
	const struct space *space;
	struct search *search;
	int ndims, sizes[DIMS], strides[DIMS];
	int64_t least, most; /* routers that a box must have */
	int sides[DIMS];
	int best_sides[DIMS], best_origin;
	int64_t best; /* value; −1: none yet */
	int_vec nodes;
};

/*
 * With sides along a ring of k routers the routes between two routers of an arc of s stay in it iff
 * 2(s − 1) < k, where the way half round is always the + one; or it is the whole ring.
 */
static bool is_arc(const struct boxes *boxes, int d, int side)
{
	return !boxes->space->is_ring || side == boxes->sizes[d] ||
	       2 * (side - 1) < boxes->sizes[d];
}

/* The nodes that compute in a box. */
static void collect(struct boxes *boxes, const int *sides, int origin)
{
	const struct space *space = boxes->space;
	int at[DIMS] = {0}, d;

	boxes->nodes.n = 0;
	do {
		int router = 0;

		for (int i = 0; i < boxes->ndims; i++)
			router += (origin / boxes->strides[i] + at[i]) % boxes->sizes[i] *
				  boxes->strides[i];
		for (int k = space->first_node[router]; k < space->first_node[router + 1]; k++)
			if (space->computes[space->node[k]])
				vec_push(&boxes->nodes, space->node[k]);
		for (d = 0; d < boxes->ndims && ++at[d] == sides[d]; d++)
			at[d] = 0;
	} while (d < boxes->ndims);
}

/* The router where the box at a place begins; extents are the numbers of places. */
static int origin_of(const struct boxes *boxes, int64_t place, const int *extents)
{
	int origin = 0;

	for (int d = 0; d < boxes->ndims; d++) {
		origin += (int)(place % extents[d]) * boxes->strides[d];
		place /= extents[d];
	}
	return origin;
}

/* A box with I/O nodes in it may have a link between two of them on its routes. */
static bool is_closed(struct boxes *boxes)
{
	return !boxes->space->has_separate ||
	       convex_is_closed(boxes->space, boxes->nodes.at, (int)boxes->nodes.n,
				boxes->search) == 1;
}

static int take_places(struct boxes *boxes, const struct cell *cells, const int *extents)
{
	int64_t nplaces = 1;
	int end = SEARCH_ALL;

	for (int d = 0; d < boxes->ndims; d++)
		nplaces *= extents[d];
	for (int64_t i = 0; i < nplaces && end == SEARCH_ALL; i++) {
		if (cells[i].nbusy > 0 || cells[i].weight != boxes->search->wanted ||
		    (!boxes->search->wants_all && boxes->best >= 0 &&
		     cells[i].value >= boxes->best))
			continue;
		if (boxes->search->wants_all || boxes->space->has_separate) {
			if (!search_spend(boxes->search, boxes->search->wanted))
				return SEARCH_BOUND;
			collect(boxes, boxes->sides, origin_of(boxes, i, extents));
			if (!is_closed(boxes))
				continue;
		}
		if (boxes->search->wants_all) {
			end = search_exact(boxes->search, boxes->nodes.at);
			continue;
		}
		boxes->best = cells[i].value;
		boxes->best_origin = origin_of(boxes, i, extents);
		memcpy(boxes->best_sides, boxes->sides, sizeof(boxes->sides));
	}
	return end;
}

/* Whether any window of these has no busy node; if not, none that contains it has. */
static bool some_idle(const struct boxes *boxes, const struct cell *cells, const int *extents)
{
	int64_t n = 1;

	for (int d = 0; d < boxes->ndims; d++)
		n *= extents[d];
	for (int64_t i = 0; i < n; i++)
		if (cells[i].nbusy == 0)
			return true;
	return false;
}

static bool is_possible(const struct boxes *boxes, int d, int64_t volume)
{
	int64_t largest = volume;

	if (volume > boxes->most || (boxes->least == boxes->most && boxes->most % volume != 0))
		return false;
	for (int i = d + 1; i < boxes->ndims && largest < boxes->least; i++)
		largest *= boxes->sizes[i];
	return largest >= boxes->least;
}

/* The sides along dimensions before d are chosen; volume is their product. */
static int choose_side(struct boxes *boxes, int d, const struct cell *cells, const int *extents,
		       int64_t volume)
{
	int end = SEARCH_ALL, places[DIMS];

	if (d == boxes->ndims)
		return volume > 1 ? take_places(boxes, cells, extents) : SEARCH_ALL;
	memcpy(places, extents, sizeof(places));
	for (int side = 1; side <= boxes->sizes[d] && end == SEARCH_ALL; side++) {
		struct cell *windows = NULL;

		if (volume * side > boxes->most)
			break;
		if (!is_arc(boxes, d, side) || !is_possible(boxes, d, volume * side))
			continue;
		boxes->sides[d] = side;
		if (side == 1) {
			end = choose_side(boxes, d + 1, cells, extents, volume);
			continue;
		}
		if (!search_spend(boxes->search, boxes->space->topo->nrouters / 64 + 1))
			return SEARCH_BOUND;
		windows = windows_slide(cells, extents, boxes->ndims, d, side,
					boxes->space->is_ring, &places[d]);
		if (some_idle(boxes, windows, places))
			end = choose_side(boxes, d + 1, windows, places, volume * side);
		free(windows);
	}
	return end;
}

static struct cell *fill(const struct boxes *boxes)
{
	const struct space *space = boxes->space;
	int nrouters = space->topo->nrouters;
	struct cell *cells = xcalloc((size_t)nrouters, sizeof(*cells));

	for (int r = 0; r < nrouters; r++) {
		cells[r].weight = space->ncompute[r];
		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++) {
			int node = space->node[k];

			if (!space->computes[node])
				continue;
			if (machine_is_idle(boxes->search->machine, node))
				cells[r].value += boxes->search->rank[node];
			else
				cells[r].nbusy++;
		}
	}
	return cells;
}

static void measure(struct boxes *boxes, const struct space *space, int wanted)
{
	int64_t missing = 0;
	int most = 0, stride = 1;

	for (int r = 0; r < space->topo->nrouters; r++)
		if (space->ncompute[r] > most)
			most = space->ncompute[r];
	for (int r = 0; r < space->topo->nrouters; r++)
		missing += most - space->ncompute[r];
	boxes->least = most > 0 ? (wanted + most - 1) / most : INT32_MAX;
	boxes->most = most > 0 ? (wanted + missing) / most : 0;
	boxes->ndims = space->ndims;
	for (int d = 0; d < boxes->ndims; d++) {
		boxes->sizes[d] = space->sizes[d];
		boxes->strides[d] = stride;
		stride *= space->sizes[d];
	}
}

int convex_boxes(const struct space *space, struct search *search)
{
	struct boxes boxes = {.space = space, .search = search, .best = -1};
	struct cell *cells;
	int end;

	measure(&boxes, space, search->wanted);
	cells = fill(&boxes);
	end = choose_side(&boxes, 0, cells, boxes.sizes, 1);
	if (boxes.best >= 0 && end != SEARCH_STOP) {
		int last;

		collect(&boxes, boxes.best_sides, boxes.best_origin);
		last = search_exact(search, boxes.nodes.at);
		end = last > end ? last : end;
	}
	free(cells);
	free(boxes.nodes.at);
	return end;
}
