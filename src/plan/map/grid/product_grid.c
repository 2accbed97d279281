/* product_grid.c - the grid that a graph is, however its ranks are numbered */
#include "map/grid/product_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
	WORK = 500000000, /* comparisons of peers, about */
	FACTORS = 32,
	KINDS = 8 /* of edges, by triangles and squares, at most */
};

/* Some edges of the ranks, both directions of each, by rank and peer. */
struct graph {
	int n;
	int64_t narcs;
	int64_t *first;   /* [n + 1] */
	int32_t *peer;    /* [narcs] */
	int32_t *from;    /* [narcs] */
	int64_t *reverse; /* [narcs] */
};

/* ---- sets ---- */

static int64_t root(int64_t *parent, int64_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

/* The lower number is the root. */
static void join(int64_t *parent, int64_t a, int64_t b)
{
	a = root(parent, a);
	b = root(parent, b);
	if (a < b)
		parent[b] = a;
	else
		parent[a] = b;
}

static int64_t *alone(int64_t n)
{
	int64_t *parent = xmalloc((size_t)(n + 1) * sizeof(*parent));

	for (int64_t i = 0; i < n; i++)
		parent[i] = i;
	return parent;
}

/* ---- edges ---- */

static int64_t find_arc(const struct graph *graph, int from, int to)
{
	int64_t low = graph->first[from], high = graph->first[from + 1];

	while (low < high) {
		int64_t middle = (low + high) / 2;

		if (graph->peer[middle] < to)
			low = middle + 1;
		else
			high = middle;
	}
	return low < graph->first[from + 1] && graph->peer[low] == to ? low : -1;
}

/* is_in [comm->nedges] both directions of an edge; edges of a rank to itself are left out. */
static void graph_open(struct graph *graph, const struct comm *comm, const bool *is_in)
{
	size_t most = (size_t)comm->nedges + 1;

	*graph = (struct graph){.n = comm->nranks,
				.first = xcalloc((size_t)comm->nranks + 1, sizeof(int64_t)),
				.peer = xmalloc(most * sizeof(int32_t)),
				.from = xmalloc(most * sizeof(int32_t)),
				.reverse = xmalloc(most * sizeof(int64_t))};
	for (int r = 0; r < comm->nranks; r++) {
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++) {
			if (!is_in[e] || comm->peer[e] == r)
				continue;
			graph->from[graph->narcs] = r;
			graph->peer[graph->narcs++] = comm->peer[e];
		}
		graph->first[r + 1] = graph->narcs;
	}
	for (int64_t a = 0; a < graph->narcs; a++)
		graph->reverse[a] = find_arc(graph, graph->peer[a], graph->from[a]);
}

static void graph_close(struct graph *graph)
{
	free(graph->first);
	free(graph->peer);
	free(graph->from);
	free(graph->reverse);
}

/* How many peers two ranks share, besides a third one; *last: one of them. */
static int count_shared(const struct graph *graph, int a, int b, int besides, int *last)
{
	int64_t i = graph->first[a], k = graph->first[b];
	int n = 0;

	while (i < graph->first[a + 1] && k < graph->first[b + 1]) {
		int to_a = graph->peer[i], to_b = graph->peer[k];

		if (to_a == to_b && to_a != besides) {
			*last = to_a;
			n++;
		}
		i += to_a <= to_b;
		k += to_b <= to_a;
	}
	return n;
}

/* By the peers that are compared for all pairs of arcs that begin at one rank, about. */
static bool is_too_dense(const struct graph *graph)
{
	double work = 0;

	for (int r = 0; r < graph->n; r++) {
		double degree = (double)(graph->first[r + 1] - graph->first[r]);

		work += degree * degree * degree;
	}
	return work > WORK;
}

/* ---- factors ---- */

/* Two arcs from one rank: of one factor, unless they are the corner of one square and no triangle.
 * Opposite sides of a square are of one. */
