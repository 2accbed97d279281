/* net.c - the simulated network: machines, runs, events */
#include "sim/network/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/network/crew.h"
#include "sim/network/port_use.h"

/* ---- a machine ---- */

static void open_levels(struct net *net)
{
	bool is_uneven = false;
	double fastest = 0;

	for (int level = 0; level < net->plan.topo->nlevels; level++) {
		const struct sim_level *given = &net->plan.params->levels[level];

		net->plan.levels[level] = (struct net_level){
			.ps_per_byte = 1e12 / given->bandwidth,
			.bytes_per_ps = given->bandwidth / 1e12,
			.latency_ps = given->latency_ps,
			.router_ps = given->latency_ps + net->plan.params->router_delay_ps,
			.credit_ps = given->latency_ps + net->plan.params->credit_delay_ps,
		};
		if (level != LINK_NODE && given->bandwidth > fastest)
			fastest = given->bandwidth;
		is_uneven |= level > LINK_TERMINAL &&
			     given->bandwidth != net->plan.params->levels[LINK_TERMINAL].bandwidth;
	}
	if (net->plan.params->crossbar_speedup > 0)
		net->plan.levels[TOPO_LEVELS] = (struct net_level){
			.ps_per_byte = 1e12 / (fastest * net->plan.params->crossbar_speedup),
			.bytes_per_ps = fastest * net->plan.params->crossbar_speedup / 1e12};
	net->plan.router_takes = net->plan.params->is_store_and_forward ? -1 : 0;
	net->plan.node_takes = net->plan.params->is_delivered_by_head ? 0 : -1;
	net->plan.has_lag = is_uneven && !net->plan.params->is_store_and_forward &&
			    !net->plan.params->is_delivered_by_head;
}

static int check_vcs(struct net *net, struct err *err)
{
	int64_t given = net->plan.params->vcs;
	int nclasses = net->plan.params->nic_requests > 0 ? 2 : 1;
	int needed = nclasses * net->forward.nvcs;

	net->plan.nvcs = given > 0 ? (int)given : needed;
	net->plan.class_vcs = net->plan.nvcs / nclasses;
	if (needed <= net->plan.nvcs && net->plan.nvcs <= VCS_MOST)
		return 0;
	return err_set(err,
		       "routing %s needs %d virtual channels on this machine to be free of "
		       "deadlock%s; there are %d",
		       net->plan.params->routing, needed,
		       nclasses > 1 ? ", half of them for answers (nic-requests)" : "",
		       net->plan.nvcs <= VCS_MOST ? net->plan.nvcs : VCS_MOST);
}

/* About as wide as the time in which each node makes an event. */
enum { GATHERED = 16, GATHERED_FAR = 48 };

void net_wheel_open(struct net *net)
{
	int64_t width = (int64_t)1 << 22;
	int bits = 12;

	for (int64_t n = net->plan.topo->nnodes; n > 1; n /= 2)
		width /= 2;
	width = width < 1024 ? 1024 : width;
	while (bits < 17 && width << bits < (int64_t)1 << 24)
		bits++;
	wheel_open(&net->wheel, width, bits,
		   net->plan.topo->nnodes >= NET_FAR_NODES ? GATHERED_FAR : GATHERED);
}

enum { LARGE_NODES = 512 };

static enum net_reach reach_of(const struct net *net, bool is_mixed)
{
	int nnodes = net->plan.topo->nnodes;
	enum net_reach reach = nnodes < LARGE_NODES     ? NET_SMALL
			       : nnodes < NET_FAR_NODES ? NET_LARGE
							: NET_FAR;

	reach = reach > net->run.least_reach ? reach : net->run.least_reach;
	return reach == NET_FAR && !is_mixed ? NET_LARGE : reach;
}

