/* islands.c - machines in several pieces, and the part of a job on each of them */
#include "map/islands.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { PACKING_STEPS = 100000 };

/* ---- nodes ---- */

static bool are_joined(const struct map_input *in, int a, int b)
{
	struct routing *routing = in->real_routes->routing;

	return in->nodes[a] == in->nodes[b] ||
	       (route_hops(routing, in->nodes[a], in->nodes[b]) >= 0 &&
		route_hops(routing, in->nodes[b], in->nodes[a]) >= 0);
}

void islands_find(struct islands *islands, const struct map_input *in)
{
	int_vec first = {0}; /* node of each */

	islands->of = xmalloc((size_t)in->nnodes * sizeof(*islands->of));
	for (int v = 0; v < in->nnodes; v++) {
		size_t i = 0;

		while (i < first.n && !are_joined(in, first.at[i], v))
			i++;
		if (i == first.n)
			vec_push(&first, v);
		islands->of[v] = (int)i;
	}
	islands->n = (int)first.n;
	islands->room = xcalloc(first.n + 1, sizeof(*islands->room));
	for (int v = 0; v < in->nnodes; v++)
		islands->room[islands->of[v]] += in->room[v];
	vec_free(&first);
}

void islands_free(struct islands *islands)
{
	free(islands->of);
	free(islands->room);
}

/* ---- ranks ---- */

/* A piece of the graph: ranks that no message joins to others. */
struct piece {
	int first, size; /* the lowest rank */
};

struct packing {
	const struct piece *pieces; /* [npieces], the largest first */
	int npieces, nislands;
	int *left;      /* [nislands] free slots */
	int *island_at; /* [npieces] */
	int nsteps;
};

static int larger(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return x->size != y->size ? (x->size < y->size) - (x->size > y->size)
				  : (x->first > y->first) - (x->first < y->first);
}

static bool pack(struct packing *p, int k)
{
	int size, tried = -1;

	if (k == p->npieces)
		return true;
	size = p->pieces[k].size;
	while (p->nsteps++ < PACKING_STEPS) {
		int best = -1;

		/* of islands with the same room left one is enough */
		for (int i = 0; i < p->nislands; i++)
			if (p->left[i] >= size && p->left[i] > tried &&
			    (best < 0 || p->left[i] < p->left[best]))
				best = i;
		if (best < 0)
			return false;
		tried = p->left[best];
		p->island_at[k] = best;
		p->left[best] -= size;
		if (pack(p, k + 1))
			return true;
		p->left[best] += size;
	}
	return false;
}

/* The lowest rank of each one's piece. piece_of [nranks] */
static void find_pieces(const struct comm *symmetric, int *piece_of)
{
	int *queue = xmalloc((size_t)symmetric->nranks * sizeof(*queue));

	for (int r = 0; r < symmetric->nranks; r++)
		piece_of[r] = -1;
	for (int r = 0; r < symmetric->nranks; r++) {
		int n = 0;

		if (piece_of[r] >= 0)
			continue;
		piece_of[r] = r;
		queue[n++] = r;
		for (int i = 0; i < n; i++)
			for (int64_t e = symmetric->first[queue[i]];
			     e < symmetric->first[queue[i] + 1]; e++)
				if (piece_of[symmetric->peer[e]] < 0) {
					piece_of[symmetric->peer[e]] = r;
					queue[n++] = symmetric->peer[e];
				}
	}
	free(queue);
}

