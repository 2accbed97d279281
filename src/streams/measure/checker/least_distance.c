/* least_distance.c - distances between nodes, and the diameter or sum of a set of them */
#include <stdlib.h>
#include "measure/checker/least_priv.h"
#include "model/topo_type.h"

/* The fewest links from routers to all others, breadth first along the cables. */
struct hops {
	unsigned short **row; /* [nrouters] NULL: not asked for yet */
	int nrows;
	int_vec queue;
};

enum { ROWS_MOST = 4096 };

void least_open(struct least *least, struct geometry *geometry, enum least_of measure,
		bool by_routes)
{
	const struct topo *topo = geometry->topo;

	*least = (struct least){.geometry = geometry, .measure = measure, .by_routes = by_routes};
	if (!by_routes && geometry->is_direct && topo->type->is_distance_routed) {
		least->hops = xcalloc(1, sizeof(*least->hops));
		least->hops->row = xcalloc((size_t)topo->nrouters, sizeof(*least->hops->row));
	}
	for (int node = 0; node < topo->nnodes; node++)
		if ((geometry->flags[node] & NODE_SERVES) != 0)
			vec_push(&least->serving, node);
}

static void drop_rows(struct hops *hops, int nrouters)
{
	for (int r = 0; r < nrouters; r++) {
		free(hops->row[r]);
		hops->row[r] = NULL;
	}
	hops->nrows = 0;
}

void least_close(struct least *least)
{
	if (least->hops != NULL) {
		drop_rows(least->hops, least->geometry->topo->nrouters);
		free(least->hops->row);
		free(least->hops->queue.at);
		free(least->hops);
	}
	for (size_t i = 0; i < least->profiles.n; i++)
		free(least->profiles.at[i]);
	free(least->profiles.at);
	for (int i = 0; i < LEAST_CENTRES; i++)
		free(least->nearest[i]);
	free(least->serving.at);
	free(least->known.at);
	*least = (struct least){0};
}

static unsigned short *search(struct hops *hops, const struct topo *topo, int router)
{
	unsigned short *row = xmalloc((size_t)topo->nrouters * sizeof(*row));

	for (int r = 0; r < topo->nrouters; r++)
		row[r] = DISTANCE_MOST;
	row[router] = 0;
	hops->queue.n = 0;
	vec_push(&hops->queue, router);
	for (size_t done = 0; done < hops->queue.n; done++) {
		int r = hops->queue.at[done];
		const int64_t *first = &topo->graph->first[topo->nnodes + r];

		for (int64_t i = first[0]; i < first[1]; i++) {
			int peer = topo->graph->peer[i] - topo->nnodes;

			if (peer < 0 || row[peer] != DISTANCE_MOST)
				continue;
			row[peer] = (unsigned short)(row[r] + 1);
			vec_push(&hops->queue, peer);
		}
	}
	return row;
}

int least_distance(const struct least *least, int node_a, int node_b)
{
	const struct topo *topo = least->geometry->topo;
	struct hops *hops = least->hops;
	int router = topo->router_of[node_a];

	if (hops == NULL)
		return geometry_distance(least->geometry, node_a, node_b);
	if (hops->row[router] == NULL) {
		if (hops->nrows++ == ROWS_MOST)
			drop_rows(hops, topo->nrouters);
		hops->row[router] = search(hops, topo, router);
	}
	return hops->row[router][topo->router_of[node_b]];
}

/* From router to router, where they alone say how far nodes are apart, the same both ways: the pair
 * is that of the first nodes of its routers. */
static int64_t measure_routers(const struct least *least, const int *nodes, int n, int *a, int *b)
{
	const struct topo *topo = least->geometry->topo;
	int *place_of = xcalloc((size_t)topo->nrouters, sizeof(int)), nplaces = 0;
	struct place *places = xmalloc((size_t)n * sizeof(*places));
	int64_t most = 0, sum = 0;

	for (int i = 0; i < n; i++) {
		int *place = &place_of[topo->router_of[nodes[i]]];

		if (*place == 0) {
			places[nplaces++] = (struct place){nodes[i], 0};
			*place = nplaces;
		}
		places[*place - 1].count++;
	}
	for (int i = 0; i < nplaces; i++)
		for (int k = 0; k < i; k++) {
			int distance = least_distance(least, places[k].node, places[i].node);

			sum += (int64_t)distance * places[k].count * places[i].count;
			if (distance <= most)
				continue;
			most = distance;
			*a = places[k].node;
			*b = places[i].node;
		}
	free(place_of);
	free(places);
	return least->measure == LEAST_MAX ? most : sum;
}

int64_t least_measure(const struct least *least, const int *nodes, int n, int *a, int *b)
{
	int64_t most = 0, sum = 0;

	if (least->hops != NULL)
		return measure_routers(least, nodes, n, a, b);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++) {
			int distance = least_distance(least, nodes[k], nodes[i]);

			sum += distance;
			if (distance <= most)
				continue;
			most = distance;
			*a = nodes[k];
			*b = nodes[i];
		}
	return least->measure == LEAST_MAX ? most : sum;
}
