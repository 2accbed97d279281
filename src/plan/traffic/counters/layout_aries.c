/* layout_aries.c - LDMS sets metric_set_rtr_*: the counters of Aries routers and their NICs */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"

/*
 * Node k of a router reports NIC k, processor tiles 2k and 2k+1 and network tile columns 2k and
 * 2k+1 (of four nodes; with p nodes a router what falls to k of p), and with redundancy also what
 * its next neighbours report.
 *
 * Counters of one router: those of each node's NIC; the stalls of all network tiles, down the
 * columns; those of each processor tile; flits and packets of each network tile. What one node
 * reports is together, since a row costs as much as the cache lines it touches.
 */
enum {
	NIC_COUNTERS = 8,
	PTILES = 8,
	PTILE_COUNTERS = 8,
	ROWS = 5,
	COLUMNS = 8,
	NTILES = 40,
	NTILE_COUNTERS = 2 * VCS
};

/* As the hardware orders them; flits, then packets, of each. The third, STALLED, stays 0: flat
 * flows never wait at a NIC. */
static const char *const nic_names[4] = {"REQ_PTILES_TO_NIC_%d", "RSP_PTILES_TO_NIC_%d",
					 "REQ_NIC_%d_TO_PTILES", "RSP_NIC_%d_TO_PTILES"};
static const char *const ptile_names[4] = {"REQ_IN", "REQ_OUT", "RSP_IN", "RSP_OUT"};

static int stall_first(int nnodes)
{
	return nnodes * NIC_COUNTERS;
}

static int ptile_first(int nnodes)
{
	return stall_first(nnodes) + NTILES;
}

static int ntile_first(int nnodes)
{
	return ptile_first(nnodes) + PTILES * PTILE_COUNTERS;
}

static void add_nic(struct counter_schema *schema, int k)
{
	static const char *const ends[] = {"FLITS", "PKTS", "STALLED"};

	for (int way = 0; way < 4; way++)
		for (int end = 0; end < 3; end++) {
			char name[64];

			snprintf(name, sizeof(name), nic_names[way], k);
			buf_printf(&schema->header, ",AR_NL_PRF_%s_%s", name, ends[end]);
			vec_push(&schema->cells, end == 2 ? -1 : k * NIC_COUNTERS + 2 * way + end);
		}
}

static void add_ptile(struct counter_schema *schema, int nnodes, int ptile)
{
	for (int way = 0; way < 4; way++)
		for (int end = 0; end < 2; end++) {
			buf_printf(&schema->header, ",AR_NL_PRF_PTILE_%d_%s_NW_%s", ptile,
				   ptile_names[way], end == 0 ? "FLITS" : "PKTS");
			vec_push(&schema->cells,
				 ptile_first(nnodes) + ptile * PTILE_COUNTERS + 2 * way + end);
		}
}

static void add_ntile_row(struct counter_schema *schema, int nnodes, int row, int first, int last,
			  bool all_columns)
{
	for (int vc = 0; vc < VCS && all_columns; vc++)
		for (int end = 0; end < 2; end++)
			for (int column = first; column < last; column++) {
				buf_printf(&schema->header,
					   end == 0 ? ",AR_RTR_%d_%d_INQ_PRF_INCOMING_FLIT_VC%d"
						    : ",AR_RTR_%d_%d_INQ_PRF_INCOMING_PKT_VC%d",
					   row, column, vc);
				if (end == 1)
					buf_printf(&schema->header, "_FILTER_FLIT%d_CNT", vc);
				vec_push(&schema->cells,
					 ntile_first(nnodes) +
						 (column * ROWS + row) * NTILE_COUNTERS + 2 * vc +
						 end);
			}
	for (int column = first; column < last; column++) {
		buf_printf(&schema->header, ",AR_RTR_%d_%d_INQ_PRF_ROWBUS_STALL_CNT", row, column);
		vec_push(&schema->cells, stall_first(nnodes) + column * ROWS + row);
	}
}

/* What falls to node k of nnodes: [first, last) of n things. */
static void share(int n, int k, int nnodes, int *first, int *last)
{
	*first = (n * k + nnodes - 1) / nnodes;
	*last = (n * (k + 1) + nnodes - 1) / nnodes;
}

static void make_schema(struct counter_layout *layout, int nnodes, int k,
			const struct layout_options *options)
{
	struct counter_schema schema = {0};
	int redundancy = options->redundancy < nnodes ? options->redundancy : nnodes;

	buf_str(&schema.header, ",aries_rtr_id");
	for (int i = 0; i < redundancy; i++) {
		/* who reports everything does so in the same order as the others */
		int of = redundancy == nnodes ? i : (k + i) % nnodes, first, last;

		add_nic(&schema, of);
		share(PTILES, of, nnodes, &first, &last);
		for (int ptile = first; ptile < last && options->all_columns; ptile++)
			add_ptile(&schema, nnodes, ptile);
		share(COLUMNS, of, nnodes, &first, &last);
		for (int row = 0; row < ROWS; row++)
			add_ntile_row(&schema, nnodes, row, first, last, options->all_columns);
	}
	vec_push(&layout->schemas, schema);
}

/* The nodes whose first router it is, in label order. */
static void find_nodes(const struct topo *topo, int *first_of, int *next_of)
{
	for (int router = 0; router < topo->nrouters; router++)
		first_of[router] = -1;
	for (int node = topo->nnodes - 1; node >= 0; node--) {
		next_of[node] = first_of[topo->router_of[node]];
		first_of[topo->router_of[node]] = node;
	}
}

static void add_row(struct counter_layout *layout, const struct topo *topo, int node, int schema)
{
	char name[TOPO_NAME];
	struct counter_row row = {
		.component = node, .schema = schema, .unit = topo->router_of[node]};

	row.producer = xstrdup(topo_node_name(topo, node, name));
	row.text = xasprintf(",%s", topo_router_name(topo, topo->router_of[node], name));
	vec_push(&layout->rows, row);
}