static bool pack_pieces(const struct islands *islands, const struct map_input *in, int *island_of)
{
	size_t nranks = (size_t)in->comm->nranks;
	int *piece_of = xmalloc(nranks * sizeof(*piece_of));
	struct piece *pieces = xcalloc(nranks, sizeof(*pieces));
	struct packing p = {.pieces = pieces, .nislands = islands->n};
	bool is_packed;

	find_pieces(in->symmetric, piece_of);
	for (size_t r = 0; r < nranks; r++) {
		pieces[r].first = (int)r;
		pieces[piece_of[r]].size++;
	}
	qsort(pieces, nranks, sizeof(*pieces), larger);
	while (p.npieces < in->comm->nranks && pieces[p.npieces].size > 0)
		p.npieces++;
	p.left = xmalloc((size_t)islands->n * sizeof(*p.left));
	memcpy(p.left, islands->room, (size_t)islands->n * sizeof(*p.left));
	p.island_at = xmalloc((size_t)p.npieces * sizeof(*p.island_at));
	is_packed = pack(&p, 0);
	for (int k = 0; k < p.npieces && is_packed; k++)
		island_of[pieces[k].first] = p.island_at[k];
	for (size_t r = 0; r < nranks && is_packed; r++)
		island_of[r] = island_of[piece_of[r]];
	free(p.left);
	free(p.island_at);
	free(pieces);
	free(piece_of);
	return is_packed;
}

bool islands_assign(const struct islands *islands, const struct map_input *in, int *island_of)
{
	const struct comm *comm = in->symmetric;
	bool is_good = true;

	for (int r = 0, v = 0, nthere = 0; r < comm->nranks; r++, nthere++) {
		for (; nthere == in->room[v]; nthere = 0)
			v++;
		island_of[r] = islands->of[v];
	}
	for (int r = 0; r < comm->nranks && is_good; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++)
			is_good = is_good && island_of[r] == island_of[comm->peer[e]];
	return is_good || pack_pieces(islands, in, island_of);
}

/* ---- the job on one of them ---- */

static struct comm *part(const struct comm *comm, const int *ranks, int n)
{
	int *scratch = xmalloc((size_t)comm->nranks * sizeof(*scratch));
	struct comm *some;

	for (int r = 0; r < comm->nranks; r++)
		scratch[r] = -1;
	some = comm_part(comm, ranks, n, scratch);
	free(scratch);
	return some;
}

void island_job_open(struct island_job *job, const struct map_input *whole,
		     const struct islands *islands, const int *island_of, int island)
{
	size_t nnodes = (size_t)whole->nnodes;
	int nranks = 0, n = 0;

	*job = (struct island_job){.in = *whole};
	job->nodes = xmalloc(nnodes * sizeof(*job->nodes));
	job->room = xmalloc(nnodes * sizeof(*job->room));
	job->index = xmalloc(nnodes * sizeof(*job->index));
	for (int v = 0; v < whole->nnodes; v++) {
		if (islands->of[v] != island)
			continue;
		job->nodes[n] = whole->nodes[v];
		job->room[n] = whole->room[v];
		job->index[n++] = v;
	}
	job->ranks = xmalloc((size_t)whole->comm->nranks * sizeof(*job->ranks));
	for (int r = 0; r < whole->comm->nranks; r++)
		if (island_of[r] == island)
			job->ranks[nranks++] = r;
	job->comm = part(whole->comm, job->ranks, nranks);
	job->symmetric = part(whole->symmetric, job->ranks, nranks);
	job->in.comm = job->comm;
	job->in.symmetric = job->symmetric;
	job->in.nodes = job->nodes;
	job->in.nnodes = n;
	job->in.room = job->room;
	job->in.nslots = islands->room[island];
	routes_init(&job->routes, whole->topo, whole->real_routes->routing, job->nodes, n);
	job->in.routes = job->in.real_routes = &job->routes;
	routes_split_like(&job->routes, whole->real_routes);
	if (whole->routes != whole->real_routes) {
		routes_init(&job->spread, whole->topo, whole->real_routes->routing, job->nodes, n);
		routes_split_like(&job->spread, whole->routes);
		job->in.routes = &job->spread;
	}
}

void island_job_close(struct island_job *job)
{
	if (job->in.routes == &job->spread)
		routes_free(&job->spread);
	routes_free(&job->routes);
	comm_free(job->comm);
	comm_free(job->symmetric);
	free(job->nodes);
	free(job->room);
	free(job->index);
	free(job->ranks);
}