/* Networks that need nothing special have functions of their kind. */
static void choose_hops(struct net *net)
{
	bool is_mixed = net->ports.inputs == NULL && net->counts.vcs == NULL &&
			net->counts.stalls == NULL && net->published == NULL &&
			!net->run.is_general;

	net->run.is_plain =
		is_mixed && net->copies.nnics == 1 && !net->plan.has_lag && net->nics.nheld == NULL;
	net->run.is_watched = net->counts.counts_hops || net->forward.type->end != NULL ||
			      net->plan.params->nic_receive_ps > 0;
	net->run.reach = reach_of(net, is_mixed);
	net->run.hops = net->run.is_plain ? &net->forward.type->hops
			: is_mixed        ? &net->forward.type->mixed_hops
					  : &net_any_hops;
	if (net->run.is_plain && net->forward.type->choose != NULL)
		net->run.hops = net->forward.type->choose(net);
	if (net->nics.nqueues == 1 && net->injection.nslots == 0 &&
	    net->plan.params->nic_send_ps == 0 && !net->counts.counts_hops)
		net->run.inject_most = net->plan.params->packet_bytes;
	else
		net->run.inject_most = -1;
}

/* On a large machine: nodes of each router, where those of router i stand behind those of i − 1. */
static int32_t count_per_router(const struct topo *topo)
{
	int per = 1;

	if (topo->nnodes < NET_FAR_NODES)
		return 0;
	while (per < topo->nnodes && topo->router_of[per] == 0)
		per++;
	for (int node = 0; node < topo->nnodes; node++)
		if (topo->router_of[node] != node / per)
			return 0;
	return per;
}

int net_open(struct net **result, struct topo *topo, const struct sim_params *params,
	     struct err *err)
{
	struct net *net = xcalloc(1, sizeof(*net));

	*result = NULL;
	net->plan.topo = topo;
	net->plan.params = params;
	net->plan.graph = topo_graph(topo);
	net->plan.per_router = count_per_router(topo);
	packets_open(&net->packets);
	messages_open(&net->messages);
	net->run.is_drained = true;
	net->plan.whole_packet =
		(int32_t)((params->packet_bytes + params->header_bytes + params->flit_bytes - 1) /
			  params->flit_bytes * params->flit_bytes);
	open_levels(net);
	if (net_copies_open(net, err) != 0 || forward_open(net, params->routing, err) != 0 ||
	    check_vcs(net, err) != 0) {
		net_close(net);
		return -1;
	}
	net_ports_open(net);
	net_nics_open(net);
	net_agenda_open(net);
	net_published_open(net);
	net_wheel_open(net);
	net->counts.use = port_use_new(net);
	*result = net;
	return 0;
}

void net_part_close(struct net *net)
{
	wheel_close(&net->wheel);
	coming_close(&net->partition.coming);
	free(net->partition.serials);
	free(net->ports.touched);
	free(net->nics.copiers);
	net_injection_close_part(net);
	free(net->counts.totals);
	xlarge_free(net->counts.hops_of,
		    (size_t)net->counts.hops_cap * sizeof(*net->counts.hops_of));
	credits_close(&net->credits);
	pool_close(&net->packets);
	pool_close(&net->messages);
	net_agenda_close_part(net);
}

void net_close(struct net *net)
{
	if (net == NULL)
		return;
	crew_close(net);
	forward_close(&net->forward);
	net_part_close(net);
	net_nics_close(net);
	net_copies_close(net);
	net_ports_close(net);
	free(net->counts.vcs);
	free(net->counts.stalls);
	free(net->counts.use);
	net_published_close(net);
	net_agenda_close(net);
	free(net);
}

/* ---- runs ---- */

void net_part_reset(struct net *net)
{
	net_nics_reset(net);
	net_copies_reset(net);
	net_ports_reset(net);
	net_published_reset(net);
	wheel_reset(&net->wheel);
}

/* A run that was stopped left things over. */
static void drop_all(struct net *net)
{
	pool_drop(&net->packets);
	pool_drop(&net->messages);
	net_agenda_reset(net);
	coming_clear(&net->partition.coming);
	forward_drop(net);
}

static void start(struct net *net, uint64_t draw_key, int nowners)
{
	net_part_reset(net);
	memset(net->run.events, 0, sizeof(net->run.events));
	net->run.draw_key = draw_key;
	net->run.now = 0;
	net->run.stop_ps = INT64_MAX;
	net->partition.enough_ps = -1;
	net->partition.awaits_enough = false;
	net->run.has_failed = false;
	net->packets.nmade = net->packets.ncome = net->messages.nopen = net->run.nevents = 0;
	choose_hops(net);
	net->run.counts_early = false;
	free(net->counts.totals);
	net->counts.totals =
		xcalloc((size_t)nowners * NET_SERVICES + 1, sizeof(*net->counts.totals));
	net->counts.nowners = nowners;
}