/* The rows of all nodes that are k-th of nnodes under their router. */
static void add_rows(struct counter_layout *layout, const struct topo *topo, const int *first_of,
		     const int *next_of, const int *nnodes_of, int nnodes, int k)
{
	for (int router = 0; router < topo->nrouters; router++) {
		int node = first_of[router];

		if (nnodes_of[router] != nnodes)
			continue;
		for (int i = 0; i < k; i++)
			node = next_of[node];
		add_row(layout, topo, node, (int)layout->schemas.n - 1);
	}
}

static void layout_aries_open(struct counter_layout *layout, const struct counter_flows *flows,
			      const struct layout_options *options)
{
	const struct topo *topo = flows->topo;
	int *first_of = xcalloc((size_t)topo->nrouters, sizeof(*first_of));
	int *nnodes_of = xcalloc((size_t)topo->nrouters, sizeof(*nnodes_of));
	int *next_of = xcalloc((size_t)topo->nnodes, sizeof(*next_of));
	int most = 0;

	find_nodes(topo, first_of, next_of);
	for (int node = 0; node < topo->nnodes; node++)
		nnodes_of[topo->router_of[node]]++;
	for (int router = 0; router < topo->nrouters; router++) {
		struct counter_unit unit = {layout->ncounters, 0};

		if (nnodes_of[router] > 0)
			unit.n = ntile_first(nnodes_of[router]) + NTILES * NTILE_COUNTERS;
		most = nnodes_of[router] > most ? nnodes_of[router] : most;
		vec_push(&layout->units, unit);
		layout->ncounters += unit.n;
	}
	for (int nnodes = 1; nnodes <= most; nnodes++) {
		bool is_there = false;

		for (int router = 0; router < topo->nrouters && !is_there; router++)
			is_there = nnodes_of[router] == nnodes;
		for (int k = 0; k < nnodes && is_there; k++) {
			if (options->slice >= 0 && options->slice != k)
				continue;
			make_schema(layout, nnodes, k, options);
			add_rows(layout, topo, first_of, next_of, nnodes_of, nnodes, k);
		}
	}
	free(first_of);
	free(nnodes_of);
	free(next_of);
}

/* The NIC's counters of a node, of both directions of its links; and its part of the processor
 * tiles, over which the router spreads it evenly. */
static void add_node(const struct counter_flows *flows, int node, int64_t *nic, int64_t *ptiles)
{
	const struct topo_graph *graph = flows->graph;

	for (int64_t i = graph->first[node]; i < graph->first[node + 1]; i++)
		for (int way = 0; way < 4; way++) {
			/* ways 0 and 1 come from the processor tiles, 2 and 3 go there */
			int channel = graph->channel[i] ^ (way < 2);
			const struct channel_rate *rate = &flows->rates[channel];

			for (int vc = way % 2 * 4; vc < way % 2 * 4 + 4; vc++) {
				nic[2 * way] += rate->flits[vc];
				nic[2 * way + 1] += rate->packets[vc];
			}
		}
	for (int way = 0; way < 4; way++)
		for (int end = 0; end < 2; end++) {
			/* we read IN_NW as into the network, from the NIC, and OUT_NW as out
			 * of it */
			int from = way / 2 + (way % 2 == 0 ? 2 : 0);
			int64_t rate = nic[2 * from + end];

			for (int ptile = 0; ptile < PTILES; ptile++)
				ptiles[ptile * PTILE_COUNTERS + 2 * way + end] += rate / PTILES;
		}
}

/* What comes in by the links of a router, one tile a link (more links than tiles share them). */
static void add_links(const struct counter_flows *flows, int router, int64_t *stalls,
		      int64_t *ntiles)
{
	const struct topo_graph *graph = flows->graph;
	int vertex = flows->topo->nnodes + router, nlinks = 0;

	for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
		const struct channel_rate *rate = &flows->rates[graph->channel[i] ^ 1];
		int tile = nlinks % NTILES;

		if (graph->peer[i] < flows->topo->nnodes)
			continue;
		nlinks++;
		for (int vc = 0; vc < VCS; vc++) {
			ntiles[tile * NTILE_COUNTERS + 2 * vc] += rate->flits[vc];
			ntiles[tile * NTILE_COUNTERS + 2 * vc + 1] += rate->packets[vc];
		}
		stalls[tile] += rate->stalls;
	}
}

static void rates(const struct counter_layout *layout, const struct counter_flows *flows,
		  int64_t *rates)
{
	const struct topo *topo = flows->topo;
	int *nnodes_of = xcalloc((size_t)topo->nrouters, sizeof(*nnodes_of));
	int *done = xcalloc((size_t)topo->nrouters, sizeof(*done));

	memset(rates, 0, (size_t)layout->ncounters * sizeof(*rates));
	for (int node = 0; node < topo->nnodes; node++)
		nnodes_of[topo->router_of[node]]++;
	for (int node = 0; node < topo->nnodes; node++) {
		int router = topo->router_of[node];
		int64_t *unit = rates + layout->units.at[router].first;

		add_node(flows, node, unit + done[router]++ * NIC_COUNTERS,
			 unit + ptile_first(nnodes_of[router]));
	}
	for (int router = 0; router < topo->nrouters; router++) {
		int64_t *unit = rates + layout->units.at[router].first;
		int nnodes = nnodes_of[router];

		if (nnodes > 0)
			add_links(flows, router, unit + stall_first(nnodes),
				  unit + ntile_first(nnodes));
	}
	free(nnodes_of);
	free(done);
}

const struct counter_source source_aries = {"aries", layout_aries_open, rates};