static void join_pair(const struct graph *graph, int64_t *factor, int64_t x, int64_t y)
{
	int a = graph->peer[x], b = graph->peer[y], last = -1;

	if (find_arc(graph, a, b) >= 0 || count_shared(graph, a, b, graph->from[x], &last) != 1) {
		join(factor, x, y);
		return;
	}
	join(factor, x, find_arc(graph, b, last));
	join(factor, y, find_arc(graph, a, last));
}

/* Whether a rank's arcs are of one factor, and more than those of a path or ring. */
static bool is_prime(const struct graph *graph, int64_t *factor, int rank)
{
	int64_t first = graph->first[rank], last = graph->first[rank + 1];

	for (int64_t a = first; a < last; a++)
		if (root(factor, a) != root(factor, first))
			return false;
	return last - first > 2;
}

/* Numbers the factors of arcs: factor_of [narcs]. Returns how many, or 0: too many, or one that is
 * no path or ring, which the first ranks tell. */
static int find_factors(const struct graph *graph, int *factor_of)
{
	int64_t *factor = alone(graph->narcs);
	bool is_done = false;
	int n = 0;

	for (int64_t a = 0; a < graph->narcs; a++)
		join(factor, a, graph->reverse[a]);
	for (int r = 0; r < graph->n && !is_done; r++) {
		for (int64_t x = graph->first[r]; x < graph->first[r + 1]; x++)
			for (int64_t y = x + 1; y < graph->first[r + 1]; y++)
				join_pair(graph, factor, x, y);
		is_done = is_prime(graph, factor, r);
	}
	if (is_done) {
		free(factor);
		return 0;
	}
	for (int64_t a = 0; a < graph->narcs && n <= FACTORS; a++)
		factor_of[a] = root(factor, a) == a ? n++ : factor_of[root(factor, a)];
	free(factor);
	return n <= FACTORS ? n : 0;
}

/* ---- coordinates ---- */

/* Ranks that edges of other factors connect have one coordinate: at [n]. Returns how many
 * coordinates there are. */
static int find_coordinates(const struct graph *graph, const int *factor_of, int factor, int *at)
{
	int64_t *layer = alone(graph->n);
	int n = 0;

	for (int64_t a = 0; a < graph->narcs; a++)
		if (factor_of[a] != factor)
			join(layer, graph->from[a], graph->peer[a]);
	for (int r = 0; r < graph->n; r++)
		at[r] = root(layer, r) == r ? n++ : at[root(layer, r)];
	free(layer);
	return n;
}

/* The coordinates beside each one, at most two: beside [n][2], −1 where there is none. Returns
 * false where there are more. */
static bool find_beside(const struct graph *graph, const int *factor_of, int factor, const int *at,
			int n, int (*beside)[2])
{
	for (int c = 0; c < n; c++)
		beside[c][0] = beside[c][1] = -1;
	for (int64_t a = 0; a < graph->narcs; a++) {
		int here = at[graph->from[a]], there = at[graph->peer[a]];

		if (factor_of[a] != factor || beside[here][0] == there || beside[here][1] == there)
			continue;
		if (beside[here][1] >= 0)
			return false;
		beside[here][beside[here][0] >= 0] = there;
	}
	return true;
}

/* From one end of a path, or around a ring: order [n] by coordinate. Returns whether all are on
 * it. */
static bool walk(int n, int (*beside)[2], int *order)
{
	int here = 0, before = -1, count = 0;

	for (int c = n - 1; c >= 0; c--)
		if (beside[c][1] < 0)
			here = c;
	for (int c = 0; c < n; c++)
		order[c] = -1;
	while (here >= 0 && order[here] < 0) {
		int next = beside[here][0] != before ? beside[here][0] : beside[here][1];

		order[here] = count++;
		before = here;
		here = next;
	}
	return count == n;
}

