/* net.c - the simulated network: machines, runs, events */
#include "sim/network/net.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/network/crew.h"

/* ---- a machine ---- */

int32_t net_end_of(const struct net *net, int32_t channel)
{
	const struct topo_link *link = &net->graph->links[net_copy_original(net, channel) / 2];
	int32_t vertex = channel % 2 == 0 ? link->b : link->a;

	return vertex < net->topo->nnodes ? -1 - vertex : vertex - net->topo->nnodes;
}

static bool is_from_node(const struct net *net, int32_t channel)
{
	const struct topo_link *link = &net->graph->links[net_copy_original(net, channel) / 2];

	return (channel % 2 == 0 ? link->a : link->b) < net->topo->nnodes;
}

/* Of each VC at the far end of a channel, or of a crossbar's. */
int32_t net_buffer_bytes(const struct net *net, int32_t channel)
{
	return (int32_t)(channel < net->nchannels ? net->params->input_buffer_bytes
						  : net->params->output_buffer_bytes);
}

static void reset_port(struct net *net, int32_t channel)
{
	struct port *port = port_of(net, channel);

	port->free_ps = 0;
	port->bytes = 0;
	port->npackets = 0;
	port->queued = 0;
	port->nring = 0;
	port->first = port->last = NOBODY;
	port->blocked = 0;
	port->is_touched = 0;
	port->turn = 0;
	for (int vc = 0; vc < net->nvcs; vc++) {
		port->credit[vc] = net_buffer_bytes(net, channel);
		if (net->vc_counts != NULL && channel < net->nchannels)
			net->vc_counts[channel * net->nvcs + vc] = (struct vc_count){0};
		if (net->inputs != NULL && channel < net->nchannels)
			net->inputs[channel * net->nvcs + vc] =
				(struct input){.queue = {NOBODY, NOBODY}};
	}
	net->rests[channel] = (struct port_rest){.wake_ps = -1};
	if (net->lagging != NULL && channel < net->nchannels)
		net->lagging[channel] = (struct queue){NOBODY, NOBODY};
	if (net->stalls != NULL && channel < net->nchannels)
		net->stalls[channel] = (struct stall){0};
}

static void open_port(struct net *net, int32_t channel)
{
	struct port *port = port_of(net, channel);
	int32_t link = channel < net->nchannels ? channel : channel - net->nchannels;

	port->to = net_end_of(net, link);
	port->is_nic = channel < net->nchannels && is_from_node(net, link);
	port->level = channel < net->nchannels
			      ? (uint8_t)net->graph->links[net_copy_original(net, link) / 2].level
			      : TOPO_LEVELS;
	port->ring = (uint32_t)channel << RING_BITS;
	port->ring_bits = RING_BITS;
	reset_port(net, channel);
}

static void open_ports(struct net *net)
{
	size_t nports = (size_t)net->nchannels * (net->params->output_buffer_bytes > 0 ? 2 : 1);
	size_t size = sizeof(struct port) + (size_t)net->nvcs * sizeof(int32_t);

	net->port_shift = 6;
	while ((size_t)1 << net->port_shift < size)
		net->port_shift++;
	net->ports_bytes = (nports + 1) << net->port_shift;
	net->ports = xlarge(net->ports_bytes);
	net->ncredits = net->credits_cap = (uint32_t)nports << RING_BITS;
	net->credits = xlarge(net->ncredits * sizeof(*net->credits));
	net->rests = xcalloc(nports + 1, sizeof(*net->rests));
	net->queues = xcalloc(nports * (size_t)net->nvcs + 1, sizeof(*net->queues));
	net->touched = xmalloc((nports + 1) * sizeof(*net->touched));
	if (net->has_lag)
		net->lagging = xmalloc((size_t)net->nchannels * sizeof(*net->lagging));
	if (net->params->output_buffer_bytes > 0)
		net->inputs = xcalloc((size_t)net->nchannels * (size_t)net->nvcs + 1,
				      sizeof(*net->inputs));
	for (size_t c = 0; c < nports; c++)
		open_port(net, (int32_t)c);
}

