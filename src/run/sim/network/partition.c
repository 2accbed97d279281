/* partition.c - which routers are simulated together */
#include "sim/network/partition.h"

#include <stdlib.h>

#include "base/mem.h"

/* A part made of clusters is even enough if none is more than a quarter of what a part
 * should be. */
enum { EVEN = 4, NODE_WORK = 3, NO_PART = -1 };

struct cutting {
	const struct topo *topo;
	const struct topo_graph *graph;
	const int64_t *latency_ps;
	int32_t *leader;  /* [nrouters] towards the first router of its cluster */
	int64_t *work;    /* [nrouters] of the clusters, by their first routers */
	bool *has_nodes;  /* the same */
	int16_t *part_of; /* [nrouters] the same while clusters are dealt out */
	int64_t *load;    /* [nparts] */
	int64_t *nlinks;  /* [nparts] scratch */
	int64_t total;
	int nparts;
};

static int32_t find(struct cutting *cutting, int32_t router)
{
	int32_t *leader = cutting->leader;

	while (leader[router] != router) {
		leader[router] = leader[leader[router]];
		router = leader[router];
	}
	return router;
}

/* The lower number leads. */
static void join(struct cutting *cutting, int32_t a, int32_t b)
{
	a = find(cutting, a);
	b = find(cutting, b);
	if (a < b)
		cutting->leader[b] = a;
	else
		cutting->leader[a] = b;
}

static bool is_between_routers(const struct cutting *cutting, const struct topo_link *link)
{
	return link->a >= cutting->topo->nnodes && link->b >= cutting->topo->nnodes;
}

/* Clusters: what is linked by less than latency_ps, or by a node. Returns the work of
 * the largest. */
static int64_t make_clusters(struct cutting *cutting, int64_t latency_ps)
{
	const struct topo *topo = cutting->topo;
	const struct topo_graph *graph = cutting->graph;
	int64_t most = 0;

	for (int32_t r = 0; r < topo->nrouters; r++)
		cutting->leader[r] = r;
	for (int64_t i = 0; i < graph->nlinks; i++) {
		const struct topo_link *link = &graph->links[i];

		if (is_between_routers(cutting, link) &&
		    cutting->latency_ps[link->level] < latency_ps)
			join(cutting, link->a - topo->nnodes, link->b - topo->nnodes);
	}
	for (int node = 0; node < topo->nnodes; node++)
		for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++)
			if (graph->peer[i] >= topo->nnodes)
				join(cutting, topo->router_of[node], graph->peer[i] - topo->nnodes);
	for (int32_t r = 0; r < topo->nrouters; r++) {
		cutting->work[r] = 0;
		cutting->has_nodes[r] = false;
	}
	for (int32_t r = 0; r < topo->nrouters; r++)
		cutting->work[find(cutting, r)] +=
			graph->first[topo->nnodes + r + 1] - graph->first[topo->nnodes + r];
	for (int node = 0; node < topo->nnodes; node++) {
		int32_t leader = find(cutting, topo->router_of[node]);

		cutting->work[leader] += NODE_WORK;
		cutting->has_nodes[leader] = true;
	}
	cutting->total = 0;
	for (int32_t r = 0; r < topo->nrouters; r++) {
		cutting->total += cutting->work[r];
		most = cutting->work[r] > most ? cutting->work[r] : most;
	}
	return most;
}

/* The next smaller latency of links between routers; −1: there is none. */
static int64_t latency_below(const struct cutting *cutting, int64_t below)
{
	int64_t best = -1;

	for (int64_t i = 0; i < cutting->graph->nlinks; i++) {
		const struct topo_link *link = &cutting->graph->links[i];
		int64_t latency = cutting->latency_ps[link->level];

		if (is_between_routers(cutting, link) && latency < below && latency > best)
			best = latency;
	}
	return best;
}

/* Clusters with nodes in the order of their first routers, an equal share of work for each part. */
static void deal_out_nodes(struct cutting *cutting)
{
	int64_t total = 0, before = 0;

	for (int32_t r = 0; r < cutting->topo->nrouters; r++)
		total += cutting->has_nodes[r] ? cutting->work[r] : 0;
	for (int32_t r = 0; r < cutting->topo->nrouters; r++) {
		int64_t middle = before + cutting->work[r] / 2;

		cutting->part_of[r] = NO_PART;
		if (!cutting->has_nodes[r])
			continue;
		cutting->part_of[r] = (int16_t)((double)middle * cutting->nparts / (double)total);
		cutting->load[cutting->part_of[r]] += cutting->work[r];
		before += cutting->work[r];
	}
}

/* A cluster without nodes: where most of its links lead, unless there is enough already; of several
 * parts the one with the least. NO_PART: it has no link to any. */
