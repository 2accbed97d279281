/* cabling.c - who is cabled to whom in a machine, and where two machines differ */
#include "machine/diff/cabling.h"

#include "base/mem.h"

void cabling_make(struct cabling *cabling, struct topo *topo)
{
	const struct topo_graph *graph = topo_graph(topo);
	int n = topo_nvertices(topo);
	int64_t used = 0;

	*cabling = (struct cabling){.topo = topo, .n = n};
	cabling->first = xmalloc(((size_t)n + 1) * sizeof(*cabling->first));
	cabling->peer = xmalloc((2 * (size_t)graph->nlinks + 1) * sizeof(*cabling->peer));
	cabling->count = xmalloc((2 * (size_t)graph->nlinks + 1) * sizeof(*cabling->count));
	cabling->degree = xmalloc(((size_t)n + 1) * sizeof(*cabling->degree));
	cabling->mate = xmalloc(((size_t)n + 1) * sizeof(*cabling->mate));
	for (int v = 0; v < n; v++) {
		cabling->first[v] = used;
		cabling->degree[v] = (int32_t)(graph->first[v + 1] - graph->first[v]);
		cabling->mate[v] = -1;
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++) {
			if (used > cabling->first[v] && cabling->peer[used - 1] == graph->peer[i]) {
				cabling->count[used - 1]++;
				continue;
			}
			cabling->peer[used] = graph->peer[i];
			cabling->count[used++] = 1;
		}
	}
	cabling->first[n] = used;
}

void cabling_free(struct cabling *cabling)
{
	free(cabling->first);
	free(cabling->peer);
	free(cabling->count);
	free(cabling->degree);
	free(cabling->mate);
}

const char *cabling_name(const struct cabling *cabling, int vertex, char text[TOPO_NAME])
{
	const struct topo *topo = cabling->topo;

	return cabling_is_node(cabling, vertex)
		       ? topo_node_name(topo, vertex, text)
		       : topo_router_name(topo, vertex - topo->nnodes, text);
}

/* Appends the cables that a has beyond those of b between the same two. nplan 0: a is the plan. */
static int64_t surplus(const struct cabling *a, const struct cabling *b, int nplan, cable_vec *out)
{
	int32_t *count = xcalloc((size_t)b->n + 1, sizeof(*count)); /* cables of v's mate */
	int64_t total = 0;

	for (int v = 0; v < a->n; v++) {
		int mate = a->mate[v];

		for (int64_t i = mate < 0 ? 0 : b->first[mate];
		     i < (mate < 0 ? 0 : b->first[mate + 1]); i++)
			count[b->peer[i]] = b->count[i];
		for (int64_t i = a->first[v]; i < a->first[v + 1]; i++) {
			int peer = a->peer[i], peer_mate = a->mate[peer];
			int n = a->count[i] - (peer_mate >= 0 ? count[peer_mate] : 0);
			struct cable cable = {{nplan == 0  ? v
					       : mate >= 0 ? mate
							   : nplan + v,
					       nplan == 0       ? peer
					       : peer_mate >= 0 ? peer_mate
								: nplan + peer},
					      false};

			if (peer < v || n <= 0)
				continue;
			total += n;
			for (int k = 0; k < n && out != NULL; k++)
				vec_push(out, cable);
		}
		for (int64_t i = mate < 0 ? 0 : b->first[mate];
		     i < (mate < 0 ? 0 : b->first[mate + 1]); i++)
			count[b->peer[i]] = 0;
	}
	free(count);
	return total;
}

int64_t cabling_compare(const struct cabling *plan, const struct cabling *seen, cable_vec *missing,
			cable_vec *extra)
{
	return surplus(plan, seen, 0, missing) + surplus(seen, plan, plan->n, extra);
}
