/* agenda.c - what nodes wait for: timers, messages that leave, messages that the NIC gets */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/network/net_priv.h"

void net_agenda_open_node(struct net *net, int32_t node)
{
	net->agenda.of_node[node] = (struct queue){NOBODY, NOBODY};
}

static void empty(struct agenda *agenda)
{
	linked_drop(agenda);
	agenda->nhandovers = 0;
	agenda->event_ps = -1;
}

void net_agenda_open(struct net *net)
{
	struct agenda *agenda = &net->agenda;

	agenda->of_node = xcalloc((size_t)net->plan.topo->nnodes + 1, sizeof(*agenda->of_node));
	empty(agenda);
	agenda->lag_ps = net_chooses_late(net) ? net_injection_least_ps(net) : 0;
}

void net_agenda_close(struct net *net)
{
	free(net->agenda.of_node);
}

void net_agenda_open_part(struct net *net)
{
	net->agenda = (struct agenda){
		.of_node = net->agenda.of_node, .lag_ps = net->agenda.lag_ps, .event_ps = -1};
}

void net_agenda_close_part(struct net *net)
{
	linked_close(&net->agenda);
}

void net_agenda_reset(struct net *net)
{
	empty(&net->agenda);
	for (int32_t node = 0; node < net->plan.topo->nnodes; node++)
		if (net_is_here(net, node))
			net_agenda_open_node(net, node);
}

/* Notices come from anywhere, so their place among others must not depend on when they
 * were made. */
static inline bool is_before(const struct item *a, const struct item *b)
{
	if (a->time != b->time || a->kind != NOTICE)
		return a->time <= b->time;
	return b->kind == NOTICE && a->cookie <= b->cookie;
}

/* Behind those of the same time. Most come last or nearly first. */
static void add(struct agenda *agenda, int32_t node, const struct item *item)
{
	int32_t i = linked_take(agenda), *link;
	struct queue *queue = &agenda->of_node[node];

	agenda->at[i] = *item;
	agenda->at[i].next = NOBODY;
	if (queue->first == NOBODY) {
		queue->first = queue->last = i;
	} else if (is_before(&agenda->at[queue->last], item)) {
		agenda->at[queue->last].next = i;
		queue->last = i;
	} else {
		link = &queue->first;
		while (is_before(&agenda->at[*link], item))
			link = &agenda->at[*link].next;
		agenda->at[i].next = *link;
		*link = i;
	}
}

static struct item take(struct agenda *agenda, int32_t node)
{
	int32_t i = agenda->of_node[node].first;
	const struct item item = agenda->at[i];

	agenda->of_node[node].first = item.next;
	linked_give(agenda, i);
	return item;
}

void net_agenda_add(struct net *net, int32_t node, const struct item *item)
{
	net_agenda_catch_up(net, node);
	add(&net->agenda, node, item);
	if (item->time == net->agenda.event_ps && item->kind == START)
		net->agenda.event_ps = -1;
	else
		wheel_add(&net->wheel, item->time, EVENT(NODE, node));
}

static void ring(struct net *net, uint64_t cookie)
{
	const struct net_events *events = &net->run.events[cookie >> NET_COOKIE_BITS];

	if (events->timer != NULL)
		events->timer(events->context, net_cookie_value(cookie));
}

/* ---- handovers ---- */

/*
 * Where messages choose a NIC when their turn comes, handing one over does nothing but add its
 * START, lag_ps later at least. So a handover has its place among the node's items, but its event
 * is that of START: it is worked off by what happens next at the node, which is no later, with its
 * own time. All that could see a difference asks for it: items of the node, messages from it.
 */
void net_handover(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie)
{
	const struct item item = {.time = at_ps, .kind = HANDOVER, .cookie = cookie};

	if (net->agenda.lag_ps == 0) {
		net_timer(net, node, at_ps, cookie);
		return;
	}
	net_agenda_catch_up(net, node);
	add(&net->agenda, node, &item);
	net->agenda.nhandovers++;
	wheel_add(&net->wheel, at_ps + net->agenda.lag_ps, EVENT(NODE, node));
}

static void work_off(struct net *net, int32_t node, int64_t until_ps)
{
	struct agenda *agenda = &net->agenda;
	int64_t now = net->run.now;

	while (agenda->nhandovers > 0) {
		int32_t i = agenda->of_node[node].first;
		struct item item;

		if (i == NOBODY || agenda->at[i].kind != HANDOVER || agenda->at[i].time > until_ps)
			return;
		item = take(agenda, node);
		agenda->nhandovers--;
		agenda->event_ps = item.time + agenda->lag_ps;
		net->run.now = item.time;
		ring(net, item.cookie);
		net->run.now = now;
		agenda->event_ps = -1;
	}
}

void net_agenda_catch_up(struct net *net, int32_t node)
{
	if (net->agenda.nhandovers > 0)
		work_off(net, node, net->run.now - 1);
}

void net_agenda_settle(struct net *net, int64_t until_ps)
{
	for (int32_t node = 0; node < net->plan.topo->nnodes && net->agenda.nhandovers > 0; node++)
		if (net_is_here(net, node))
			work_off(net, node, until_ps);
}

/* The event of a handover whose START had to wait finds nothing. */
void net_agenda_next(struct net *net, int32_t node)
{
	int32_t first;
	struct item item;

	if (net->agenda.nhandovers > 0)
		work_off(net, node, net->run.now);
	first = net->agenda.of_node[node].first;
	if (first == NOBODY || net->agenda.at[first].time > net->run.now)
		return;
	item = take(&net->agenda, node);
	switch (item.kind) {
	case LEFT:
		net_message_left(net, item.message);
		break;
	case START:
		net_message_start(net, item.message);
		break;
	case COME:
		net_message_come(net, item.message);
		break;
	case TIMER:
	case NOTICE:
	case HANDOVER:
		ring(net, item.cookie);
		break;
	}
}

void net_timer(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie)
{
	net_agenda_add(net, node,
		       &(struct item){.time = at_ps > net->run.now ? at_ps : net->run.now,
				      .kind = TIMER,
				      .cookie = cookie});
}

void net_notice(struct net *net, int32_t node, uint64_t cookie)
{
	const struct item item = {
		.time = net->run.now + net_notice_ps(net), .kind = NOTICE, .cookie = cookie};

	if (net_is_here(net, node))
		net_agenda_add(net, node, &item);
	else
		net_mail_notice(net, node, item.time, cookie);
}
