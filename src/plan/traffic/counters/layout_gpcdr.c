/* layout_gpcdr.c - LDMS cray_aries_r: what gpcdr sums up of an Aries router, on each of
 * its nodes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"

/* Of a router: tile RC as number R × 10 + C, traffic in bytes (flits × 20/3) and stalls in
 * nanoseconds (counts × 5/4); then of each of its nodes the bytes out and in, 16 × (flits −
 * packets). Numbers that end in 8 or 9 are no tiles. */
enum { TILES = 48, NTILES = 40, NODE_FIRST = 2 * TILES };

static void make_schema(struct counter_layout *layout, int k)
{
	struct counter_schema schema = {0};

	for (int tile = 0; tile < TILES; tile++) {
		buf_printf(&schema.header, ",traffic_%03d (B)", tile);
		vec_push(&schema.cells, tile);
	}
	for (int tile = 0; tile < TILES; tile++) {
		buf_printf(&schema.header, ",stalled_%03d (ns)", tile);
		vec_push(&schema.cells, TILES + tile);
	}
	buf_str(&schema.header, ",totaloutput,totalinput");
	vec_push(&schema.cells, NODE_FIRST + 2 * k);
	vec_push(&schema.cells, NODE_FIRST + 2 * k + 1);
	vec_push(&layout->schemas, schema);
}

/* The number of a node among those of its router. rank [nnodes] */
static int rank_nodes(const struct topo *topo, int *rank)
{
	int *done = xcalloc((size_t)topo->nrouters, sizeof(*done)), most = 0;

	for (int node = 0; node < topo->nnodes; node++) {
		rank[node] = done[topo->router_of[node]]++;
		most = rank[node] >= most ? rank[node] + 1 : most;
	}
	free(done);
	return most;
}

static void layout_gpcdr_open(struct counter_layout *layout, const struct counter_flows *flows,
			      const struct layout_options *options)
{
	const struct topo *topo = flows->topo;
	int *rank = xcalloc((size_t)topo->nnodes, sizeof(*rank));
	int most = rank_nodes(topo, rank);
	char name[TOPO_NAME];

	for (int router = 0; router < topo->nrouters; router++) {
		vec_push(&layout->units,
			 (struct counter_unit){layout->ncounters, NODE_FIRST + 2 * most});
		layout->ncounters += NODE_FIRST + 2 * most;
	}
	for (int k = 0; k < most; k++) {
		if (options->slice >= 0 && options->slice != k)
			continue;
		make_schema(layout, k);
		for (int node = 0; node < topo->nnodes; node++) {
			struct counter_row row = {.component = node,
						  .schema = (int)layout->schemas.n - 1,
						  .unit = topo->router_of[node]};

			if (rank[node] != k)
				continue;
			row.producer = xstrdup(topo_node_name(topo, node, name));
			vec_push(&layout->rows, row);
		}
	}
	free(rank);
}

static int64_t sum(const int64_t at[VCS])
{
	int64_t total = 0;

	for (int vc = 0; vc < VCS; vc++)
		total += at[vc];
	return total;
}

static void add_node(const struct counter_flows *flows, int node, int64_t *bytes)
{
	const struct topo_graph *graph = flows->graph;

	for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++) {
		const struct channel_rate *out = &flows->rates[graph->channel[i]];
		const struct channel_rate *in = &flows->rates[graph->channel[i] ^ 1];

		bytes[0] += 16 * (sum(out->flits) - sum(out->packets));
		bytes[1] += 16 * (sum(in->flits) - sum(in->packets));
	}
}

static void add_links(const struct counter_flows *flows, int router, int64_t *unit)
{
	const struct topo_graph *graph = flows->graph;
	int vertex = flows->topo->nnodes + router, nlinks = 0;

	for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
		const struct channel_rate *rate = &flows->rates[graph->channel[i] ^ 1];
		int tile = nlinks % NTILES;

		if (graph->peer[i] < flows->topo->nnodes)
			continue;
		nlinks++;
		tile = tile % 5 * 10 + tile / 5; /* the same tile as in metric_set_rtr */
		unit[tile] += sum(rate->flits) * 20 / 3;
		unit[TILES + tile] += rate->stalls * 5 / 4;
	}
}

static void rates(const struct counter_layout *layout, const struct counter_flows *flows,
		  int64_t *rates)
{
	const struct topo *topo = flows->topo;
	int *rank = xcalloc((size_t)topo->nnodes, sizeof(*rank));

	memset(rates, 0, (size_t)layout->ncounters * sizeof(*rates));
	rank_nodes(topo, rank);
	for (int node = 0; node < topo->nnodes; node++) {
		int64_t *unit = rates + layout->units.at[topo->router_of[node]].first;

		add_node(flows, node, unit + NODE_FIRST + 2 * rank[node]);
	}
	for (int router = 0; router < topo->nrouters; router++)
		add_links(flows, router, rates + layout->units.at[router].first);
	free(rank);
}

const struct counter_source source_cray_aries_r = {"cray_aries_r", layout_gpcdr_open, rates};
