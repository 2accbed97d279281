/* crew_open.c - opening and closing the partitions of a simulation */
#include "sim/network/crew_priv.h"

#include <stdlib.h>

#include "sim/network/partition.h"

/* The link's, of a crossbar's port. */
static int32_t channel_of(const struct net *net, int32_t port)
{
	return port < net->plan.nchannels ? port : port - net->plan.nchannels;
}

static int part_of_end(const struct net *net, int32_t end)
{
	if (net->partition.of_router == NULL)
		return 0;
	return net->partition.of_router[end >= 0 ? end : net->plan.topo->router_of[-1 - end]];
}

int crew_part_of_port(const struct net *net, int32_t port)
{
	return part_of_end(net, net_end_of(net, channel_of(net, port) ^ 1));
}

/* Ports of which either end is here, and nodes. A routing that knows loads elsewhere is told
 * them by all ports. */
static bool is_port_here(const struct net *net, int from, int to)
{
	return net_part_is_here(net, from) || net_part_is_here(net, to) || net->published != NULL;
}

void crew_deal_out(struct net **parts, int nparts)
{
	struct net *net = parts[0];

	for (int i = 0; i < nparts; i++)
		credits_close(&parts[i]->credits);
	for (int32_t c = 0; c < (int32_t)net_ports_count(net); c++) {
		int from = crew_part_of_port(net, c);
		int to = part_of_end(net, net_end_of(net, channel_of(net, c)));

		if (!is_port_here(net, from, to))
			continue;
		net_port_open(net, c, parts[from]->credits.n,
			      c < net->plan.nchannels && from != to);
		if (net_port_has_ring(net, c))
			parts[from]->credits.n += 1U << RING_BITS;
	}
	for (int i = 0; i < nparts; i++)
		credits_open(&parts[i]->credits, parts[i]->credits.n);
	for (int32_t node = 0; node < net->plan.topo->nnodes; node++)
		if (net_part_is_here(net, net_part_of(net, node))) {
			net_nics_open_node(net, node);
			net_agenda_open_node(net, node);
		}
	net->partition.is_dealt_out = true;
}

static int open_part(struct crew *crew, int number, struct err *err)
{
	struct net *part = xmalloc(sizeof(*part));
	const struct net *net = crew->parts[0];

	*part = *net;
	part->partition.number = number;
	part->partition.coming = (struct coming){0};
	part->partition.serials = xcalloc((size_t)crew->nparts, sizeof(uint32_t));
	part->credits = (struct credit_rings){0};
	packets_open(&part->packets);
	messages_open(&part->messages);
	net_agenda_open_part(part);
	part->counts.totals = NULL;
	part->counts.hops_of = NULL;
	part->counts.hops_cap = 0;
	part->ports.ntouched = part->nics.ncopiers = 0;
	net_wheel_open(part);
	part->ports.touched = xmalloc((net_ports_count(net) + 1) * sizeof(*part->ports.touched));
	part->nics.copiers =
		xmalloc(((size_t)net->plan.topo->nnodes + 1) * sizeof(*part->nics.copiers));
	net_injection_open_part(part);
	net_published_open_part(part, net);
	crew->parts[number] = part;
	return forward_open_part(part, net, err);
}

/* The least time that sending so many bytes takes, by a link or through a crossbar. */
static int64_t least_ps(const struct net *net, int32_t bytes)
{
	const struct net_level *crossbar = &net->plan.levels[TOPO_LEVELS];
	int64_t least = INT64_MAX;

	for (int level = 0; level < net->plan.topo->nlevels; level++) {
		int64_t takes = level_ps(&net->plan.levels[level], bytes);

		if (level != LINK_NODE && takes < least)
			least = takes;
	}
	if (net->ports.inputs != NULL && level_ps(crossbar, bytes) < least)
		least = level_ps(crossbar, bytes);
	return least;
}

/* Packets of fewer bytes may take less than that. */
static int32_t bytes_that_take(const struct net *net, int64_t time_ps)
{
	int32_t least = 0, most = INT32_MAX;

	while (least < most) {
		int32_t bytes = least + (most - least) / 2;

		if (least_ps(net, bytes) < time_ps)
			least = bytes + 1;
		else
			most = bytes;
	}
	return most;
}