/* Coordinates become places on a path or ring; of others they stay. Returns whether they did. */
static bool put_in_order(const struct graph *graph, const int *factor_of, int factor, int n,
			 int *at)
{
	int(*beside)[2] = xmalloc((size_t)(n + 1) * sizeof(*beside));
	int *order = xmalloc((size_t)(n + 1) * sizeof(*order));
	bool is_line =
		find_beside(graph, factor_of, factor, at, n, beside) && walk(n, beside, order);

	for (int r = 0; r < graph->n && is_line; r++)
		at[r] = order[at[r]];
	free(beside);
	free(order);
	return is_line;
}

static bool are_all_there(const int *number, int n)
{
	bool *is_there = xcalloc((size_t)n + 1, sizeof(*is_there));
	bool is_so = true;

	for (int r = 0; r < n && is_so; r++) {
		is_so = number[r] < n && !is_there[number[r]];
		if (is_so)
			is_there[number[r]] = true;
	}
	free(is_there);
	return is_so;
}

/* The smallest factor not taken yet, the first of equal ones. */
static int take_smallest(const int *size, int nfactors, bool *is_taken)
{
	int least = -1;

	for (int f = 0; f < nfactors; f++)
		if (!is_taken[f] && (least < 0 || size[f] < size[least]))
			least = f;
	is_taken[least] = true;
	return least;
}

/* number [n] from the coordinates of all factors, those of the smallest one first. Returns whether
 * these are a product. */
static bool number_ranks(const struct graph *graph, const int *factor_of, int nfactors, int *number)
{
	int *at = xmalloc((size_t)(graph->n + 1) * sizeof(*at)), size[FACTORS];
	bool is_taken[FACTORS] = {0}, is_line = true;
	int64_t nplaces = 1;

	for (int f = 0; f < nfactors && nplaces > 0 && nplaces <= graph->n; f++) {
		size[f] = find_coordinates(graph, factor_of, f, at);
		nplaces *= size[f] > 1 ? size[f] : 0;
	}
	if (nplaces != graph->n) {
		free(at);
		return false;
	}
	memset(number, 0, (size_t)graph->n * sizeof(*number));
	for (int k = 0, stride = 1; k < nfactors; k++) {
		int f = take_smallest(size, nfactors, is_taken);

		find_coordinates(graph, factor_of, f, at);
		is_line = put_in_order(graph, factor_of, f, size[f], at);
		for (int r = 0; r < graph->n; r++)
			number[r] += stride * at[r];
		stride *= size[f];
	}
	free(at);
	/* any graph is the only factor of itself */
	return (nfactors > 1 || is_line) && are_all_there(number, graph->n);
}

/* Ranks that all talk to each other, in groups of one size: group by group. Returns whether they
 * are such. number [n] */
static bool number_groups(const struct graph *graph, int *number)
{
	int64_t *group = alone(graph->n), size = graph->narcs / graph->n + 1;
	int *nthere = xcalloc((size_t)graph->n + 1, sizeof(*nthere)), ngroups = 0;
	bool is_so = graph->narcs == graph->n * (size - 1);

	for (int64_t a = 0; a < graph->narcs; a++)
		join(group, graph->from[a], graph->peer[a]);
	for (int r = 0; r < graph->n && is_so; r++) {
		int64_t first = root(group, r);

		if (first == r)
			number[r] = (int)size * ngroups++;
		else
			number[r] = number[first] + nthere[first];
		nthere[first]++;
		is_so = nthere[first] <= size && graph->first[r + 1] - graph->first[r] == size - 1;
	}
	free(group);
	free(nthere);
	return is_so;
}

/* Of the edges that are in: whether they are a product, with number [nranks]. */
static bool number_by(const struct comm *comm, const bool *is_in, int *number)
{
	struct graph graph;
	int *factor_of, nfactors = 0;
	bool is_found;

	graph_open(&graph, comm, is_in);
	factor_of = xmalloc((size_t)(graph.narcs + 1) * sizeof(*factor_of));
	is_found = number_groups(&graph, number);
	if (!is_found && !is_too_dense(&graph))
		nfactors = find_factors(&graph, factor_of);
	is_found = is_found || (nfactors > 0 && number_ranks(&graph, factor_of, nfactors, number));
	free(factor_of);
	graph_close(&graph);
	return is_found;
}