static void open_levels(struct net *net)
{
	bool is_uneven = false;
	double fastest = 0;

	for (int level = 0; level < net->topo->nlevels; level++) {
		const struct sim_level *given = &net->params->levels[level];

		net->levels[level] = (struct net_level){
			.ps_per_byte = 1e12 / given->bandwidth,
			.bytes_per_ps = given->bandwidth / 1e12,
			.latency_ps = given->latency_ps,
			.router_ps = given->latency_ps + net->params->router_delay_ps,
			.credit_ps = given->latency_ps + net->params->credit_delay_ps,
		};
		if (level != LINK_NODE && given->bandwidth > fastest)
			fastest = given->bandwidth;
		is_uneven |= level > LINK_TERMINAL &&
			     given->bandwidth != net->params->levels[LINK_TERMINAL].bandwidth;
	}
	if (net->params->crossbar_speedup > 0)
		net->levels[TOPO_LEVELS] = (struct net_level){
			.ps_per_byte = 1e12 / (fastest * net->params->crossbar_speedup),
			.bytes_per_ps = fastest * net->params->crossbar_speedup / 1e12};
	net->router_takes = net->params->is_store_and_forward ? -1 : 0;
	net->node_takes = net->params->is_delivered_by_head ? 0 : -1;
	net->has_lag = is_uneven && !net->params->is_store_and_forward &&
		       !net->params->is_delivered_by_head;
}

static int check_vcs(struct net *net, struct err *err)
{
	int64_t given = net->params->vcs;
	int nclasses = net->params->nic_requests > 0 ? 2 : 1;
	int needed = nclasses * net->forward.nvcs;

	net->nvcs = given > 0 ? (int)given : needed;
	net->class_vcs = net->nvcs / nclasses;
	if (needed <= net->nvcs && net->nvcs <= VCS_MOST)
		return 0;
	return err_set(err,
		       "routing %s needs %d virtual channels on this machine to be free of "
		       "deadlock%s; there are %d",
		       net->params->routing, needed,
		       nclasses > 1 ? ", half of them for answers (nic-requests)" : "",
		       net->nvcs <= VCS_MOST ? net->nvcs : VCS_MOST);
}

/* About as wide as the time in which each node makes an event. */
void net_wheel_open(struct net *net)
{
	int64_t width = (int64_t)1 << 22;
	int bits = 12;

	for (int64_t n = net->topo->nnodes; n > 1; n /= 2)
		width /= 2;
	width = width < 1024 ? 1024 : width;
	while (bits < 17 && width << bits < (int64_t)1 << 24)
		bits++;
	wheel_open(&net->wheel, width, bits);
}

/* Networks that need nothing special have functions of their kind. */
static void choose_arrive(struct net *net)
{
	net->is_plain = net->copies.nnics == 1 && net->inputs == NULL && net->vc_counts == NULL &&
			net->stalls == NULL && !net->has_lag && net->nheld == NULL &&
			net->published == NULL && !net->is_general;

	net->arrive = net_arrive;
	if (net->is_plain && net->forward.type->arrive != NULL)
		net->arrive = net->forward.type->arrive;
	if (net->is_plain && net->forward.type->choose != NULL)
		net->arrive = net->forward.type->choose(net);
}

int net_open(struct net **result, struct topo *topo, const struct sim_params *params,
	     struct err *err)
{
	struct net *net = xcalloc(1, sizeof(*net));

	*result = NULL;
	net->topo = topo;
	net->params = params;
	net->graph = topo_graph(topo);
	net->free_packet = net->free_message = net->asking = NOBODY;
	net->is_drained = true;
	memset(net->free_rings, 0xff, sizeof(net->free_rings));
	net->whole_packet =
		(int32_t)((params->packet_bytes + params->header_bytes + params->flit_bytes - 1) /
			  params->flit_bytes * params->flit_bytes);
	open_levels(net);
	if (net_copies_open(net, err) != 0 || forward_open(net, params->routing, err) != 0 ||
	    check_vcs(net, err) != 0) {
		net_close(net);
		return -1;
	}
	open_ports(net);
	net_nics_open(net);
	net_agenda_open(net);
	net_published_open(net);
	net_wheel_open(net);
	*result = net;
	return 0;
}