void net_start(struct net *net, uint64_t seed, const char *run, int nowners)
{
	uint64_t draw_key = rng_make(seed, "netsim", run, NULL).key;

	port_use_clear(net);

	if (!net->partition.is_dealt_out)
		crew_deal_out(&net, 1);
	for (int i = 0; i < net_nparts(net); i++) {
		if (!net->run.is_drained)
			drop_all(net_part(net, i));
		start(net_part(net, i), draw_key, nowners);
	}
	net->run.is_drained = false;
	if (net->partition.crew != NULL)
		crew_start(net);
}

void net_listen(struct net *net, enum net_service service, const struct net_events *events)
{
	net->run.events[service] = *events;
}

const int64_t *net_clock(const struct net *net)
{
	return &net->run.now;
}

int64_t net_now(const struct net *net)
{
	return net->run.now;
}

void net_stop(struct net *net, int64_t at_ps)
{
	if (at_ps < net->run.stop_ps)
		net->run.stop_ps = at_ps;
	if (at_ps < net->run.limit_ps)
		net->run.limit_ps = at_ps;
}

struct err *net_fail(struct net *net)
{
	if (net->run.has_failed)
		return NULL;
	net->run.has_failed = true;
	net->run.failed_at = (uint64_t)wheel_round(&net->wheel) << 32 | wheel_taken(&net->wheel);
	net_stop(net, net->run.now);
	return &net->run.error;
}

void net_await_enough(struct net *net)
{
	for (int i = 0; i < net_nparts(net); i++)
		net_part(net, i)->partition.awaits_enough = true;
}

void net_runs_out(struct net *net)
{
	for (int i = 0; i < net_nparts(net); i++)
		net_part(net, i)->run.counts_early = net->nics.nheld == NULL;
}

void net_enough(struct net *net, int64_t at_ps)
{
	net->partition.enough_ps = at_ps;
	if (net->partition.crew == NULL)
		net_stop(net, net_end_ps(at_ps));
}

int64_t net_notice_ps(const struct net *net)
{
	int64_t longest = 0;

	for (int level = 0; level < net->plan.topo->nlevels; level++)
		if (level != LINK_NODE && net->plan.levels[level].latency_ps > longest)
			longest = net->plan.levels[level].latency_ps;
	return longest + net->plan.params->router_delay_ps;
}

static void run_events(struct net *net)
{
	net->run.hops->run[net->run.reach](net);
}

void net_part_run(struct net *net, int64_t limit_ps)
{
	net->run.limit_ps = limit_ps < net->run.stop_ps ? limit_ps : net->run.stop_ps;
	run_events(net);
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Without partitions. Returns whether something is left to happen. */
static bool run_alone(struct net *net, int64_t until_ps)
{
	for (;;) {
		int64_t end = sooner(until_ps, net->run.stop_ps),
			publishes = net_published_next(net);

		net->run.limit_ps = publishes > end ? end : publishes - 1;
		run_events(net);
		if (!wheel_has(&net->wheel, sooner(until_ps, net->run.stop_ps))) {
			if (!wheel_has(&net->wheel, INT64_MAX))
				return false;
			net->run.next_ps = wheel_time(&net->wheel);
			return true;
		}
		net_publish(net, wheel_time(&net->wheel), NULL);
	}
}

static void set_now(struct net *net, int64_t now)
{
	for (int i = 0; i < net_nparts(net); i++)
		net_part(net, i)->run.now = now;
}

int net_run(struct net *net, int64_t until_ps, struct err *err)
{
	bool is_left;

	net->partition.is_collected = net->partition.has_channels = false;
	is_left = net->partition.crew != NULL ? crew_run(net, &until_ps) : run_alone(net, until_ps);

	if (net->run.has_failed) {
		*err = net->run.error;
		return -1;
	}
	for (int i = 0; i < net_nparts(net); i++)
		net_agenda_settle(net_part(net, i), sooner(until_ps, net->run.stop_ps));
	if (net->run.stop_ps <= until_ps && net->run.stop_ps != INT64_MAX) {
		set_now(net, net->run.stop_ps);
		return 0;
	}
	if (!is_left)
		return net_check_end(net, err);
	set_now(net, until_ps);
	return 1;
}

int64_t net_next(const struct net *net)
{
	return net->run.next_ps;
}
