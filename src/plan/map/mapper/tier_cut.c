/* tier_cut.c - the graph is cut along the machine's tiers */
#include "map/mapper/tier_cut.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "map/partition/graph_cut.h"

struct cut {
	const struct map_input *in;
	int seed; /* of libscotch */
	bool is_packed;
	int *node_of; /* [nranks] */
	int *local;   /* [nranks] −1, for comm_part */
	int *ranks;   /* [nranks] all of them */
	int *nodes;   /* [nnodes] */
	struct err *err;
};

/* Numbers the domains of nodes [n] at a tier (below 0: each node is one; where a tier does not part
 * them: two halves) in the order of their first node. domain_of [n]; returns how many there are. */
static int domains(const struct map_input *in, const int *nodes, int n, int tier, int *domain_of)
{
	int ndomains = 0, *seen = xmalloc((size_t)n * sizeof(*seen));

	for (int i = 0; i < n; i++) {
		int id = tier < 0 ? i : topo_domain(in->topo, in->nodes[nodes[i]], tier), d = 0;

		/* nodes of a domain are mostly consecutive: look backwards */
		for (d = ndomains - 1; d >= 0 && seen[d] != id;)
			d--;
		if (d < 0) {
			d = ndomains++;
			seen[d] = id;
		}
		domain_of[i] = d;
	}
	free(seen);
	return ndomains;
}

static int cut_into(struct cut *cut, const int *ranks, int nranks, const int *nodes, int nnodes,
		    int tier);

/* Gives each domain its ranks and goes on one tier below. part_of [nranks], domain_of [nnodes] */
static int go_down(struct cut *cut, const int *ranks, int nranks, const int *nodes, int nnodes,
		   int tier, int ndomains, const int *part_of, const int *domain_of)
{
	int *some_ranks = xmalloc((size_t)nranks * sizeof(*some_ranks));
	int *some_nodes = xmalloc((size_t)nnodes * sizeof(*some_nodes));
	int status = 0;

	for (int d = 0; d < ndomains && status == 0; d++) {
		int r = 0, v = 0;

		for (int i = 0; i < nranks; i++)
			if (part_of[i] == d)
				some_ranks[r++] = ranks[i];
		for (int i = 0; i < nnodes; i++)
			if (domain_of[i] == d)
				some_nodes[v++] = nodes[i];
		status = cut_into(cut, some_ranks, r, some_nodes, v, tier - 1);
	}
	free(some_ranks);
	free(some_nodes);
	return status;
}

/* Ranks of the domains: free slots are those of the last ones, or spread over all of them in
 * proportion to their rooms. */
static void fill_sizes(const struct cut *cut, const int *nodes, int nnodes, const int *domain_of,
		       int ndomains, int nranks, int *size)
{
	int64_t all = 0, room = 0, given = 0;

	memset(size, 0, (size_t)ndomains * sizeof(*size));
	for (int i = 0; i < nnodes; i++) {
		size[domain_of[i]] += cut->in->room[nodes[i]];
		all += cut->in->room[nodes[i]];
	}
	for (int d = 0; d < ndomains; d++) {
		room += size[d];
		if (cut->is_packed)
			size[d] = (int)((room < nranks ? room : nranks) - given);
		else
			size[d] = (int)(room * nranks / all - given);
		given += size[d];
	}
}

/* Cuts the graph into one part for each domain that is to have ranks. part_of [nranks] */
static int cut_graph(struct cut *cut, const int *ranks, int nranks, int ndomains, const int *size,
		     int *part_of)
{
	struct comm *graph = comm_part(cut->in->symmetric, ranks, nranks, cut->local);
	int *filled = xmalloc((size_t)ndomains * sizeof(*filled)), n = 0, status;
	int *sizes = xmalloc((size_t)ndomains * sizeof(*sizes));

	for (int d = 0; d < ndomains; d++)
		if (size[d] > 0) {
			filled[n] = d;
			sizes[n++] = size[d];
		}
	status = partition_scotch(graph, n, sizes, cut->seed, part_of, cut->err);
	for (int i = 0; i < nranks && status == 0; i++)
		part_of[i] = filled[part_of[i]];
	comm_free(graph);
	free(filled);
	free(sizes);
	return status;
}

static int cut_into(struct cut *cut, const int *ranks, int nranks, const int *nodes, int nnodes,
		    int tier)
{
	int *domain_of, *size, *part_of, ndomains, status;

	if (nnodes == 1 || nranks == 0) {
		for (int i = 0; i < nranks; i++)
			cut->node_of[ranks[i]] = nodes[0];
		return 0;
	}
	domain_of = xmalloc((size_t)nnodes * sizeof(*domain_of));
	ndomains = domains(cut->in, nodes, nnodes, tier, domain_of);
	if (ndomains == 1) {
		free(domain_of);
		return cut_into(cut, ranks, nranks, nodes, nnodes, tier - 1);
	}
	size = xmalloc((size_t)ndomains * sizeof(*size));
	part_of = xmalloc((size_t)nranks * sizeof(*part_of));
	fill_sizes(cut, nodes, nnodes, domain_of, ndomains, nranks, size);
	status = cut_graph(cut, ranks, nranks, ndomains, size, part_of);
	if (status == 0)
		status = go_down(cut, ranks, nranks, nodes, nnodes, tier, ndomains, part_of,
				 domain_of);
	free(domain_of);
	free(size);
	free(part_of);
	return status;
}

/* A cut of all ranks and nodes, to be closed. */
static void cut_open(struct cut *cut, const struct map_input *in, int *node_of, struct err *err)
{
	size_t nranks = (size_t)in->comm->nranks, nnodes = (size_t)in->nnodes;

	*cut = (struct cut){.in = in, .seed = 1, .node_of = node_of, .err = err};
	cut->local = xmalloc(nranks * sizeof(*cut->local));
	cut->ranks = xmalloc(nranks * sizeof(*cut->ranks));
	cut->nodes = xmalloc(nnodes * sizeof(*cut->nodes));
	for (int r = 0; r < in->comm->nranks; r++) {
		cut->local[r] = -1;
		cut->ranks[r] = r;
	}
	for (int v = 0; v < in->nnodes; v++)
		cut->nodes[v] = v;
}

static void cut_close(struct cut *cut)
{
	free(cut->local);
	free(cut->ranks);
	free(cut->nodes);
}

int tier_cut(const struct map_input *in, int seed, bool is_packed, int *node_of, struct err *err)
{
	struct cut cut;
	int status;

	cut_open(&cut, in, node_of, err);
	cut.seed = seed;
	cut.is_packed = is_packed;
	status = cut_into(&cut, cut.ranks, in->comm->nranks, cut.nodes, in->nnodes,
			  in->topo->ntiers - 1);
	cut_close(&cut);
	return status;
}

int tier_cut_routers(const struct map_input *in, const int *router_of, int *node_of,
		     struct err *err)
{
	struct cut cut;
	int status;

	cut_open(&cut, in, node_of, err);
	status = go_down(&cut, cut.ranks, in->comm->nranks, cut.nodes, in->nnodes, 0,
			 in->routes->nsources, router_of, in->routes->source_of);
	cut_close(&cut);
	return status;
}
