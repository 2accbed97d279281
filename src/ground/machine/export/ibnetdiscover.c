/* ibnetdiscover.c - a machine as ibnetdiscover prints a fabric, which ibsim simulates */
#include <inttypes.h>
#include <stdlib.h>

#include "machine/export/exporter.h"
#include "base/die.h"
#include "formats/ib/ibnet.h"
#include "model/topo_type.h"

/*
 * Port p of a vertex is the p-th of its cables, by the other end and then in input order. GUIDs
 * are made of the vertices' numbers; a port's is that of its device and the port's number. No
 * subnet manager was there yet, so all LIDs are 0.
 */
static const uint64_t ca_guids = 0x0001000000000000, switch_guids = 0x0002000000000000;

struct fabric {
	struct topo *topo;
	const struct topo_graph *graph;
	int32_t *port;                       /* [2·nlinks] where a channel begins */
	char rates[TOPO_LEVELS][IBNET_RATE]; /* "4xQDR", "" */
	struct out *out;
};

static uint64_t guid_of(const struct fabric *fabric, int v)
{
	return v < fabric->topo->nnodes ? ca_guids | (uint64_t)v << 8
					: switch_guids | (uint64_t)(v - fabric->topo->nnodes) << 8;
}

static const char *name_of(const struct fabric *fabric, int v, char text[TOPO_NAME])
{
	int nnodes = fabric->topo->nnodes;

	return v < nnodes ? topo_node_name(fabric->topo, v, text)
			  : topo_router_name(fabric->topo, v - nnodes, text);
}

static int find_ports(struct fabric *fabric, struct err *err)
{
	const struct topo_graph *graph = fabric->graph;

	for (int v = 0; v < topo_nvertices(fabric->topo); v++) {
		char text[TOPO_NAME];

		if (graph->first[v + 1] - graph->first[v] > IBNET_PORT_MOST)
			return err_set(err,
				       "ibnetdiscover: '%s' has %lld cables; a device of "
				       "InfiniBand has at most %d ports",
				       name_of(fabric, v, text),
				       (long long)(graph->first[v + 1] - graph->first[v]),
				       IBNET_PORT_MOST);
		for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++)
			fabric->port[graph->channel[i]] = (int32_t)(i - graph->first[v]) + 1;
	}
	return 0;
}

static void find_rates(struct fabric *fabric)
{
	const struct topo *topo = fabric->topo;

	for (int level = LINK_TERMINAL; level < topo->nlevels; level++)
		if (!ibnet_rate_name(topo->levels[level].bandwidth, fabric->rates[level]))
			warn("ibnetdiscover: the bandwidth of the level %s, %g bytes/s, is not a "
			     "rate of InfiniBand and is left out",
			     topo->levels[level].name, topo->levels[level].bandwidth);
}

static void write_id(const struct fabric *fabric, int v)
{
	out_printf(fabric->out, "\"%c-%016" PRIx64 "\"", v < fabric->topo->nnodes ? 'H' : 'S',
		   guid_of(fabric, v));
}

/* [5]	"S-0002000000000000"[7]		# "r0" lid 0 4xSDR, and of adapters
 * [1](1000000000001) 	"S-0002000000000000"[1]		# lid 0 lmc 0 "r0" lid 0 4xSDR */
static void write_port(const struct fabric *fabric, int v, int64_t i)
{
	const struct topo_graph *graph = fabric->graph;
	int32_t channel = graph->channel[i];
	const char *rate = fabric->rates[graph->links[channel / 2].level];
	int peer = graph->peer[i], port = fabric->port[channel];
	bool is_ca = v < fabric->topo->nnodes, is_peer_ca = peer < fabric->topo->nnodes;
	char text[TOPO_NAME];

	out_printf(fabric->out, "[%d]", port);
	if (is_ca)
		out_printf(fabric->out, "(%" PRIx64 ") ", guid_of(fabric, v) + (uint64_t)port);
	out_char(fabric->out, '\t');
	write_id(fabric, peer);
	out_printf(fabric->out, "[%d]", fabric->port[channel ^ 1]);
	if (is_peer_ca)
		out_printf(fabric->out, "(%" PRIx64 ") ",
			   guid_of(fabric, peer) + (uint64_t)fabric->port[channel ^ 1]);
	out_printf(fabric->out, "\t\t# %s\"%s\" lid 0%s%s\n", is_ca ? "lid 0 lmc 0 " : "",
		   name_of(fabric, peer, text), rate[0] != '\0' ? " " : "", rate);
}

static void write_vertex(const struct fabric *fabric, int v)
{
	const struct topo_graph *graph = fabric->graph;
	bool is_ca = v < fabric->topo->nnodes;
	uint64_t guid = guid_of(fabric, v);
	char text[TOPO_NAME];

	out_printf(fabric->out, "vendid=0x0\ndevid=0x0\nsysimgguid=0x%" PRIx64 "\n", guid);
	out_printf(fabric->out, "%sguid=0x%" PRIx64, is_ca ? "ca" : "switch", guid);
	if (!is_ca)
		out_printf(fabric->out, "(%" PRIx64 ")", guid);
	out_printf(fabric->out, "\n%s\t%lld ", is_ca ? "Ca" : "Switch",
		   (long long)(graph->first[v + 1] - graph->first[v]));
	write_id(fabric, v);
	out_printf(fabric->out, "\t\t# \"%s\"%s\n", name_of(fabric, v, text),
		   is_ca ? "" : " base port 0 lid 0 lmc 0");
	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++)
		write_port(fabric, v, i);
	out_char(fabric->out, '\n');
}

static int write(struct topo *topo, struct out *out, const struct topo_export *how, struct err *err)
{
	struct fabric fabric = {.topo = topo, .graph = topo_graph(topo), .out = out};
	int status;

	(void)how;
	fabric.port = xcalloc((size_t)fabric.graph->nlinks * 2 + 1, sizeof(*fabric.port));
	status = find_ports(&fabric, err);
	if (status == 0) {
		find_rates(&fabric);
		for (int router = 0; router < topo->nrouters; router++)
			write_vertex(&fabric, topo->nnodes + router);
		for (int node = 0; node < topo->nnodes; node++)
			write_vertex(&fabric, node);
	}
	free(fabric.port);
	return status;
}

const struct topo_exporter topo_exporter_ibnetdiscover = {
	.entry =
		{
			.name = "ibnetdiscover",
			.summary = "an InfiniBand fabric as ibnetdiscover prints it, each router a "
				   "switch and each node an adapter, which ibsim(1) simulates",
			.example = "ibnetdiscover",
		},
	.write = write,
};
