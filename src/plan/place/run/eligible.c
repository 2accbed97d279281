/* eligible.c - what is known of nodes: islands, partitions, features, reservations, weights */
#include "place/run/eligible.h"

#include <stdlib.h>
#include <string.h>

#include "model/topo_type.h"
#include "place/run/eligible_priv.h"

static uint64_t *new_words(const struct eligible *eligible)
{
	return xcalloc((size_t)eligible->nwords, sizeof(uint64_t));
}

struct eligible *eligible_need(struct eligible **result, const struct topo *topo)
{
	struct eligible *eligible = *result;

	if (eligible != NULL)
		return eligible;
	*result = eligible = xcalloc(1, sizeof(*eligible));
	eligible->nnodes = topo->nnodes;
	eligible->nwords = (topo->nnodes + 63) / 64;
	eligible->nislands = 1;
	eligible->nidle = xcalloc(1, sizeof(int));
	eligible->partitions.nwords = eligible->features.nwords = eligible->nwords;
	eligible->reservations.nwords = eligible->nwords;
	eligible->candidates = new_words(eligible);
	eligible->allowed = new_words(eligible);
	eligible->wanted = new_words(eligible);
	eligible->left = new_words(eligible);
	eligible->among = new_words(eligible);
	return eligible;
}

void eligible_close(struct eligible *eligible)
{
	if (eligible == NULL)
		return;
	sets_free(&eligible->partitions);
	sets_free(&eligible->features);
	sets_free(&eligible->reservations);
	free(eligible->reserved);
	free(eligible->weight_of);
	vec_free(&eligible->weights);
	free(eligible->island_of);
	free(eligible->nidle);
	feature_counts_clear(&eligible->counts);
	vec_free(&eligible->counts);
	free(eligible->candidates);
	free(eligible->allowed);
	free(eligible->wanted);
	free(eligible->left);
	free(eligible->among);
	vec_free(&eligible->part);
	segment_domains_free(&eligible->segments);
	free(eligible);
}

/* ---- islands ---- */

static int find_root(int *parent, int v)
{
	while (parent[v] != v) {
		parent[v] = parent[parent[v]];
		v = parent[v];
	}
	return v;
}

void eligible_islands(struct eligible **eligible, const struct topo *topo)
{
	const struct topo_graph *graph;
	int nvertices = topo->nnodes + topo->nrouters, nislands = 0;
	int *parent, *island, *island_of;

	if (topo->type->distance != NULL) /* a closed form: one network by construction */
		return;
	graph = topo_graph((struct topo *)topo);
	parent = xmalloc((size_t)nvertices * sizeof(*parent) + 1);
	island = xmalloc((size_t)nvertices * sizeof(*island) + 1);
	island_of = xmalloc((size_t)topo->nnodes * sizeof(*island_of) + 1);
	for (int v = 0; v < nvertices; v++) {
		parent[v] = v;
		island[v] = -1;
	}
	for (int64_t i = 0; i < graph->nlinks; i++) {
		int a = find_root(parent, graph->links[i].a),
		    b = find_root(parent, graph->links[i].b);

		parent[a > b ? a : b] = a > b ? b : a;
	}
	for (int node = 0; node < topo->nnodes; node++) {
		int root = find_root(parent, node);

		if (island[root] < 0)
			island[root] = nislands++;
		island_of[node] = island[root];
	}
	free(parent);
	free(island);
	if (nislands < 2) {
		free(island_of);
		return;
	}
	eligible_need(eligible, topo)->island_of = island_of;
	(*eligible)->nislands = nislands;
	free((*eligible)->nidle);
	(*eligible)->nidle = xcalloc((size_t)nislands, sizeof(int));
}

/* ---- what the nodes stream says ---- */

void eligible_know_partitions(struct eligible **eligible, const struct topo *topo)
{
	eligible_need(eligible, topo)->has_partitions = true;
}

void eligible_partitions(struct eligible **eligible, const struct topo *topo, int node,
			 const char *names)
{
	eligible_know_partitions(eligible, topo);
	sets_add(&(*eligible)->partitions, node, names);
}

void eligible_features(struct eligible **eligible, const struct topo *topo, int node,
		       const char *names)
{
	eligible_need(eligible, topo)->has_features = true;
	sets_add(&(*eligible)->features, node, names);
}

void eligible_reservation(struct eligible **eligible, const struct topo *topo, int node,
			  const char *name)
{
	eligible_need(eligible, topo)->has_reservations = true;
	sets_add(&(*eligible)->reservations, node, name);
	if ((*eligible)->reserved == NULL)
		(*eligible)->reserved = new_words(*eligible);
	(*eligible)->reserved[node / 64] |= UINT64_C(1) << node % 64;
}

struct eligible_knows eligible_knows(const struct eligible *eligible)
{
	if (eligible == NULL)
		return (struct eligible_knows){0};
	return (struct eligible_knows){eligible->has_partitions, eligible->has_features,
				       eligible->has_reservations};
}

static int by_weight(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void eligible_weights(struct eligible **result, const struct topo *topo, const int64_t *weight_of)
{
	struct eligible *eligible;
	int64_t *sorted;
	bool differ = false;

	for (int node = 1; node < topo->nnodes; node++)
		differ |= weight_of[node] != weight_of[0];
	if (!differ)
		return;
	eligible = eligible_need(result, topo);
	sorted = xmalloc((size_t)topo->nnodes * sizeof(*sorted));
	memcpy(sorted, weight_of, (size_t)topo->nnodes * sizeof(*sorted));
	qsort(sorted, (size_t)topo->nnodes, sizeof(*sorted), by_weight);
	for (int i = 0; i < topo->nnodes; i++)
		if (i == 0 || sorted[i] != sorted[i - 1])
			vec_push(&eligible->weights, sorted[i]);
	memcpy(sorted, weight_of, (size_t)topo->nnodes * sizeof(*sorted));
	eligible->weight_of = sorted;
}
