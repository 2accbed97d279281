/* net_collect.c - what the partitions of several processes have counted, for each process */
#include <stdlib.h>

#include "base/parcel.h"
#include "sim/network/crew_priv.h"

/* Of a partition; the totals follow, [services · owners]. */
struct part_counts {
	int64_t nmade, ncome, nopen, nevents;
	int32_t part;
};

/* Of a channel whose sending end is in a partition; what went by each VC follows, where that is
 * counted. */
struct channel_counts {
	int64_t bytes;
	int32_t npackets, channel;
};

/* Of a channel whose far end is in a partition. */
struct channel_stall {
	int64_t total_ps;
	int32_t channel;
};

static size_t totals_bytes(const struct net *net)
{
	return (size_t)net->counts.nowners * NET_SERVICES * sizeof(*net->counts.totals);
}

static size_t vcs_bytes(const struct net *net)
{
	return net->counts.vcs == NULL ? 0 : (size_t)net->plan.nvcs * sizeof(*net->counts.vcs);
}

static struct vc_count *vcs_of(const struct net *net, int32_t channel)
{
	return &net->counts.vcs[(size_t)channel * (size_t)net->plan.nvcs];
}

static int part_of_far_end(const struct net *net, int32_t channel)
{
	return net->partition.of_channel[channel ^ 1];
}

/* ---- out ---- */

static void put_parts(const struct net *net, const struct crew *crew, struct parcel *parcel)
{
	for (int i = crew->first; i < crew->behind; i++) {
		const struct net *part = crew->parts[i];
		const struct part_counts counts = {.nmade = part->packets.nmade,
						   .ncome = part->packets.ncome,
						   .nopen = part->messages.nopen,
						   .nevents = part->run.nevents,
						   .part = i};

		parcel_put(parcel, &counts, sizeof(counts));
		parcel_put(parcel, part->counts.totals, totals_bytes(net));
	}
}

static void put_channels(const struct net *net, const struct crew *crew, struct parcel *parcel)
{
	for (int32_t channel = 0; channel < (int32_t)net->plan.nchannels; channel++) {
		const struct port *port = port_of(net, channel);
		const struct channel_counts counts = {port->bytes, port->npackets, channel};

		if (port->npackets == 0 || !crew_has(crew, net->partition.of_channel[channel]))
			continue;
		parcel_put(parcel, &counts, sizeof(counts));
		if (net->counts.vcs != NULL)
			parcel_put(parcel, vcs_of(net, channel), vcs_bytes(net));
	}
}

static void put_stalls(const struct net *net, const struct crew *crew, struct parcel *parcel)
{
	for (int32_t channel = 0; channel < (int32_t)net->plan.nchannels; channel++) {
		const struct channel_stall stall = {
			stall_total(&net->counts.stalls[channel], net->run.now), channel};

		if (stall.total_ps != 0 && crew_has(crew, part_of_far_end(net, channel)))
			parcel_put(parcel, &stall, sizeof(stall));
	}
}

/* ---- in ---- */

static void take_parts(const struct net *net, const struct crew *crew, struct parcel *parcel)
{
	while (!parcel_is_empty(parcel)) {
		struct part_counts counts;
		struct net *part;

		parcel_take(parcel, &counts, sizeof(counts));
		part = crew->parts[counts.part];
		part->packets.nmade = counts.nmade;
		part->packets.ncome = counts.ncome;
		part->messages.nopen = counts.nopen;
		part->run.nevents = counts.nevents;
		parcel_take(parcel, part->counts.totals, totals_bytes(net));
	}
}

/* What a run leaves in a port is put back if it is touched. */
static void touch(struct net *net, int32_t channel)
{
	if (!port_of(net, channel)->is_touched)
		ports_touch(&net->ports, channel);
}

static void take_channels(struct net *net, struct parcel *parcel)
{
	while (!parcel_is_empty(parcel)) {
		struct channel_counts counts;
		struct port *port;

		parcel_take(parcel, &counts, sizeof(counts));
		touch(net, counts.channel);
		port = port_of(net, counts.channel);
		port->bytes = counts.bytes;
		port->npackets = counts.npackets;
		if (net->counts.vcs != NULL)
			parcel_take(parcel, vcs_of(net, counts.channel), vcs_bytes(net));
	}
}

static void take_stalls(struct net *net, const struct crew *crew, struct parcel *parcel)
{
	while (!parcel_is_empty(parcel)) {
		struct channel_stall stall;

		parcel_take(parcel, &stall, sizeof(stall));
		if (crew_has(crew, part_of_far_end(net, stall.channel)))
			continue;
		touch(net, stall.channel);
		net->counts.stalls[stall.channel] = (struct stall){.total_ps = stall.total_ps};
	}
}

void net_collect(struct net *net)
{
	struct crew *crew = net->partition.crew;
	struct parcel parcel = {0};

	if (net_processes(net) == NULL || net->partition.is_collected)
		return;
	net->partition.is_collected = true;
	put_parts(net, crew, &parcel);
	parcel_gather(&parcel, crew->processes);
	take_parts(net, crew, &parcel);
	parcel_free(&parcel);
}

void net_collect_channels(struct net *net)
{
	struct crew *crew = net->partition.crew;
	struct parcel parcel = {0};

	if (net_processes(net) == NULL || net->partition.has_channels)
		return;
	net->partition.has_channels = true;
	put_channels(net, crew, &parcel);
	parcel_gather(&parcel, crew->processes);
	take_channels(net, &parcel);
	if (net->counts.stalls != NULL) {
		parcel_clear(&parcel);
		put_stalls(net, crew, &parcel);
		parcel_gather(&parcel, crew->processes);
		take_stalls(net, crew, &parcel);
	}
	parcel_free(&parcel);
}