void net_part_close(struct net *net)
{
	wheel_close(&net->wheel);
	umap_free(&net->coming);
	free(net->touched);
	free(net->copiers);
	net_injection_close_part(net);
	free(net->totals);
	xlarge_free(net->hops_of, (size_t)net->hops_cap * sizeof(*net->hops_of));
	xlarge_free(net->credits, net->credits_cap * sizeof(*net->credits));
	xlarge_free(net->packets, (size_t)net->packets_cap * sizeof(*net->packets));
	xlarge_free(net->messages, (size_t)net->messages_cap * sizeof(*net->messages));
	xlarge_free(net->items, (size_t)net->items_cap * sizeof(*net->items));
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
	xlarge_free(net->ports, net->ports_bytes);
	free(net->rests);
	free(net->queues);
	free(net->inputs);
	free(net->vc_counts);
	free(net->stalls);
	net_published_close(net);
	free(net->agendas);
	free(net->lagging);
	free(net);
}

/* ---- runs ---- */

void net_part_reset(struct net *net)
{
	net_nics_reset(net);
	net_copies_reset(net);
	for (int32_t i = 0; i < net->ntouched; i++)
		reset_port(net, net->touched[i]);
	net->ntouched = 0;
	net_published_reset(net);
	wheel_reset(&net->wheel);
}

/* A run that was stopped left things over. */
static void drop_all(struct net *net)
{
	net->free_packet = net->free_message = NOBODY;
	net->npackets = net->nmessages = 0;
	net_agenda_reset(net);
	umap_clear(&net->coming);
	forward_drop(net);
}

static void start(struct net *net, uint64_t draw_key, int nowners)
{
	net_part_reset(net);
	memset(net->events, 0, sizeof(net->events));
	net->draw_key = draw_key;
	net->now = 0;
	net->stop_ps = INT64_MAX;
	net->enough_ps = -1;
	net->awaits_enough = false;
	net->is_troubled = false;
	net->nmade = net->ncome = net->nopen = net->nevents = 0;
	choose_arrive(net);
	free(net->totals);
	net->totals = xcalloc((size_t)nowners * NET_SERVICES + 1, sizeof(*net->totals));
	net->nowners = nowners;
}

void net_start(struct net *net, uint64_t seed, const char *run, int nowners)
{
	uint64_t draw_key = rng_make(seed, "netsim", run, NULL).key;

	for (int i = 0; i < net_nparts(net); i++) {
		if (!net->is_drained)
			drop_all(net_part(net, i));
		start(net_part(net, i), draw_key, nowners);
	}
	net->is_drained = false;
	if (net->crew != NULL)
		crew_start(net);
}

void net_listen(struct net *net, enum net_service service, const struct net_events *events)
{
	net->events[service] = *events;
}

const int64_t *net_clock(const struct net *net)
{
	return &net->now;
}

int64_t net_now(const struct net *net)
{
	return net->now;
}

void net_stop(struct net *net, int64_t at_ps)
{
	if (at_ps < net->stop_ps)
		net->stop_ps = at_ps;
	if (at_ps < net->limit_ps)
		net->limit_ps = at_ps;
}

void net_await_enough(struct net *net)
{
	for (int i = 0; i < net_nparts(net); i++)
		net_part(net, i)->awaits_enough = true;
}

void net_enough(struct net *net, int64_t at_ps)
{
	net->enough_ps = at_ps;
	if (net->crew == NULL)
		net_stop(net, net_end_ps(at_ps));
}

int64_t net_notice_ps(const struct net *net)
{
	int64_t longest = 0;

	for (int level = 0; level < net->topo->nlevels; level++)
		if (level != LINK_NODE && net->levels[level].latency_ps > longest)
			longest = net->levels[level].latency_ps;
	return longest + net->params->router_delay_ps;
}

