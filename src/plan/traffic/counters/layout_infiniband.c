/* layout_infiniband.c - LDMS ibmad: ports of host adapters and of switches */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/counters/counter_samples.h"

/* Data are counted in words of four bytes; a flit is taken as 16 bytes. Of switches only the
 * waiting is sampled: what they carry is in the nodes' counters already. A port waits where an
 * Aries tile would stall. */
enum { XMIT_DATA, RCV_DATA, XMIT_PACKETS, RCV_PACKETS, XMIT_WAIT, PORT_COUNTERS, FLIT_WORDS = 4 };
enum { NODE_SCHEMA, SWITCH_SCHEMA };

static void add_port(struct counter_layout *layout, const char *producer, int64_t component,
		     bool is_node, int port)
{
	struct counter_row row = {.producer = xstrdup(producer),
				  .text = xasprintf(",%s,%d", is_node ? "hca0" : "switch", port),
				  .component = component,
				  .schema = is_node ? NODE_SCHEMA : SWITCH_SCHEMA,
				  .unit = (int)layout->units.n};

	vec_push(&layout->rows, row);
	vec_push(&layout->units, (struct counter_unit){layout->ncounters, PORT_COUNTERS});
	layout->ncounters += PORT_COUNTERS;
}

static void layout_infiniband_open(struct counter_layout *layout, const struct counter_flows *flows,
				   const struct layout_options *options)
{
	const struct topo *topo = flows->topo;
	const struct topo_graph *graph = flows->graph;
	struct counter_schema nodes = {0}, switches = {0};
	char name[TOPO_NAME];

	(void)options;
	buf_str(&nodes.header, ",ca_name,port,port_xmit_data,port_rcv_data,port_xmit_packets,"
			       "port_rcv_packets,port_xmit_wait");
	for (int i = 0; i < PORT_COUNTERS; i++)
		vec_push(&nodes.cells, i);
	vec_push(&layout->schemas, nodes);
	buf_str(&switches.header, ",ca_name,port,port_xmit_wait");
	vec_push(&switches.cells, XMIT_WAIT);
	vec_push(&layout->schemas, switches);
	for (int vertex = 0; vertex < topo_nvertices(topo); vertex++) {
		bool is_node = vertex < topo->nnodes;
		const char *producer =
			is_node ? topo_node_name(topo, vertex, name)
				: topo_router_name(topo, vertex - topo->nnodes, name);
		int port = 0;

		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			port++;
			if (is_node || graph->peer[i] >= topo->nnodes)
				add_port(layout, producer, vertex, is_node, port);
		}
	}
}

static int64_t sum(const int64_t at[VCS])
{
	int64_t total = 0;

	for (int vc = 0; vc < VCS; vc++)
		total += at[vc];
	return total;
}

static void rates(const struct counter_layout *layout, const struct counter_flows *flows,
		  int64_t *rates)
{
	const struct topo *topo = flows->topo;
	const struct topo_graph *graph = flows->graph;
	size_t unit = 0;

	for (int vertex = 0; vertex < topo_nvertices(topo); vertex++)
		for (int64_t i = graph->first[vertex]; i < graph->first[vertex + 1]; i++) {
			const struct channel_rate *out = &flows->rates[graph->channel[i]];
			const struct channel_rate *in = &flows->rates[graph->channel[i] ^ 1];
			int64_t *at;

			if (vertex >= topo->nnodes && graph->peer[i] < topo->nnodes)
				continue;
			at = rates + layout->units.at[unit++].first;
			at[XMIT_DATA] = FLIT_WORDS * sum(out->flits);
			at[RCV_DATA] = FLIT_WORDS * sum(in->flits);
			at[XMIT_PACKETS] = sum(out->packets);
			at[RCV_PACKETS] = sum(in->packets);
			at[XMIT_WAIT] = in->stalls;
		}
}

const struct counter_source source_infiniband = {"infiniband", layout_infiniband_open, rates};