/* How long what one partition does cannot reach another one. */
static void plan_windows(struct net *net, struct crew *crew, int64_t cut_ps)
{
	int64_t router_ps = net->plan.params->router_delay_ps;
	int64_t credit_ps = net->plan.params->credit_delay_ps;

	crew->window_ps = crew->long_ps = cut_ps;
	if (cut_ps == INT64_MAX)
		return;
	crew->window_ps += router_ps < credit_ps ? router_ps : credit_ps;
	crew->long_ps += router_ps;
	net->partition.short_bytes = bytes_that_take(net, router_ps - credit_ps);
}

void crew_close(struct net *net)
{
	struct crew *crew = net->partition.crew;
	size_t n = crew == NULL ? 0 : (size_t)crew->nparts;

	if (crew == NULL)
		return;
	crew_stop_threads(crew);
	for (int i = 1; i < crew->nparts; i++) {
		if (crew->parts[i] == NULL)
			continue;
		net_part_close(crew->parts[i]);
		net_published_close_part(crew->parts[i]);
		forward_close_part(&crew->parts[i]->forward);
		free(crew->parts[i]);
	}
	for (size_t i = 0; i < 2 * n * n; i++)
		mail_bag_free(&crew->bags[i]);
	xlarge_free(crew->bags, 2 * n * n * sizeof(*crew->bags));
	xlarge_free(crew->members, n * sizeof(*crew->members));
	crew_post_close(crew);
	free(crew->parts);
	free(crew->part_of);
	free(crew->part_of_channel);
	free(crew);
	free(net->partition.serials);
	net->partition.serials = NULL;
	net->partition.crew = NULL;
	net->partition.of_router = net->partition.of_channel = NULL;
}

static int open_crew(struct net *net, struct crew *crew, int nthreads, struct err *err)
{
	size_t n = (size_t)crew->nparts;
	int status = 0, nhere;

	net->partition.crew = crew;
	net->partition.of_router = crew->part_of;
	crew->part_of_channel =
		xmalloc((size_t)net->plan.nchannels * sizeof(*crew->part_of_channel));
	for (int32_t c = 0; c < net->plan.nchannels; c++)
		crew->part_of_channel[c] = (int16_t)crew_part_of_port(net, c);
	net->partition.of_channel = crew->part_of_channel;
	crew->parts = xcalloc(n, sizeof(*crew->parts));
	crew->members = xlarge(n * sizeof(*crew->members));
	crew->bags = xlarge(2 * n * n * sizeof(*crew->bags));
	crew->parts[0] = net;
	net->partition.serials = xcalloc(n, sizeof(uint32_t));
	nhere = crew->behind - crew->first;
	crew_start_threads(crew, nthreads < nhere ? nthreads : nhere < 1 ? 1 : nhere);
	for (int i = 1; i < crew->nparts && status == 0; i++)
		status = open_part(crew, i, err);
	if (status != 0)
		return -1;
	crew_deal_out(crew->parts, crew->nparts);
	return 0;
}

/* Partitions are dealt out evenly, in their order. */
static void deal_out_parts(struct crew *crew, struct processes *processes)
{
	crew->processes = processes;
	crew->first = crew_first_of(crew, processes_number(processes));
	crew->behind = crew_first_of(crew, processes_number(processes) + 1);
}

int net_split(struct net *net, int nparts, int nthreads, struct processes *processes,
	      struct err *err)
{
	int64_t latency_ps[TOPO_LEVELS] = {0}, cut_ps;
	struct crew *crew;

	for (int i = 0; i < net_nparts(net); i++)
		net_part_reset(net_part(net, i));
	crew_close(net);
	net->partition.is_dealt_out = false;
	nparts = nparts > net->plan.topo->nrouters ? net->plan.topo->nrouters : nparts;
	if (nparts < 2)
		return 1;
	crew = xcalloc(1, sizeof(*crew));
	crew->part_of = xmalloc(((size_t)net->plan.topo->nrouters + 1) * sizeof(*crew->part_of));
	for (int level = 0; level < net->plan.topo->nlevels; level++)
		latency_ps[level] = net->plan.levels[level].latency_ps;
	crew->nparts =
		partition_routers(net->plan.topo, latency_ps, nparts, crew->part_of, &cut_ps);
	plan_windows(net, crew, cut_ps);
	if (crew->nparts < 2 || crew->window_ps < 1) {
		free(crew->part_of);
		free(crew);
		return 1;
	}
	deal_out_parts(crew, processes);
	crew_post_open(crew);
	return open_crew(net, crew, nthreads, err) != 0 ? -1 : crew->nparts;
}
