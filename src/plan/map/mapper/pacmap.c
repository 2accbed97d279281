/* pacmap.c - nodes and parts in one go: a region grows around a node where many others are near */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "map/problem/fit.h"
#include "map/problem/map_measure.h"
#include "base/mem.h"

/*
 * PaCMap (Tuncer, Leung, Coskun 2015), as Mirsadeghi and Afsahi sum it up: the graph is cut for the
 * nodes; a node is scored by how many others are near it; then the part that exchanges most with
 * those that are mapped comes next, and goes to the node that adds least hop-bytes. Of an
 * allocation that has more nodes than the job needs it so chooses some.
 *
 * Our reading: the score of a node is the sum of hops to as many of the nearest ones as there are
 * parts; the first part is the one with the most bytes in all; among equal hop-bytes the node that
 * is nearest to the first one is taken. Several first nodes are tried, none of which an earlier
 * region has, and the best mapping is kept. Hops are counted between routers.
 */
enum {
	FAR = 1 << 14,  /* hops without a route */
	CENTRES = 256,  /* at most so many are scored */
	BUCKETS = 1024, /* of hops; what is farther counts as that */
};

struct pacmap {
	struct map_input in; /* its ranks are the parts: for measures */
	const struct map_parts *parts;
	const struct comm *both; /* of the parts, both directions added up */
	const double *weight;    /* [nparts] bytes in all */
	/* Sites: the routers of the allocation's nodes. */
	int nsites, *site_of, *node_at; /* site_of [nnodes]; node_at [nsites] any node there */
	int *next, *first;              /* [nnodes], [nsites] the nodes of each site, in order */
	int **row;                      /* [nsites] hops to all others, NULL: not looked up */
	int *count;                     /* [BUCKETS] */
	/* of one region */
	bool *is_used;   /* [nnodes] */
	bool *was_taken; /* [nsites] by any region */
	double *linked;  /* [nparts] bytes exchanged with parts that are mapped; −1: is mapped */
	double *cost;    /* [nsites] hop-bytes */
	struct map_fit fit;
};

static void find_sites(struct pacmap *p)
{
	const struct map_input *in = &p->in;
	int *site_at = xmalloc((size_t)in->topo->nrouters * sizeof(*site_at));

	for (int r = 0; r < in->topo->nrouters; r++)
		site_at[r] = -1;
	p->site_of = xmalloc((size_t)in->nnodes * sizeof(int));
	p->node_at = xmalloc((size_t)in->nnodes * sizeof(int));
	p->next = xmalloc((size_t)in->nnodes * sizeof(int));
	p->first = xmalloc((size_t)in->nnodes * sizeof(int));
	for (int v = 0; v < in->nnodes; v++) {
		int *site = &site_at[in->topo->router_of[in->nodes[v]]];

		if (*site < 0) {
			*site = p->nsites++;
			p->node_at[*site] = in->nodes[v];
			p->first[*site] = -1;
		}
		p->site_of[v] = *site;
	}
	for (int v = in->nnodes - 1; v >= 0; v--) {
		p->next[v] = p->first[p->site_of[v]];
		p->first[p->site_of[v]] = v;
	}
	p->row = xcalloc((size_t)p->nsites, sizeof(*p->row));
	p->was_taken = xcalloc((size_t)p->nsites, sizeof(*p->was_taken));
	p->cost = xmalloc((size_t)p->nsites * sizeof(*p->cost));
	free(site_at);
}

/* Hops from a site to all others, beside the two links of the nodes. */
static const int *hops_from(struct pacmap *p, int site)
{
	int *row = p->row[site];

	if (row != NULL)
		return row;
	row = p->row[site] = xmalloc((size_t)p->nsites * sizeof(*row));
	for (int s = 0; s < p->nsites; s++) {
		int hops = route_hops(p->in.routes->routing, p->node_at[site], p->node_at[s]);

		row[s] = s == site ? 0 : hops < 0 ? FAR : hops - 2 > 0 ? hops - 2 : 1;
	}
	return row;
}

/* The sum of hops to the nearest nodes, as many as parts. */
static double score_of(struct pacmap *p, int site)
{
	const int *row = hops_from(p, site);
	int left = p->parts->nparts;
	double sum = 0;

	memset(p->count, 0, BUCKETS * sizeof(*p->count));
	for (int v = 0; v < p->in.nnodes; v++) {
		int hops = row[p->site_of[v]];

		if (p->in.room[v] > 0)
			p->count[hops < BUCKETS ? hops : BUCKETS - 1]++;
	}
	for (int hops = 0; hops < BUCKETS && left > 0; hops++) {
		int n = p->count[hops] < left ? p->count[hops] : left;

		sum += (double)n * hops;
		left -= n;
	}
	return sum;
}

/* ---- one region ---- */

static bool may_take(const struct pacmap *p, int part, int node)
{
	int size = p->parts->size[part], room = p->in.room[node];

	return !p->is_used[node] && room >= size && room <= map_fit_most(&p->fit, size);
}

/* The first free node of a site that a part may have, or -1. */
static int free_node(const struct pacmap *p, int part, int site)
{
	for (int v = p->first[site]; v >= 0; v = p->next[v])
		if (may_take(p, part, v))
			return v;
	return -1;
}

