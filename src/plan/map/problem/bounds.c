/* bounds.c - what no mapping of a job gets below */
#include "map/problem/bounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
	STEPS = 2000000,   /* of the enumeration, in all */
	GROUP = 16,        /* ranks of a group, at most */
	PAIRS_NODES = 2048 /* of an allocation whose pairs are looked up, at most */
};

/* ---- groups: D(k) / k ---- */

struct groups {
	const struct comm *comm; /* symmetric */
	int most;
	int64_t left; /* steps */
	int at[GROUP], n;
	char *is_near; /* [nranks] in the group, or beside it */
	double best;   /* bytes inside for each rank, both ways */
};

static double inside(const struct groups *g, int rank)
{
	double sum = 0;

	for (int64_t e = g->comm->first[rank]; e < g->comm->first[rank + 1]; e++)
		for (int i = 0; i < g->n; i++)
			sum += g->at[i] == g->comm->peer[e] ? g->comm->bytes[e] : 0;
	return sum;
}

/* ESU: ranks beside the group that are above its root, and beside nobody else in it. */
static void extend(struct groups *g, const int_vec *beside, double sum)
{
	int_vec rest = {0};

	if (g->n == g->most)
		return;
	for (size_t i = 0; i < beside->n; i++)
		vec_push(&rest, beside->at[i]);
	while (rest.n > 0 && g->left > 0) {
		int rank = rest.at[--rest.n];
		double with = sum + inside(g, rank);
		size_t nrest = rest.n;

		g->left--;
		g->at[g->n++] = rank;
		if (with / g->n > g->best)
			g->best = with / g->n;
		for (int64_t e = g->comm->first[rank]; e < g->comm->first[rank + 1]; e++) {
			int peer = g->comm->peer[e];

			if (peer > g->at[0] && !g->is_near[peer]) {
				g->is_near[peer] = 1;
				vec_push(&rest, peer);
			}
		}
		extend(g, &rest, with);
		while (rest.n > nrest)
			g->is_near[rest.at[--rest.n]] = 0;
		g->n--;
	}
	vec_free(&rest);
}

/* Returns false where groups are too many. */
static bool best_share(const struct map_input *in, int most, double *share)
{
	struct groups g = {.comm = in->symmetric, .most = most, .left = STEPS};

	*share = 0;
	if (most > GROUP)
		return false;
	g.is_near = xcalloc((size_t)in->comm->nranks + 1, 1);
	for (int r = 0; r < in->comm->nranks && g.left > 0; r++) {
		int_vec beside = {0};

		g.at[0] = r;
		g.n = 1;
		g.is_near[r] = 1;
		for (int64_t e = g.comm->first[r]; e < g.comm->first[r + 1]; e++)
			if (g.comm->peer[e] > r) {
				g.is_near[g.comm->peer[e]] = 1;
				vec_push(&beside, g.comm->peer[e]);
			}
		extend(&g, &beside, 0);
		for (size_t i = 0; i < beside.n; i++)
			g.is_near[beside.at[i]] = 0;
		g.is_near[r] = 0;
		vec_free(&beside);
	}
	free(g.is_near);
	*share = g.best;
	return g.left > 0;
}

/* ---- single ranks ---- */

static int falling(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* All that a rank of a graph sends, and that without its n greatest partners. bytes: scratch */
static double beyond(const struct comm *comm, int rank, int n, double *bytes, double *all)
{
	int k = 0;
	double sum = 0;

	*all = 0;
	for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++)
		if (comm->peer[e] != rank)
			bytes[k++] = comm->bytes[e];
	if (k > 1)
		qsort(bytes, (size_t)k, sizeof(*bytes), falling);
	for (int i = 0; i < k; i++) {
		*all += bytes[i];
		sum += i < n ? 0 : bytes[i];
	}
	return sum;
}

