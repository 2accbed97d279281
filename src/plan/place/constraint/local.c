/* local.c - connected nodes, with the I/O nodes they use beside them (Def. 6) */
#include <stdlib.h>
#include <string.h>

#include "place/constraint/connected_pieces.h"
#include "place/constraint/steiner.h"

static bool has_io(const struct space *space, const struct search *search, const int *nodes, int n)
{
	int_vec points = {0};
	bool has = io_choose(space, search->io, nodes, n, true, &points);

	free(points.at);
	return has;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	const struct space *space = constraint->space;

	return (!space->is_direct || connected_is(space, nodes, search->wanted)) &&
	       has_io(space, search, nodes, search->wanted);
}

/* ---- sets are passed on where they have their I/O nodes ---- */

struct filter {
	const struct space *space;
	struct search *outer;
	struct search inner;
};

static int pass(void *context, const int *nodes, int n)
{
	struct filter *filter = context;

	if (!has_io(filter->space, filter->outer, nodes, n))
		return 0;
	return filter->outer->visit(filter->outer->context, nodes, n);
}

/* ---- networks whose routers all have nodes ---- */

/* Bits of the points that are adjacent to a node of each router. */
static unsigned *masks_of(const struct space *space, const int *points, int n, bool as_one)
{
	unsigned *mask = xcalloc((size_t)space->topo->nrouters, sizeof(*mask));

	for (int i = 0; i < n; i++) {
		int r = space->points[points[i]].router;
		unsigned bit = as_one ? 1 : 1U << i;

		mask[r] |= bit;
		/* what is at a switch is next to the nodes of that one only */
		for (int k = space->first_peer[r];
		     space->points[points[i]].node >= 0 && k < space->first_peer[r + 1]; k++)
			mask[space->peer[k]] |= bit;
	}
	return mask;
}

static int grow(void *context, const int *core, int n)
{
	struct filter *filter = context;

	return connected_grow(&filter->inner, filter->space, core, n) == SEARCH_STOP;
}

/* Sets that grow from the smallest ones that touch that number of these points. */
static int from_points(struct filter *filter, const int *points, int n, int least)
{
	const struct space *space = filter->space;
	bool as_one = least == 1;
	unsigned *mask = masks_of(space, points, n, as_one);
	struct steiner steiner = {.space = space,
				  .machine = filter->inner.machine,
				  .rank = filter->inner.rank,
				  .nplaces = as_one ? 1 : n,
				  .mask = mask,
				  .least = least};
	int end = steiner_cores(&steiner, &filter->inner, grow, filter);

	free(mask);
	return end;
}

static int nearest_points(const struct space *space, const struct search *search, int centre,
			  int *points)
{
	int_vec chosen = {0};
	struct io_request request = {.wanted = search->io->wanted, .is_held = search->io->is_held};
	int node = space->node[space->first_node[space->points[centre].router]];
	int n = 0;

	if (io_choose(space, &request, &node, 1, false, &chosen))
		for (; n < (int)chosen.n && n < STEINER_PLACES; n++)
			points[n] = chosen.at[n];
	free(chosen.at);
	return n;
}

/* Any points will do: all of them at once if they are few, else such as are close together. */
static int unpinned(struct filter *filter)
{
	const struct space *space = filter->space;
	int wanted = filter->inner.io->wanted, end = SEARCH_ALL;
	int_vec free_points = {0};

	for (int i = 0; i < space->npoints; i++)
		if (io_is_free(space, filter->inner.io, i))
			vec_push(&free_points, i);
	if (wanted == 1 || free_points.n <= STEINER_PLACES) {
		end = from_points(filter, free_points.at, (int)free_points.n, wanted);
	} else {
		for (size_t i = 0; i < free_points.n && end != SEARCH_STOP; i++) {
			int points[STEINER_PLACES];
			int n = nearest_points(space, &filter->inner, free_points.at[i], points);

			if (n == wanted)
				end = from_points(filter, points, n, n);
		}
		end = end == SEARCH_STOP ? end : SEARCH_BOUND;
	}
	free(free_points.at);
	return end;
}

static int direct_regions(struct filter *filter)
{
	const struct space *space = filter->space;
	const struct io_request *io = filter->inner.io;
	int_vec nodes = {0}, first = {0};
	int npieces, end = SEARCH_ALL, more = SEARCH_ALL;

	npieces = connected_pieces(space, filter->inner.machine, filter->inner.wanted, &nodes,
				   &first);
	for (int i = 0; i < npieces && end == SEARCH_ALL; i++) {
		int *piece = &nodes.at[first.at[i]], n = first.at[i + 1] - first.at[i];

		search_sort(&filter->inner, piece, n);
		end = filter->inner.wants_all ? connected_all(&filter->inner, space, piece, n)
					      : connected_grow(&filter->inner, space, piece, 1);
	}
	free(nodes.at);
	free(first.at);
	if (filter->inner.wants_all || io->wanted == 0 || end != SEARCH_ALL)
		return end;
	if (io->npinned == 0)
		more = unpinned(filter);
	else if (io->npinned <= STEINER_PLACES)
		more = from_points(filter, io->pinned, io->npinned, io->npinned);
	else
		more = SEARCH_BOUND;
	return more;
}

/* ---- hierarchies: nodes beside enough I/O nodes, the others anywhere ---- */

/*
 * A node is beside the points at the switches above it (and at its own). In a tree these are on its
 * way to the root, so that taking the node that is beside most new points, again and again, needs
 * the fewest nodes.
 */
