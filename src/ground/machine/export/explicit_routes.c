/* explicit_routes.c - the forwarding tables of a machine, a row for each cable of a router */
#include <stdlib.h>

#include "machine/export/explicit.h"
#include "model/topo_routes.h"

/* An entry of one router's table. */
struct way {
	int32_t channel;
	int cable; /* of the node */
	int node;
};

static int by_channel(const void *va, const void *vb)
{
	const struct way *a = va, *b = vb;

	if (a->channel != b->channel)
		return a->channel < b->channel ? -1 : 1;
	if (a->cable != b->cable)
		return a->cable < b->cable ? -1 : 1;
	return a->node - b->node;
}

/* The entries of a router; the path down an own end is only written (as channel -1) where it is not
 * there. Returns their number. */
static size_t collect(const struct topo *topo, int router, struct way *ways)
{
	const struct topo_graph *graph = topo->graph;
	size_t n = 0;

	for (int node = 0; node < topo->nnodes; node++)
		for (int64_t end = graph->first[node]; end < graph->first[node + 1]; end++) {
			int32_t channel = topo_routes_next(topo, router, end);
			bool is_own = topo_end_router(topo, end) == router;

			if (is_own ? channel != topo_end_channel(topo, end) : channel >= 0)
				ways[n++] = (struct way){channel, (int)(end - graph->first[node]),
							 node};
		}
	qsort(ways, n, sizeof(*ways), by_channel);
	return n;
}

/* Its number among the cables to the same router. */
static int cable_number(const struct topo *topo, int router, int32_t channel, int *to)
{
	const struct topo_graph *graph = topo->graph;
	int64_t first = graph->first[topo->nnodes + router], i = first;
	int number = 0;

	while (graph->channel[i] != channel)
		i++;
	*to = graph->peer[i] - topo->nnodes;
	while (i > first && graph->peer[i - 1] == graph->peer[i]) {
		i--;
		number++;
	}
	return number;
}

static void write_router(const struct topo *topo, struct out *out, int router,
			 const struct way *ways, size_t n, bool has_ends)
{
	char text[TOPO_NAME];
	int_vec nodes = {0};
	struct buf list = {0};
	size_t end;

	for (size_t i = 0; i < n; i = end) {
		int to = -1, cable = 0;

		if (ways[i].channel >= 0)
			cable = cable_number(topo, router, ways[i].channel, &to);
		nodes.n = 0;
		buf_clear(&list);
		for (end = i; end < n && ways[end].channel == ways[i].channel &&
			      ways[end].cable == ways[i].cable;
		     end++)
			vec_push(&nodes, ways[end].node);
		topo_nodelist_add(topo, nodes.at, nodes.n, &list);
		out_printf(out, "    %s\t", topo_router_name(topo, router, text));
		out_printf(out, "%s\t%d\t", to < 0 ? "." : topo_router_name(topo, to, text), cable);
		if (has_ends)
			out_printf(out, "%d\t", ways[i].cable);
		out_printf(out, "%s\n", buf_text(&list));
	}
	vec_free(&nodes);
	buf_free(&list);
}

void topo_write_routes(const struct topo *topo, struct out *out)
{
	bool has_ends = topo->routes->nends > topo->nnodes;
	struct way *ways = xmalloc(((size_t)topo->routes->nends + 1) * sizeof(*ways));

	out_printf(out, "  routes: |\n    router\tto\tcable\t%snodes\n", has_ends ? "end\t" : "");
	for (int router = 0; router < topo->nrouters; router++)
		write_router(topo, out, router, ways, collect(topo, router, ways), has_ends);
	free(ways);
}