static void place(struct pacmap *p, int part, int node, int *node_of)
{
	node_of[part] = node;
	p->is_used[node] = p->was_taken[p->site_of[node]] = true;
	p->linked[part] = -1;
	map_fit_take(&p->fit, p->parts->size[part], p->in.room[node]);
	for (int64_t e = p->both->first[part]; e < p->both->first[part + 1]; e++)
		if (p->linked[p->both->peer[e]] >= 0)
			p->linked[p->both->peer[e]] += p->both->bytes[e];
}

/* Which part comes next; -1: all are mapped. */
static int next_part(const struct pacmap *p)
{
	int best = -1;

	for (int part = 0; part < p->parts->nparts; part++)
		if (p->linked[part] >= 0 &&
		    (best < 0 || p->linked[part] > p->linked[best] ||
		     (p->linked[part] == p->linked[best] && p->weight[part] > p->weight[best])))
			best = part;
	return best;
}

/* The node that adds least hop-bytes; of equals the one nearest to the centre, then the first. */
static int nearest(struct pacmap *p, int part, const int *from_centre, const int *node_of)
{
	int best = -1, at = -1;

	for (int s = 0; s < p->nsites; s++)
		p->cost[s] = 0;
	for (int64_t e = p->both->first[part]; e < p->both->first[part + 1]; e++) {
		int peer = p->both->peer[e];
		const int *row;

		if (p->linked[peer] >= 0)
			continue;
		row = hops_from(p, p->site_of[node_of[peer]]);
		for (int s = 0; s < p->nsites; s++)
			p->cost[s] += p->both->bytes[e] * row[s];
	}
	for (int s = 0; s < p->nsites; s++) {
		int node;

		if (best >= 0 && (p->cost[s] > p->cost[at] ||
				  (p->cost[s] == p->cost[at] && from_centre[s] >= from_centre[at])))
			continue;
		node = free_node(p, part, s);
		if (node >= 0) {
			best = node;
			at = s;
		}
	}
	return best;
}

static void grow(struct pacmap *p, int centre, int *node_of)
{
	const int *from_centre = hops_from(p, centre);

	memset(p->is_used, 0, (size_t)p->in.nnodes * sizeof(*p->is_used));
	memset(p->linked, 0, (size_t)p->parts->nparts * sizeof(*p->linked));
	map_fit_open(&p->fit, &p->in, p->parts);
	for (int part; (part = next_part(p)) >= 0;)
		place(p, part, nearest(p, part, from_centre, node_of), node_of);
	map_fit_close(&p->fit);
}

/* ---- the best of several ---- */

/* The best centre that no region has; -1: none is left. score [nsites]; −1: not a centre */
static int next_centre(const struct pacmap *p, const double *score)
{
	int best = -1;

	for (int s = 0; s < p->nsites; s++)
		if (score[s] >= 0 && !p->was_taken[s] && (best < 0 || score[s] < score[best]))
			best = s;
	return best;
}

static void try_all(struct pacmap *p, int tries, int *node_of)
{
	const struct map_aim in_turn = {.is_in_turn = true};
	const struct map_aim *aim = p->in.aim != NULL ? p->in.aim : &in_turn;
	size_t size = (size_t)p->parts->nparts * sizeof(*node_of);
	double *score = xmalloc((size_t)p->nsites * sizeof(*score));
	int *other = xmalloc(size), step = (p->nsites + CENTRES - 1) / CENTRES, centre;
	struct hybrid_terms best, terms;

	for (int s = 0; s < p->nsites; s++)
		score[s] = s % step == 0 ? score_of(p, s) : -1;
	for (int k = 0; k < tries && (centre = next_centre(p, score)) >= 0; k++) {
		p->was_taken[centre] = true;
		grow(p, centre, other);
		terms = map_measure(&p->in, other);
		if (k > 0 && !map_aim_is_better(aim, &terms, &best))
			continue;
		best = terms;
		memcpy(node_of, other, size);
	}
	free(score);
	free(other);
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	size_t nparts = (size_t)parts->nparts;
	struct comm *both = comm_symmetric(parts->comm);
	double *weight = xcalloc(nparts, sizeof(*weight));
	struct pacmap p = {.in = *in, .parts = parts, .both = both, .weight = weight};

	(void)err;
	p.in.comm = parts->comm;
	for (int part = 0; part < parts->nparts; part++)
		for (int64_t e = both->first[part]; e < both->first[part + 1]; e++)
			weight[part] += both->bytes[e];
	find_sites(&p);
	p.count = xmalloc(BUCKETS * sizeof(*p.count));
	p.is_used = xmalloc((size_t)in->nnodes * sizeof(*p.is_used));
	p.linked = xmalloc(nparts * sizeof(*p.linked));
	try_all(&p, (int)pick_int(pick, "tries"), node_of);
	for (int s = 0; s < p.nsites; s++)
		free(p.row[s]);
	free(p.row);
	free(p.site_of);
	free(p.node_at);
	free(p.next);
	free(p.first);
	free(p.was_taken);
	free(p.cost);
	free(p.count);
	free(p.is_used);
	free(p.linked);
	free(weight);
	comm_free(both);
	return 0;
}

const struct map_policy map_policy_pacmap = {
	.entry =
		{
			.name = "pacmap",
			.example = "pacmap:tries=2",
			.summary = "a region grows around the node with the most others near it, "
				   "part by part to the node that adds least hop-bytes",
			.paper = "Tuncer et al., PaCMap, as PTRAM §II sums it up",
			.params = (const struct param[]){{.key = "tries",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = 1000,
							  .def = "8",
							  .meaning = "regions that are grown; the "
								     "best is kept"},
							 {0}},
		},
	.partition = "scotch",
	.refine = "none",
	.run = run,
};