/* ---- which edges ---- */

static void take_all(const struct comm *comm, bool *is_in)
{
	for (int64_t e = 0; e < comm->nedges; e++)
		is_in[e] = comm->bytes[e] > 0;
}

/* Returns whether that leaves any out. */
static bool take_heaviest(const struct comm *comm, bool *is_in)
{
	double most = comm_largest(comm);
	bool is_part = false;

	for (int64_t e = 0; e < comm->nedges; e++) {
		is_part = is_part || (is_in[e] && comm->bytes[e] < most);
		is_in[e] = comm->bytes[e] == most;
	}
	return is_part;
}

/* Squares with an edge as a side, and triangles, which count more. */
static int64_t count_kind(const struct graph *graph, int64_t arc)
{
	int a = graph->from[arc], b = graph->peer[arc], last;
	int64_t nsquares = 0, ntriangles = count_shared(graph, a, b, -1, &last);

	for (int64_t x = graph->first[a]; x < graph->first[a + 1]; x++)
		if (graph->peer[x] != b)
			nsquares += count_shared(graph, graph->peer[x], b, a, &last);
	return (ntriangles << 32) + nsquares;
}

/* The kinds of edges, ascending. */
struct kinds {
	int n;
	int64_t at[KINDS];
};

/* Returns false: there are too many. */
static bool add_kind(struct kinds *kinds, int64_t kind)
{
	int at = kinds->n;

	while (at > 0 && kinds->at[at - 1] >= kind)
		at--;
	if (at < kinds->n && kinds->at[at] == kind)
		return true;
	if (kinds->n == KINDS)
		return false;
	memmove(&kinds->at[at + 1], &kinds->at[at], (size_t)(kinds->n - at) * sizeof(*kinds->at));
	kinds->at[at] = kind;
	kinds->n++;
	return true;
}

/* Edges of the first kinds, or of the last ones. */
static bool number_by_kinds(const struct comm *comm, const struct kinds *kinds,
			    const int64_t *kind_of, bool *is_in, int *number)
{
	for (int k = 0; k < 2 * (kinds->n - 1); k++) {
		for (int64_t e = 0; e < comm->nedges; e++)
			is_in[e] = kind_of[e] >= 0 &&
				   (k % 2 == 0 ? kind_of[e] <= kinds->at[k / 2]
					       : kind_of[e] >= kinds->at[kinds->n - 1 - k / 2]);
		if (number_by(comm, is_in, number))
			return true;
	}
	return false;
}

static bool number_by_squares(const struct comm *comm, bool *is_in, int *number)
{
	int64_t *kind_of = xmalloc((size_t)(comm->nedges + 1) * sizeof(*kind_of)), arc = 0;
	struct kinds kinds = {0};
	struct graph graph;
	bool is_found;

	take_all(comm, is_in);
	graph_open(&graph, comm, is_in);
	is_found = !is_too_dense(&graph);
	for (int r = 0; r < comm->nranks && is_found; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1] && is_found; e++) {
			kind_of[e] = -1;
			if (!is_in[e] || comm->peer[e] == r)
				continue;
			kind_of[e] = count_kind(&graph, arc++);
			is_found = add_kind(&kinds, kind_of[e]);
		}
	is_found = is_found && number_by_kinds(comm, &kinds, kind_of, is_in, number);
	graph_close(&graph);
	free(kind_of);
	return is_found;
}

int *product_grid_number(const struct comm *symmetric)
{
	bool *is_in = xmalloc((size_t)symmetric->nedges + 1);
	int *number = xmalloc(((size_t)symmetric->nranks + 1) * sizeof(*number));
	bool is_found;

	take_all(symmetric, is_in);
	is_found = number_by(symmetric, is_in, number);
	if (!is_found && take_heaviest(symmetric, is_in))
		is_found = number_by(symmetric, is_in, number);
	is_found = is_found || number_by_squares(symmetric, is_in, number);
	free(is_in);
	if (!is_found) {
		free(number);
		return NULL;
	}
	return number;
}
