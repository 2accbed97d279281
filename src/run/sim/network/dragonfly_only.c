/* dragonfly_only.c - hops in dragonflies with one link between two groups, and one
 * between routers */
#include "base/mem.h"
#include "sim/network/dragonfly_ways.h"
#include "sim/network/hop_events.h"
#include "sim/network/hop_inject.h"

enum { ONLY_MOST = 1 << 24 };

/* The only channels, from those within groups and between them. */
void dragonfly_only_open(struct dragonfly_ways *ways, const struct topo *topo)
{
	const struct dragonfly *df = ways->df;
	int64_t width = df->groups + df->routers;

	if (df->links != 1 || df->row_links != 1 || df->column_links != 1 ||
	    topo->nrouters * width > ONLY_MOST)
		return;
	ways->nonly = (int32_t)width;
	ways->only = xmalloc((size_t)(topo->nrouters * width) * sizeof(*ways->only));
	ways->gate_hops = xcalloc((size_t)(topo->nrouters * width), sizeof(*ways->gate_hops));
	for (int r = 0; r < topo->nrouters; r++) {
		int32_t *only = &ways->only[r * width];
		struct place at = ways->at[r];
		const int32_t *local = &ways->local[at.in * df->routers];
		int32_t of_group = at.group * ways->local_channels;

		for (int g = 0; g < df->groups; g++) {
			const struct gate *gate = gates_between(&ways->gates, at.group, g);

			only[g] = gate->in == at.in ? gate->channel : local[gate->in] + of_group;
			ways->gate_hops[r * width + g] =
				(uint8_t)gates_local_hops(&ways->gates, at.in, gate->in);
		}
		for (int i = 0; i < df->routers; i++)
			only[df->groups + i] = local[i] + of_group;
	}
}

/* Where the channel towards a group stands in the tables. */
HOP size_t only_at(const struct dragonfly_ways *ways, int router, int group)
{
	return (size_t)router * (size_t)ways->nonly + (size_t)group;
}

/* Where the only channel towards a router stands in the table. */
HOP size_t only_place(const struct dragonfly_ways *ways, int router, int32_t own, int to)
{
	struct place end = ways->at[to];

	return (size_t)router * (size_t)ways->nonly +
	       (size_t)(end.group == own ? ways->gates.groups + end.in : end.group);
}

#define ONLY_OUT SIZE_MAX

/* Where packet->onward stands in the table; ONLY_OUT: it is the last channel. */
HOP size_t only_find(const struct dragonfly_ways *ways, int router, const struct packet *packet)
{
	int32_t own = ways->at[router].group, to = packet->router;

	if (!(packet->flags & IS_UNDECIDED) && packet->detour != NOBODY) {
		int32_t group = -2 - packet->detour;

		if (group >= 0 && group != own)
			return only_at(ways, router, group);
		if (group < 0 && packet->detour != router)
			to = packet->detour;
		else if (router == to)
			return ONLY_OUT;
	} else if (router == to) {
		return ONLY_OUT;
	}
	return only_place(ways, router, own, to);
}

HOP int32_t only_onward(struct net *net, int router, const struct packet *packet)
{
	const struct dragonfly_ways *ways = net->forward.state;
	size_t place = only_find(ways, router, packet);

	return place == ONLY_OUT ? packet->out : ways->only[place];
}

/* The group that a packet with this key may go by between two others. */
HOP int32_t only_draw(const struct net *net, int32_t key, int from, int to)
{
	const struct dragonfly_ways *ways = net->forward.state;

	return net_draw_beside(net, key, 0, ways->gates.groups, from, to);
}

/* Whether a packet may look at a detour by another group at router, its first; *group: which. */
HOP bool only_looks(const struct net *net, int router, const struct packet *packet, int32_t *group)
{
	const struct dragonfly_ways *ways = net->forward.state;
	int from = ways->at[router].group, to = ways->at[packet->router].group;

	if (packet->nhops > 0 || !(packet->flags & IS_UNDECIDED) || !ways->looks_first ||
	    from == to || ways->gates.groups < 3)
		return false;
	*group = only_draw(net, dragonfly_key(net, packet), from, to);
	return true;
}

