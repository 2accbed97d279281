/* field.h - a small machine as the definitions of placetools-constraints(7) see it: distances of
 * its nodes, and what they come to in every set of nodes */
#ifndef TESTS_FIELD_H
#define TESTS_FIELD_H

#include "check.h"
#include "machine.h"

enum { NODES_MOST = 10, SETS = 1 << NODES_MOST };

/* A machine as the definitions see it. */
struct field {
	struct topo *topo;
	const char *spec;
	int n;
	bool is_direct, is_ring;
	int distance[NODES_MOST][NODES_MOST]; /* Def. 1 */
	unsigned separate, io;                /* nodes, as bits */
	bool is_exclusive;
	/* Of every set of nodes: sum and maximum of the distances in it. */
	int sum[SETS], widest[SETS];
};

static inline void find_distances(struct field *field)
{
	struct topo *topo = field->topo;
	const struct topo_graph *graph = topo_graph(topo);
	int nvertices = topo_nvertices(topo), *steps = xcalloc((size_t)nvertices, sizeof(*steps));
	int *queue = xcalloc((size_t)nvertices, sizeof(*queue));

	for (int a = 0; a < field->n; a++) {
		int n = 0;

		for (int v = 0; v < nvertices; v++)
			steps[v] = -1;
		steps[a] = 0;
		queue[n++] = a;
		for (int i = 0; i < n; i++)
			for (int64_t k = graph->first[queue[i]]; k < graph->first[queue[i] + 1];
			     k++)
				if (steps[graph->peer[k]] < 0) {
					steps[graph->peer[k]] = steps[queue[i]] + 1;
					queue[n++] = graph->peer[k];
				}
		for (int b = 0; b < field->n; b++) {
			int tier = 0;

			while (tier < topo->ntiers &&
			       topo_domain(topo, a, tier) != topo_domain(topo, b, tier))
				tier++;
			field->distance[a][b] = a == b             ? 0
						: field->is_direct ? steps[b] - 2
								   : tier + 1;
		}
	}
	free(steps);
	free(queue);
}

static inline void find_sums(struct field *field)
{
	for (unsigned set = 1; set < 1u << field->n; set++) {
		int first = __builtin_ctz(set);
		unsigned rest = set & (set - 1);

		field->sum[set] = field->sum[rest];
		field->widest[set] = field->widest[rest];
		for (int b = 0; b < field->n; b++)
			if (rest >> b & 1) {
				int distance = field->distance[first][b];

				field->sum[set] += distance;
				if (distance > field->widest[set])
					field->widest[set] = distance;
			}
	}
}

static inline void field_open(struct field *field, const char *spec, const char *io,
			      bool is_separate, bool is_exclusive)
{
	bool *has_node;

	field->spec = spec;
	field->topo = machine_with_io(spec, io, is_separate);
	field->n = field->topo->nnodes;
	field->is_ring = strncmp(spec, "ring", 4) == 0;
	field->is_direct = true;
	field->is_exclusive = is_exclusive;
	CHECK(field->n <= NODES_MOST);
	has_node = xcalloc((size_t)field->topo->nrouters, sizeof(bool));
	for (int node = 0; node < field->n; node++)
		has_node[field->topo->router_of[node]] = true;
	for (int r = 0; r < field->topo->nrouters; r++)
		field->is_direct = field->is_direct && has_node[r];
	free(has_node);
	for (int i = 0; io != NULL && i < field->topo->io[0].nnodes; i++)
		field->io |= 1u << field->topo->io[0].nodes[i];
	field->separate = is_separate ? field->io : 0;
	if (io != NULL)
		field->topo->io[0].is_exclusive = is_exclusive;
	find_distances(field);
	find_sums(field);
}

#endif
