/* counter_flows.c - flat flows of jobs, booked on every channel of their routes */
#include <math.h>
#include <stdlib.h>

#include "traffic/counters/counter_samples.h"

/* A packet of 64 bytes is five flits: one header and four of data. Its answer is one flit. A fetch
 * asks by one flit and is answered by five. Bytes = 16 × (flits − packets), as gpcdr counts. */
enum { PACKET_FLITS = 5 };

enum direction { REQUEST = 0, RESPONSE = 4 };

int counter_flows_open(struct counter_flows *flows, struct topo *topo, const char *routing,
		       double stalls_per_flit, int most_partners, struct err *err)
{
	*flows = (struct counter_flows){.topo = topo,
					.graph = topo_graph(topo),
					.stalls_per_flit = stalls_per_flit,
					.most_partners = most_partners};
	flows->rates = xcalloc(2 * (size_t)flows->graph->nlinks, sizeof(*flows->rates));
	return routing_open(&flows->routing, topo, routing, err);
}

void counter_flows_close(struct counter_flows *flows)
{
	if (flows->routing != NULL)
		routing_close(flows->routing);
	free(flows->rates);
	vec_free(&flows->path);
}

static bool is_terminal(const struct counter_flows *flows, int channel)
{
	return flows->graph->links[channel / 2].a < flows->topo->nnodes ||
	       flows->graph->links[channel / 2].b < flows->topo->nnodes;
}

/* One direction of a flow on the channels of flows->path. A route that leaves its first router
 * stalls there too: at the tile of the link that it leaves by, which is that channel's
 * back side. */
static void book(struct counter_flows *flows, enum direction direction, int64_t flits,
		 int64_t packets)
{
	int64_t stalls = llround((double)flits * flows->stalls_per_flit);
	int nhops = 0;

	for (size_t i = 0; i < flows->path.n; i++) {
		int channel = flows->path.at[i], vc = direction + (nhops < 3 ? nhops : 3);
		struct channel_rate *rate = &flows->rates[channel];

		rate->flits[vc] += flits;
		rate->packets[vc] += packets;
		if (is_terminal(flows, channel))
			continue;
		rate->stalls += stalls;
		if (nhops++ == 0)
			flows->rates[channel ^ 1].stalls += stalls;
	}
}

static int route(struct counter_flows *flows, int from, int to, struct err *err)
{
	char name[2][TOPO_NAME];

	flows->path.n = 0;
	if (route_path(flows->routing, from, to, &flows->path) >= 0)
		return 0;
	return err_set(err, "there is no route from %s to %s",
		       topo_node_name(flows->topo, from, name[0]),
		       topo_node_name(flows->topo, to, name[1]));
}

/* Packets one way and their answers back. answer: flits of each. */
static int add_flow(struct counter_flows *flows, int from, int to, int64_t packets, int ask,
		    int answer, struct err *err)
{
	if (route(flows, from, to, err) != 0)
		return -1;
	book(flows, REQUEST, packets * ask, packets);
	if (route(flows, to, from, err) != 0)
		return -1;
	book(flows, RESPONSE, packets * answer, packets);
	return 0;
}

static int64_t to_rate(double per_s)
{
	return llround(ldexp(per_s, RATE_BITS));
}

/* The traffic of a node that is alone in its job: to its router and back, as I/O would be. */
static void add_alone(struct counter_flows *flows, int node, double intensity, int sign)
{
	int64_t packets = sign * to_rate(intensity / (2 * PACKET_FLITS + 2));
	int channel = flows->graph->channel[flows->graph->first[node]];

	for (int way = 0; way < 2; way++) {
		struct channel_rate *rate = &flows->rates[channel ^ way];

		rate->flits[REQUEST] += packets * PACKET_FLITS;
		rate->packets[REQUEST] += packets;
		rate->flits[RESPONSE] += packets;
		rate->packets[RESPONSE] += packets;
	}
}

/* GPCNeT's RMA broadcast: all others fetch from the first node, which is the hot one. */
static int add_broadcast(struct counter_flows *flows, const int *nodes, int n, double intensity,
			 int sign, struct err *err)
{
	int64_t packets = sign * to_rate(intensity / (PACKET_FLITS + 1));

	for (int i = 1; i < n; i++)
		if (add_flow(flows, nodes[i], nodes[0], packets, 1, PACKET_FLITS, err) != 0)
			return -1;
	return 0;
}

/* Each node sends as much to each of its partners: to all others, or, in a large job, to some that
 * are evenly spread in the order of picking. All nodes have the same number of partners. */
static int add_uniform(struct counter_flows *flows, const int *nodes, int n, double intensity,
		       int sign, struct err *err)
{
	int npartners = n - 1 < flows->most_partners ? n - 1 : flows->most_partners;
	int64_t packets = sign * to_rate(intensity / (2 * PACKET_FLITS + 2) / npartners);

	for (int i = 0; i < n; i++)
		for (int k = 0; k < npartners; k++) {
			int64_t away = 1 + (int64_t)k * (n - 1) / npartners;

			if (add_flow(flows, nodes[i], nodes[(i + away) % n], packets, PACKET_FLITS,
				     1, err) != 0)
				return -1;
		}
	return 0;
}

int counter_flows_add(struct counter_flows *flows, const struct counter_jobs *jobs,
		      const struct counter_job *job, int sign, struct err *err)
{
	const int *nodes = jobs->nodes.at + job->first;

	if (job->intensity == 0 || job->n == 0)
		return 0;
	if (job->n == 1) {
		add_alone(flows, nodes[0], job->intensity, sign);
		return 0;
	}
	return (job->is_broadcast ? add_broadcast : add_uniform)(flows, nodes, job->n,
								 job->intensity, sign, err);
}