/* before: the time before the event. */
static inline void happen(struct net *net, uint32_t what, int64_t before)
{
	int32_t place = (int32_t)(what & ((1U << KIND_SHIFT) - 1));

	switch ((enum event_kind)(what >> KIND_SHIFT)) {
	case ARRIVE:
		net->arrive(net, place);
		break;
	case READY:
		net_ready(net, place);
		break;
	case WAKE:
		if (!net_wake(net, place)) {
			net->now = before;
			net->nevents--;
		}
		break;
	case PUMP:
		net_nic_due(net, place);
		break;
	case HEAD:
		net_head(net, place);
		break;
	case NODE:
		net_agenda_next(net, place);
		break;
	}
}

/*
 * On large machines what the next events need is fetched into the cache while this one happens: the
 * port that a packet comes by first, then the packet, the port's ring of credits, and the port that
 * it leaves by or else its message. Always inlined, because gcc takes a function that only fetches
 * for one that does nothing, and leaves the call out.
 */
enum { LARGE_NODES = 512, PORT_AHEAD = 14, PACKET_AHEAD = 9, ONWARD_AHEAD = 5 };

/* The port by which the packet of an event to come arrives; NULL: it is another event. */
static inline const struct port *port_ahead(const struct net *net, int32_t ahead)
{
	int32_t at = net->wheel.at + ahead;
	uint32_t what = at < net->wheel.nnow ? (uint32_t)net->wheel.now[at] : EVENT(NODE, 0);

	return what >> KIND_SHIFT == ARRIVE ? port_of(net, (int32_t)what) : NULL;
}

static inline __attribute__((always_inline)) void look_ahead(const struct net *net)
{
	const struct port *far = port_ahead(net, PORT_AHEAD);
	const struct port *middle = port_ahead(net, PACKET_AHEAD);
	const struct port *near = port_ahead(net, ONWARD_AHEAD);
	const struct packet *packet;

	if (far != NULL)
		__builtin_prefetch(far, 1);
	if (middle != NULL) {
		__builtin_prefetch(&net->packets[middle->first], 1);
		__builtin_prefetch(&net->credits[middle->ring], 1);
	}
	if (near == NULL)
		return;
	packet = &net->packets[near->first];
	if (packet->onward >= 0)
		__builtin_prefetch(port_of(net, packet->onward), 1);
	else
		__builtin_prefetch(&net->messages[packet->message], 1);
}

/* All events up to limit_ps, which may come closer meanwhile. */
static void run_events(struct net *net)
{
	void (*arrive)(struct net * net, int32_t channel) = net->arrive;
	bool is_large = net->topo->nnodes >= LARGE_NODES;
	int64_t nevents = 0;

	while (wheel_has(&net->wheel, net->limit_ps)) {
		uint32_t what = wheel_take(&net->wheel);
		int64_t before = net->now;

		net->now = net->wheel.time;
		net->happens = what;
		nevents++;
		if (is_large)
			look_ahead(net);
		if (what >> KIND_SHIFT == ARRIVE) /* the channel, as ARRIVE is 0 */
			arrive(net, (int32_t)what);
		else
			happen(net, what, before);
	}
	net->nevents += nevents;
}

void net_part_run(struct net *net, int64_t limit_ps)
{
	net->limit_ps = limit_ps < net->stop_ps ? limit_ps : net->stop_ps;
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
		int64_t end = sooner(until_ps, net->stop_ps), publishes = net_published_next(net);

		net->limit_ps = publishes > end ? end : publishes - 1;
		run_events(net);
		if (!wheel_has(&net->wheel, sooner(until_ps, net->stop_ps)))
			return wheel_has(&net->wheel, INT64_MAX);
		net_publish(net, wheel_time(&net->wheel));
	}
}

static void set_now(struct net *net, int64_t now)
{
	for (int i = 0; i < net_nparts(net); i++)
		net_part(net, i)->now = now;
}

int net_run(struct net *net, int64_t until_ps, struct err *err)
{
	bool is_left = net->crew != NULL ? crew_run(net, &until_ps) : run_alone(net, until_ps);

	if (net->is_troubled) {
		*err = net->trouble;
		return -1;
	}
	if (net->stop_ps <= until_ps && net->stop_ps != INT64_MAX) {
		set_now(net, net->stop_ps);
		return 0;
	}
	if (!is_left)
		return net_check_end(net, err);
	set_now(net, until_ps);
	return 1;
}