static int16_t choose_part(const struct cutting *cutting)
{
	int64_t enough = cutting->total / cutting->nparts;
	int best = NO_PART;

	for (int p = 0; p < cutting->nparts; p++) {
		int64_t n = cutting->nlinks[p], best_n = best < 0 ? 0 : cutting->nlinks[best];
		bool is_full = cutting->load[p] >= enough;
		bool best_is_full = best >= 0 && cutting->load[best] >= enough;

		if (n == 0)
			continue;
		if (best < 0 || is_full < best_is_full ||
		    (is_full == best_is_full &&
		     (n > best_n || (n == best_n && cutting->load[p] < cutting->load[best]))))
			best = p;
	}
	return (int16_t)best;
}

/* The others, from those next to what was dealt out already; routers that nothing leads to go to
 * part 0. Clusters without nodes are single routers but where links have no latency. */
static void deal_out_rest(struct cutting *cutting)
{
	const struct topo *topo = cutting->topo;
	const struct topo_graph *graph = cutting->graph;
	bool has_changed = true;

	while (has_changed) {
		has_changed = false;
		for (int32_t r = 0; r < topo->nrouters; r++) {
			int32_t leader = find(cutting, r);

			if (cutting->part_of[leader] != NO_PART)
				continue;
			for (int p = 0; p < cutting->nparts; p++)
				cutting->nlinks[p] = 0;
			for (int64_t i = graph->first[topo->nnodes + r];
			     i < graph->first[topo->nnodes + r + 1]; i++) {
				int peer = graph->peer[i] - topo->nnodes;
				int part =
					peer < 0 ? NO_PART : cutting->part_of[find(cutting, peer)];

				if (part != NO_PART)
					cutting->nlinks[part]++;
			}
			cutting->part_of[leader] = choose_part(cutting);
			if (cutting->part_of[leader] == NO_PART)
				continue;
			cutting->load[cutting->part_of[leader]] += cutting->work[leader];
			has_changed = true;
		}
	}
	for (int32_t r = 0; r < topo->nrouters; r++)
		if (cutting->part_of[find(cutting, r)] == NO_PART)
			cutting->part_of[find(cutting, r)] = 0;
}

/* Every router gets its cluster's part; parts without routers are left out. */
static int number_parts(struct cutting *cutting)
{
	int16_t *number = xmalloc(((size_t)cutting->nparts + 1) * sizeof(*number));
	int n = 0;

	for (int p = 0; p < cutting->nparts; p++)
		number[p] = NO_PART;
	for (int32_t r = 0; r < cutting->topo->nrouters; r++) {
		int16_t part = cutting->part_of[find(cutting, r)];

		if (number[part] == NO_PART)
			number[part] = (int16_t)n++;
	}
	/* leaders come first, so theirs are overwritten by the same */
	for (int32_t r = cutting->topo->nrouters - 1; r >= 0; r--)
		cutting->part_of[r] = cutting->part_of[find(cutting, r)];
	for (int32_t r = 0; r < cutting->topo->nrouters; r++)
		cutting->part_of[r] = number[cutting->part_of[r]];
	free(number);
	return n;
}

static int64_t least_cut(const struct cutting *cutting)
{
	int nnodes = cutting->topo->nnodes;
	int64_t least = INT64_MAX;

	for (int64_t i = 0; i < cutting->graph->nlinks; i++) {
		const struct topo_link *link = &cutting->graph->links[i];

		if (is_between_routers(cutting, link) &&
		    cutting->part_of[link->a - nnodes] != cutting->part_of[link->b - nnodes] &&
		    cutting->latency_ps[link->level] < least)
			least = cutting->latency_ps[link->level];
	}
	return least;
}

int partition_routers(const struct topo *topo, const int64_t *latency_ps, int nparts,
		      int16_t *part_of, int64_t *cut_ps)
{
	size_t n = (size_t)topo->nrouters + 1;
	struct cutting cutting = {.topo = topo,
				  .graph = topo->graph,
				  .latency_ps = latency_ps,
				  .leader = xmalloc(n * sizeof(*cutting.leader)),
				  .work = xmalloc(n * sizeof(*cutting.work)),
				  .has_nodes = xmalloc(n * sizeof(*cutting.has_nodes)),
				  .part_of = part_of,
				  .load = xcalloc((size_t)nparts + 1, sizeof(*cutting.load)),
				  .nlinks = xcalloc((size_t)nparts + 1, sizeof(*cutting.nlinks)),
				  .nparts = nparts};
	int64_t latency = latency_below(&cutting, INT64_MAX), next, most;
	int nmade;

	do {
		most = make_clusters(&cutting, latency < 1 ? 1 : latency);
		next = latency_below(&cutting, latency);
		if (most * nparts * EVEN <= cutting.total || next < 1)
			break;
		latency = next;
	} while (true);
	deal_out_nodes(&cutting);
	deal_out_rest(&cutting);
	nmade = number_parts(&cutting);
	*cut_ps = least_cut(&cutting);
	free(cutting.leader);
	free(cutting.work);
	free(cutting.has_nodes);
	free(cutting.load);
	free(cutting.nlinks);
	return nmade;
}