/* The most that one rank sends, or gets, beyond its node. */
static double of_one_rank(const struct map_input *in, const struct comm *comm, int most)
{
	double *bytes = xmalloc(((size_t)in->comm->nranks + 1) * sizeof(*bytes)), greatest = 0;

	for (int r = 0; r < comm->nranks; r++) {
		double all;

		greatest = fmax(greatest, beyond(comm, r, most - 1, bytes, &all));
	}
	free(bytes);
	return greatest;
}

/* What leaves nodes in all, at least: by partners, and by groups where those are known. */
static double leaving(const struct map_input *in, int most, bool *is_exact)
{
	double *bytes = xmalloc(((size_t)in->comm->nranks + 1) * sizeof(*bytes));
	double total = 0, by_partners = 0, share;

	*is_exact = best_share(in, most, &share);
	for (int r = 0; r < in->symmetric->nranks; r++) {
		double all;

		/* both ends see a message */
		by_partners += beyond(in->symmetric, r, most - 1, bytes, &all) / 2;
		total += all / 2;
	}
	free(bytes);
	/* the best group holds `share` bytes for each of its ranks, each message once */
	if (*is_exact)
		return fmax(by_partners, fmax(total - share * in->comm->nranks, 0));
	return by_partners;
}

/* ---- the machine ---- */

/* The fewest links between two nodes of the allocation, and the bytes that all nodes' own links
 * carry while each carries one of its capacity; 0: nodes have several links. */
static int nearest(const struct map_input *in, double *together, double *fastest)
{
	int fewest = 0;

	*together = *fastest = 0;
	if (in->real_routes->split != NULL) /* a message has no one path */
		return 1;
	for (int a = 0; a < in->nnodes; a++) {
		int32_t up = in->real_routes->up[a];

		if (in->nnodes > PAIRS_NODES)
			fewest = 1 + (up >= 0);
		for (int b = 0; b < in->nnodes && fewest != 2 && in->nnodes <= PAIRS_NODES; b++)
			if (a != b) {
				int hops = routes_get(in->real_routes, a, b)[0];

				if (hops > 0 && (fewest == 0 || hops < fewest))
					fewest = hops;
			}
		up = in->real_routes->up[a];
		if (up < 0) {
			*together = *fastest = 0;
			return fewest;
		}
		*together += 1 / in->real_routes->per_byte.at[up];
		*fastest = fmax(*fastest, 1 / in->real_routes->per_byte.at[up]);
	}
	return fewest;
}

/* Everybody sends the same to everybody, and no slot stays free. */
static bool all_are_alike(const struct map_input *in)
{
	int64_t n = in->comm->nranks;

	if (in->nslots != n || in->comm->nedges != n * (n - 1))
		return false;
	for (int64_t e = 1; e < in->comm->nedges; e++)
		if (in->comm->bytes[e] != in->comm->bytes[0])
			return false;
	for (int r = 0; r < n; r++)
		for (int64_t e = in->comm->first[r]; e < in->comm->first[r + 1]; e++)
			if (in->comm->peer[e] == r)
				return false;
	return true;
}

void map_bounds_find(struct map_bounds *bounds, const struct map_input *in)
{
	struct comm *reversed = comm_reversed(in->comm);
	double together, fastest;
	int most = 0, fewest;

	*bounds = (struct map_bounds){.all_are_alike = all_are_alike(in)};
	for (int v = 0; v < in->nnodes; v++)
		most = in->room[v] > most ? in->room[v] : most;
	fewest = nearest(in, &together, &fastest);
	bounds->leaving = leaving(in, most, &bounds->is_exact_cut);
	bounds->hb = bounds->leaving * fewest;
	if (together > 0) {
		bounds->mc =
			fmax(of_one_rank(in, in->comm, most), of_one_rank(in, reversed, most)) /
			fastest;
		bounds->mc = fmax(bounds->mc, bounds->leaving / together);
	}
	comm_free(reversed);
}
