/* ideal_net.h - a network without contention, for tests of what stands on it */
#ifndef TESTS_IDEAL_NET_H
#define TESTS_IDEAL_NET_H

#include <string.h>

#include "base/mem.h"
#include "check.h"
#include "sim/mpi/sim_mpi.h"

/*
 * An ideal network in place of sim/network/net.c: a NIC sends its messages one after the other,
 * each takes LATENCY then, whatever lies between; inside a node a message takes COPY.
 */
enum { LATENCY = 300000, COPY = 50000, PS_PER_BYTE = 1000 };

enum what { INJECTED, DELIVERED, TIMER };

struct event {
	int64_t at, number;
	enum what what;
	uint64_t cookie;
};

struct net {
	VEC(struct event) events; /* a heap */
	struct net_events calls;
	int64_t now, nevents, nsent;
	int64_t free_ps[4096]; /* of each NIC */
	int64_t overtakes;     /* every so many messages one is LATENCY faster; 0: none */
	bool is_mute;          /* net_send never says when a message leaves */
	int64_t stop_ps;
};

static bool is_before(const struct event *a, const struct event *b)
{
	return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void push(struct net *net, int64_t at, enum what what, uint64_t cookie)
{
	struct event event = {at, net->nevents++, what, cookie};
	size_t i;

	vec_push(&net->events, event);
	for (i = net->events.n - 1; i > 0 && is_before(&event, &net->events.at[(i - 1) / 2]);
	     i = (i - 1) / 2)
		net->events.at[i] = net->events.at[(i - 1) / 2];
	net->events.at[i] = event;
}

static struct event pop(struct net *net)
{
	struct event first = net->events.at[0], last = net->events.at[--net->events.n];
	size_t i = 0, n = net->events.n;

	while (2 * i + 1 < n) {
		size_t child = 2 * i + 1;

		if (child + 1 < n && is_before(&net->events.at[child + 1], &net->events.at[child]))
			child++;
		if (is_before(&last, &net->events.at[child]))
			break;
		net->events.at[i] = net->events.at[child];
		i = child;
	}
	if (n > 0)
		net->events.at[i] = last;
	return first;
}

void net_start(struct net *net, uint64_t seed, const char *run, int nowners)
{
	(void)seed, (void)run, (void)nowners;
	net->events.n = 0;
	net->now = net->nevents = net->nsent = 0;
	net->stop_ps = INT64_MAX;
	memset(net->free_ps, 0, sizeof(net->free_ps));
}

void net_listen(struct net *net, enum net_service service, const struct net_events *events)
{
	CHECK_INT(service, NET_MPI);
	net->calls = *events;
}

static struct net network;

int net_nparts(const struct net *net)
{
	(void)net;
	return 1;
}

struct net *net_part(const struct net *net, int part)
{
	(void)net;
	CHECK_INT(part, 0);
	return &network;
}

bool net_part_is_here(const struct net *net, int part)
{
	(void)net;
	return part == 0;
}

struct processes *net_processes(const struct net *net)
{
	(void)net;
	return NULL;
}

void net_collect(struct net *net)
{
	(void)net;
}

int net_part_of(const struct net *net, int32_t node)
{
	(void)net, (void)node;
	return 0;
}

bool net_is_here(const struct net *net, int32_t node)
{
	(void)net, (void)node;
	return true;
}

void net_await_enough(struct net *net)
{
	(void)net;
}

void net_runs_out(struct net *net)
{
	(void)net;
}

const int64_t *net_clock(const struct net *net)
{
	return &net->now;
}

int64_t net_now(const struct net *net)
{
	return net->now;
}

int64_t net_next(const struct net *net)
{
	return net->now;
}

struct err *net_fail(struct net *net)
{
	(void)net;
	CHECK(false);
	return NULL;
}

int64_t net_send(struct net *net, const struct net_message *message)
{
	int64_t begin = message->ready_ps > net->now ? message->ready_ps : net->now;
	int64_t latency = LATENCY;
	bool says = message->asks_left && !net->is_mute;

	net->nsent++;
	if (message->src == message->dst) {
		if (!message->skips_injected && !says)
			push(net, begin + COPY, INJECTED, message->cookie);
		push(net, begin + COPY, DELIVERED, message->cookie);
		return says && !message->skips_injected ? begin + COPY : -1;
	}
	if (net->free_ps[message->src] > begin)
		begin = net->free_ps[message->src];
	net->free_ps[message->src] = begin + message->bytes * PS_PER_BYTE;
	if (net->overtakes > 0 && net->nsent % net->overtakes == 0)
		latency = 0;
	if (!message->skips_injected && !says)
		push(net, net->free_ps[message->src], INJECTED, message->cookie);
	push(net, net->free_ps[message->src] + latency, DELIVERED, message->cookie);
	return says && !message->skips_injected ? net->free_ps[message->src] : -1;
}

void net_timer(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie)
{
	(void)node;
	CHECK(at_ps >= net->now);
	push(net, at_ps, TIMER, cookie);
}

void net_handover(struct net *net, int32_t node, int64_t at_ps, uint64_t cookie)
{
	CHECK(at_ps > net->now);
	net_timer(net, node, at_ps, cookie);
}

int net_nqueues(const struct net *net)
{
	(void)net;
	return 1;
}

void net_enough(struct net *net, int64_t at_ps)
{
	net->stop_ps = (at_ps / 1000000 + 1) * 1000000;
}

void net_notice(struct net *net, int32_t node, uint64_t cookie)
{
	net_timer(net, node, net->now + LATENCY, cookie);
}

int net_run(struct net *net, int64_t until_ps, struct err *err)
{
	(void)err;
	while (net->events.n > 0 && net->events.at[0].at <= net->stop_ps) {
		struct event event;

		if (net->events.at[0].at > until_ps) {
			net->now = until_ps;
			return 1;
		}
		event = pop(net);
		net->now = event.at;
		if (event.what == INJECTED)
			net->calls.injected(net->calls.context, event.cookie);
		else if (event.what == DELIVERED)
			net->calls.delivered(net->calls.context, event.cookie);
		else
			net->calls.timer(net->calls.context, event.cookie);
	}
	return 0;
}

#endif
