/* agenda.c - what nodes wait for: timers, messages that leave, messages that the NIC gets */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/network/net_priv.h"

void net_agenda_open(struct net *net)
{
	net->agendas = xmalloc(((size_t)net->topo->nnodes + 1) * sizeof(*net->agendas));
	net->free_item = NOBODY;
	for (int node = 0; node < net->topo->nnodes; node++)
		net->agendas[node] = (struct queue){NOBODY, NOBODY};
}

void net_agenda_reset(struct net *net)
{
	for (int node = 0; node < net->topo->nnodes; node++)
		net->agendas[node] = (struct queue){NOBODY, NOBODY};
	net->nitems = 0;
	net->free_item = NOBODY;
}

static int32_t item_new(struct net *net)
{
	int32_t i = net->free_item;

	if (i != NOBODY) {
		net->free_item = net->items[i].next;
		return i;
	}
	if (net->nitems == net->items_cap)
		net->items = xlarge_double(net->items, &net->items_cap, sizeof(*net->items));
	return net->nitems++;
}

/* Notices come from anywhere, so their place among others must not depend on when they were made.
 */
static inline bool is_before(const struct item *a, const struct item *b)
{
	if (a->time != b->time || a->kind != NOTICE)
		return a->time <= b->time;
	return b->kind == NOTICE && a->cookie <= b->cookie;
}

/* Behind those of the same time. Most come last or nearly first. */
void net_agenda_add(struct net *net, int32_t node, const struct item *item)
{
	int32_t i = item_new(net), *link;
	struct queue *agenda = &net->agendas[node];

	net->items[i] = *item;
	net->items[i].next = NOBODY;
	if (agenda->first == NOBODY) {
		agenda->first = agenda->last = i;
	} else if (is_before(&net->items[agenda->last], item)) {
		net->items[agenda->last].next = i;
		agenda->last = i;
	} else {
		link = &agenda->first;
		while (is_before(&net->items[*link], item))
			link = &net->items[*link].next;
		net->items[i].next = *link;
		*link = i;
	}
	wheel_add(&net->wheel, item->time, EVENT(NODE, node));
}

void net_agenda_next(struct net *net, int32_t node)
{
	struct queue *agenda = &net->agendas[node];
	int32_t i = agenda->first;
	const struct item item = net->items[i];
	const struct net_events *events;

	agenda->first = item.next;
	net->items[i].next = net->free_item;
	net->free_item = i;
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
		events = &net->events[item.cookie >> NET_COOKIE_BITS];
		if (events->timer != NULL)
			events->timer(events->context, net_cookie_value(item.cookie));
		break;
	}
}

void net_timer(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie)
{
	net_agenda_add(net, node,
		       &(struct item){.time = at_ps > net->now ? at_ps : net->now,
				      .kind = TIMER,
				      .cookie = cookie});
}

void net_notice(struct net *net, int32_t node, uint64_t cookie)
{
	const struct item item = {
		.time = net->now + net_notice_ps(net), .kind = NOTICE, .cookie = cookie};

	if (net_is_here(net, node))
		net_agenda_add(net, node, &item);
	else
		net_mail_notice(net, node, item.time, cookie);
}
