/* published.c - loads of other routers' links, as they were a while ago */
#include <stdlib.h>

#include "base/mem.h"
#include "sim/network/net_priv.h"

/*
 * A routing that looks at other routers' queues (UGAL-G) sees them as they were at the last
 * multiple of the least latency between routers of the machine: no word of them travels faster, and
 * what a router sees does not depend on which events the program got to first.
 */
struct published {
	int64_t every_ps, next_ps;
	int64_t *loads;  /* [nchannels] bytes, of the graph's channels in every plane */
	bool *is_active; /* [nchannels] in active */
	int32_t *active; /* channels whose load is or was not 0 */
	int32_t nactive;
	int_vec taken; /* channels of the last net_published_take */
};

/* To other processes. */
struct told {
	int64_t load;
	int32_t channel;
};

void net_published_open(struct net *net)
{
	struct published *published;
	int64_t least = INT64_MAX;

	if (net->forward.far == NULL)
		return;
	published = net->published = xcalloc(1, sizeof(*published));
	for (int64_t i = 0; i < net->plan.graph->nlinks; i++) {
		int level = net->plan.graph->links[i].level;

		if (level != LINK_TERMINAL && net->plan.levels[level].latency_ps < least)
			least = net->plan.levels[level].latency_ps;
	}
	/* links without latency: as often as events can be distinguished */
	published->every_ps = least < 1 ? 1 : least;
	published->loads = xcalloc((size_t)net->plan.nchannels + 1, sizeof(*published->loads));
	published->is_active =
		xcalloc((size_t)net->plan.nchannels + 1, sizeof(*published->is_active));
	published->active = xcalloc((size_t)net->plan.nchannels + 1, sizeof(*published->active));
	net_published_reset(net);
}

void net_published_close(struct net *net)
{
	if (net->published == NULL)
		return;
	free(net->published->loads);
	free(net->published->is_active);
	free(net->published->active);
	vec_free(&net->published->taken);
	free(net->published);
}

void net_published_open_part(struct net *net, const struct net *first)
{
	struct published *published;

	if (first->published == NULL)
		return;
	published = net->published = xmalloc(sizeof(*published));
	*published = *first->published;
	published->nactive = 0;
	published->taken = (int_vec){0};
	published->active = xcalloc((size_t)net->plan.nchannels + 1, sizeof(*published->active));
}

void net_published_close_part(struct net *net)
{
	if (net->published == NULL)
		return;
	free(net->published->active);
	free(net->published);
}

void net_published_reset(struct net *net)
{
	struct published *published = net->published;

	if (published == NULL)
		return;
	for (int32_t i = 0; i < published->nactive; i++) {
		published->is_active[published->active[i]] = false;
		published->loads[published->active[i]] = 0;
	}
	for (size_t i = 0; i < published->taken.n; i++)
		published->loads[published->taken.at[i]] = 0;
	published->nactive = 0;
	published->taken.n = 0;
	published->next_ps = published->every_ps;
}

void net_published_note(struct net *net, int32_t channel)
{
	struct published *published = net->published;

	channel -= channel < net->plan.nchannels ? 0 : net->plan.nchannels;
	if (published->is_active[channel])
		return;
	published->is_active[channel] = true;
	published->active[published->nactive++] = channel;
}

int64_t net_published_next(const struct net *net)
{
	return net->published == NULL ? INT64_MAX : net->published->next_ps;
}

void net_publish(struct net *net, int64_t event_ps, struct parcel *told)
{
	struct published *published = net->published;
	int32_t n = 0, base = net->copies.base;

	net->run.now = event_ps - event_ps % published->every_ps;
	published->next_ps = net->run.now + published->every_ps;
	net->copies.base = 0;
	for (int32_t i = 0; i < published->nactive; i++) {
		int32_t channel = published->active[i];
		int64_t load = detour_load(net, net->forward.far, channel);

		published->loads[channel] = load;
		if (told != NULL)
			parcel_put(told, &(struct told){load, channel}, sizeof(struct told));
		published->is_active[channel] = load > 0;
		if (load > 0)
			published->active[n++] = channel;
	}
	published->nactive = n;
	net->copies.base = base;
}

void net_published_take(struct net *net, struct parcel *told)
{
	struct published *published = net->published;

	for (size_t i = 0; i < published->taken.n; i++)
		published->loads[published->taken.at[i]] = 0;
	published->taken.n = 0;
	while (!parcel_is_empty(told)) {
		struct told one;

		parcel_take(told, &one, sizeof(one));
		published->loads[one.channel] = one.load;
		vec_push(&published->taken, one.channel);
	}
}

int64_t net_published_load(const struct net *net, int32_t channel)
{
	return net->published->loads[net->copies.base + channel];
}