struct cover {
	const struct space *space;
	const struct search *search;
	int npoints;
	int *point;       /* [npoints] free ones; of those that are pinned */
	bool *is_touched; /* [npoints] */
	int_vec *of;      /* [nrouters] places of points that its nodes are beside */
};

static void cover_open(struct cover *cover)
{
	const struct space *space = cover->space;
	const struct io_request *io = cover->search->io;
	int n = io->npinned > 0 ? io->npinned : space->npoints;
	int_vec below = {0};

	cover->point = xmalloc((size_t)n * sizeof(int));
	cover->is_touched = xcalloc((size_t)n, sizeof(bool));
	cover->of = xcalloc((size_t)space->topo->nrouters, sizeof(*cover->of));
	for (int i = 0; i < n; i++) {
		int point = io->npinned > 0 ? io->pinned[i] : i, last = -1;

		if (!io_is_free(space, io, point))
			continue;
		below.n = 0;
		space_below(space, space->points[point].router, &below);
		for (size_t k = 0; k < below.n; k++) {
			int r = space->topo->router_of[below.at[k]];

			if (r != last)
				vec_push(&cover->of[r], cover->npoints);
			last = r;
		}
		cover->point[cover->npoints++] = point;
	}
	free(below.at);
}

static void cover_close(struct cover *cover)
{
	for (int r = 0; r < cover->space->topo->nrouters; r++)
		free(cover->of[r].at);
	free(cover->point);
	free(cover->is_touched);
	free(cover->of);
}

static int nnew(const struct cover *cover, int router)
{
	int n = 0;

	for (size_t i = 0; i < cover->of[router].n; i++)
		n += !cover->is_touched[cover->of[router].at[i]];
	return n;
}

/* Idle nodes, by rank, that are together beside that number of points. */
static bool cover_points(struct cover *cover, const int_vec *idle, int wanted, int_vec *set)
{
	const int *router_of = cover->space->topo->router_of;

	while (wanted > 0) {
		int best = -1, most = 0;

		for (size_t i = 0; i < idle->n; i++)
			if (nnew(cover, router_of[idle->at[i]]) > most) {
				best = idle->at[i];
				most = nnew(cover, router_of[best]);
			}
		if (best < 0)
			return false;
		vec_push(set, best);
		for (size_t i = 0; i < cover->of[router_of[best]].n; i++)
			cover->is_touched[cover->of[router_of[best]].at[i]] = true;
		wanted -= most;
	}
	return true;
}

/* idle: by rank */
static int tree_region(struct filter *filter, const int_vec *idle)
{
	struct search *search = &filter->inner;
	struct cover cover = {.space = filter->space, .search = search};
	bool *is_in = xcalloc((size_t)filter->space->topo->nnodes, sizeof(bool)), has;
	int_vec set = {0};
	int end = SEARCH_ALL;

	cover_open(&cover);
	has = cover_points(&cover, idle, search->io->wanted, &set);
	for (size_t i = 0; i < set.n; i++)
		is_in[set.at[i]] = true;
	for (size_t i = 0; i < idle->n && set.n < (size_t)search->wanted; i++)
		if (!is_in[idle->at[i]])
			vec_push(&set, idle->at[i]);
	if (has && set.n == (size_t)search->wanted)
		end = search_exact(search, set.at);
	else if (has && !filter->space->is_tree)
		end = SEARCH_BOUND; /* fewer nodes might do */
	cover_close(&cover);
	free(is_in);
	free(set.at);
	return end;
}

static int tree_regions(struct filter *filter)
{
	struct search *search = &filter->inner;
	int_vec nodes = {0};
	int end;

	for (int node = -1; (node = bitset_next(&search->machine->idle, node + 1)) >= 0;)
		vec_push(&nodes, node);
	search_sort(search, nodes.at, (int)nodes.n);
	if (search->io->wanted == 0) /* it says nothing then */
		end = search_any(filter->outer, nodes.at, (int)nodes.n);
	else if (search->wants_all)
		end = search_any(search, nodes.at, (int)nodes.n);
	else
		end = tree_region(filter, &nodes);
	free(nodes.at);
	return end;
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct filter filter = {.space = constraint->space, .outer = search, .inner = *search};
	int end;

	filter.inner.visit = pass;
	filter.inner.context = &filter;
	end = filter.space->is_direct ? direct_regions(&filter) : tree_regions(&filter);
	search->steps = filter.inner.steps;
	return end;
}

/* ---- without I/O nodes ---- */

static int local_open(struct constraint *constraint, struct err *err)
{
	(void)err;
	joining_open(constraint);
	return 0;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	/* in hierarchies any nodes will do, if they are enough */
	return !constraint->space->is_direct || connected_fits(constraint->state, idle, n);
}

static int64_t earliest(struct constraint *constraint, const struct free_times *times, int n)
{
	return constraint->space->is_direct ? connected_earliest(constraint->state, times, n)
					    : free_times_count(times, n);
}

const struct constraint_type constraint_local = {
	.entry =
		{
			.name = "local",
			.example = "local",
			.summary =
				"connected nodes, whose I/O nodes are all adjacent to one of them",
			.paper = "Bleuse et al., Def. 6",
			.params = (const struct param[]){CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_CONNECTED,
	.open = local_open,
	.close = joining_close,
	.shrinks = true,
	.is_local = true,
	.fits = fits,
	.earliest = earliest,
	.regions = regions,
	.holds = holds,
};