HOP void only_touch(const struct net *net, int router, struct packet *packet)
{
	const struct dragonfly_ways *ways = net->forward.state;
	size_t place = only_find(ways, router, packet);
	int32_t group;

	if (place == ONLY_OUT)
		return;
	__builtin_prefetch(&ways->only[place]);
	if (!only_looks(net, router, packet, &group))
		return;
	__builtin_prefetch(&ways->only[only_at(ways, router, group)]);
	__builtin_prefetch(gates_between(&ways->gates, group, ways->at[router].group));
	__builtin_prefetch(&ways->gate_hops[only_at(ways, router, group)]);
	__builtin_prefetch(&ways->gate_hops[only_at(ways, packet->router, group)]);
}

/* packet->aside is not used: the table is near now. */
HOP int32_t only_aside(struct net *net, int router, struct packet *packet)
{
	const struct dragonfly_ways *ways = net->forward.state;
	int32_t group;

	return only_looks(net, router, packet, &group) ? ways->only[only_at(ways, router, group)]
						       : NOBODY;
}

int32_t dragonfly_only_onward(struct net *net, int router, const struct packet *packet)
{
	return only_onward(net, router, packet);
}

HOP int only_gate_hops(const struct dragonfly_ways *ways, int router, int group)
{
	return ways->gate_hops[only_at(ways, router, group)];
}

/* Of the minimal path between routers of two groups. */
HOP int only_hops(const struct dragonfly_ways *ways, int from, int from_group, int to, int to_group)
{
	return only_gate_hops(ways, from, to_group) + 1 + only_gate_hops(ways, to, from_group);
}

/* As dragonfly_decide, of UGAL with one candidate, which is a group, where the minimal channel is
 * not idle. */
HOP int32_t only_decide(struct net *net, const struct dragonfly_ways *ways, int router,
			struct packet *packet, int32_t direct)
{
	int to = packet->router, from_group = ways->at[router].group, by, hops;
	int to_group = ways->at[to].group;
	int64_t load, direct_load = port_backlog(net, ports_small(&net->ports, direct));
	int32_t group, channel;

	if (direct_load == 0 || ways->gates.groups < 3)
		return direct;
	dragonfly_make_key(net, packet);
	group = only_draw(net, packet->detour, from_group, to_group);
	channel = ways->only[only_at(ways, router, group)];
	load = port_backlog(net, ports_small(&net->ports, channel));
	by = group * ways->gates.routers + gates_between(&ways->gates, group, from_group)->in;
	hops = only_gate_hops(ways, router, group) + 1 + only_hops(ways, by, group, to, to_group);
	if (detour_is_minimal(&ways->detours, direct_load,
			      only_hops(ways, router, from_group, to, to_group), load, hops))
		return direct;
	packet->detour = -2 - group;
	packet->flags = (uint8_t)((packet->flags | IS_NONMINIMAL) & ~IS_UNDECIDED);
	return channel;
}

HOP int32_t only_next(struct net *net, int router, struct packet *packet, int *vc)
{
	const struct dragonfly_ways *ways = net->forward.state;
	int32_t channel = packet->onward;

	*vc = 0;
	if (channel == packet->out)
		return channel;
	if (packet->nhops == 1 && ways->detours.kind != DETOUR_NONE) {
		const struct port *port = ports_small(&net->ports, channel);

		if (!ways->looks_first)
			channel = dragonfly_decide(net, ways, router, packet, channel);
		else if (port->queued > 0 || port->free_ps > net->run.now)
			channel = ways->at[router].group == ways->at[packet->router].group
					  ? dragonfly_decide(net, ways, router, packet, channel)
					  : only_decide(net, ways, router, packet, channel);
	}
	dragonfly_settle(packet);
	if (packet->detour != NOBODY) {
		if (packet->detour == router) {
			packet->detour = NOBODY;
			packet->phase++;
		} else if (packet->detour == -2 - ways->at[router].group) {
			packet->detour = NOBODY;
		}
	}
	*vc = packet->phase;
	packet->phase += ports_small(&net->ports, channel)->level == LEVEL_GLOBAL;
	return channel;
}

HOP_RUNS(run, HOP_SMALL, only_next, dragonfly_begin, only_onward, only_touch, only_aside)

static int64_t send(struct net *net, const struct net_message *message)
{
	return hop_inject(net, message, HOP_SMALL, dragonfly_ends, dragonfly_begin, only_onward);
}

const struct forward_hops dragonfly_only_hops = {{run_small, run_large, run_far}, send};
