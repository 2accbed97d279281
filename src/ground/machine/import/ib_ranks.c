/* ib_ranks.c - the ranks of a fabric's switches, and the order of its routers and nodes */
#include <stdlib.h>
#include <string.h>

#include "machine/import/ib_plan.h"
#include "machine/import/switch_ranks.h"

/* Switches and routers by their cables among each other. */
struct neighbours {
	int *first; /* [devices + 1] */
	int *peer;
};

static bool is_adapter(const struct ibnet *net, int device)
{
	return net->devices.at[device].kind == IBNET_CA;
}

static void find_neighbours(const struct ibnet *net, struct neighbours *near)
{
	int *fill;

	near->first = xcalloc(net->devices.n + 2, sizeof(*near->first));
	near->peer = xmalloc((2 * net->cables.n + 1) * sizeof(*near->peer));
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (is_adapter(net, cable->a) || is_adapter(net, cable->b))
			continue;
		near->first[cable->a + 2]++;
		near->first[cable->b + 2]++;
	}
	for (size_t i = 2; i < net->devices.n + 2; i++)
		near->first[i] += near->first[i - 1];
	fill = near->first + 1;
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (is_adapter(net, cable->a) || is_adapter(net, cable->b))
			continue;
		near->peer[fill[cable->a]++] = cable->b;
		near->peer[fill[cable->b]++] = cable->a;
	}
}

static void count_adapters(struct ib_plan *plan)
{
	const struct ibnet *net = plan->net;

	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];

		if (is_adapter(net, cable->a) != is_adapter(net, cable->b))
			plan->nadapters[is_adapter(net, cable->a) ? cable->b : cable->a]++;
	}
}

/* A switch with adapters, unless it has few and is next to one with many: a spine to which a
 * management or storage node is cabled. Few: less than a tenth of the most in its subnet. */
static bool is_leaf(const struct ibnet *net, const struct neighbours *near, const int *nadapters,
		    const int *most, int device)
{
	int subnet = net->devices.at[device].subnet;

	if (net->devices.at[device].kind != IBNET_SWITCH || nadapters[device] == 0)
		return false;
	if (nadapters[device] * 10L >= most[subnet])
		return true;
	for (int i = near->first[device]; i < near->first[device + 1]; i++)
		if (nadapters[near->peer[i]] * 10L >= most[subnet])
			return false;
	return true;
}

/* Breadth first from the leaves. */
static void spread(struct ib_plan *plan, const struct neighbours *near, int *queue, size_t nqueued)
{
	for (size_t at = 0; at < nqueued; at++) {
		int device = queue[at];

		for (int i = near->first[device]; i < near->first[device + 1]; i++) {
			int peer = near->peer[i];

			if (plan->rank[peer] >= 0)
				continue;
			plan->rank[peer] = plan->rank[device] + 1;
			if (plan->rank[peer] > plan->max_rank)
				plan->max_rank = plan->rank[peer];
			queue[nqueued++] = peer;
		}
	}
}

void ib_find_ranks(struct ib_plan *plan)
{
	const struct ibnet *net = plan->net;
	int *most = xcalloc((size_t)net->nsubnets + 1, sizeof(int));
	int *queue = xmalloc((net->devices.n + 1) * sizeof(*queue));
	struct neighbours near;
	size_t nqueued = 0;

	count_adapters(plan);
	find_neighbours(net, &near);
	for (size_t i = 0; i < net->devices.n; i++) {
		int subnet = net->devices.at[i].subnet;

		plan->rank[i] = -1;
		if (subnet >= 0 && plan->nadapters[i] > most[subnet])
			most[subnet] = plan->nadapters[i];
	}
	for (size_t i = 0; i < net->devices.n; i++)
		if (is_leaf(net, &near, plan->nadapters, most, (int)i)) {
			plan->rank[i] = 0;
			queue[nqueued++] = (int)i;
		}
	spread(plan, &near, queue, nqueued);
	/* what no leaf reaches is a separate network without nodes */
	for (size_t i = 0; i < net->devices.n; i++)
		if (plan->rank[i] < 0 && !is_adapter(net, (int)i))
			plan->rank[i] = 0;
	free(near.first);
	free(near.peer);
	free(queue);
	free(most);
}

/* ---- order ---- */

struct ordered {
	int device, rank;
	int place;               /* of a switch: its subnet; of a node: the first of its routers */
	const char *middle_node; /* of a switch: a name among its nodes; NULL: it has none */
	const char *name;
};

static int by_place(const void *va, const void *vb)
{
	const struct ordered *a = va, *b = vb;
	int order;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->middle_node != NULL && b->middle_node != NULL &&
	    (order = compare_natural(a->middle_node, b->middle_node)) != 0)
		return order;
	if ((a->middle_node != NULL) != (b->middle_node != NULL))
		return a->middle_node != NULL ? -1 : 1;
	order = compare_natural(a->name, b->name);
	return order != 0 ? order : a->device - b->device;
}

struct attached {
	int device; /* the switch */
	const char *name;
};

static int by_switch(const void *va, const void *vb)
{
	const struct attached *a = va, *b = vb;

	if (a->device != b->device)
		return a->device < b->device ? -1 : 1;
	return compare_natural(a->name, b->name);
}

/* At each switch, the middle one of the names of its nodes: leaves follow the site's numbers, and a
 * login node here or there does not matter. */
static const char **middle_nodes(const struct ib_plan *plan)
{
	const struct ibnet *net = plan->net;
	const char **names = xcalloc(net->devices.n + 1, sizeof(*names));
	struct attached *list = xmalloc((net->cables.n + 1) * sizeof(*list));
	size_t n = 0, end;

	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];
		int ca = is_adapter(net, cable->a) ? cable->a : cable->b;
		int sw = ca == cable->a ? cable->b : cable->a;

		if (is_adapter(net, ca) && !is_adapter(net, sw))
			list[n++] = (struct attached){sw, plan->names[plan->host_of[ca]]};
	}
	qsort(list, n, sizeof(*list), by_switch);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && list[end].device == list[i].device;)
			end++;
		names[list[i].device] = list[i + (end - i) / 2].name;
	}
	free(list);
	return names;
}

static void order_routers(struct ib_plan *plan, struct ordered *order)
{
	const struct ibnet *net = plan->net;
	const char **middle = middle_nodes(plan);

	for (size_t i = 0; i < net->devices.n; i++)
		if (!is_adapter(net, (int)i))
			order[plan->nrouters++] =
				(struct ordered){.device = (int)i,
						 .rank = plan->rank[i],
						 .place = net->devices.at[i].subnet,
						 .middle_node = middle[i],
						 .name = plan->names[i]};
	free(middle);
	qsort(order, (size_t)plan->nrouters, sizeof(*order), by_place);
	for (int i = 0; i < plan->nrouters; i++)
		plan->routers[i] = order[i].device;
}

static void order_nodes(struct ib_plan *plan, struct ordered *order)
{
	const struct ibnet *net = plan->net;
	int *number = xmalloc((net->devices.n + 1) * sizeof(*number));
	int *home = xmalloc((net->devices.n + 1) * sizeof(*home));

	for (int i = 0; i < plan->nrouters; i++)
		number[plan->routers[i]] = i;
	for (size_t i = 0; i < net->devices.n; i++)
		home[i] = plan->nrouters;
	for (size_t i = 0; i < net->cables.n; i++) {
		const struct ibnet_cable *cable = &net->cables.at[i];
		int ca = is_adapter(net, cable->a) ? cable->a : cable->b;
		int sw = ca == cable->a ? cable->b : cable->a;

		if (is_adapter(net, ca) && !is_adapter(net, sw) &&
		    number[sw] < home[plan->host_of[ca]])
			home[plan->host_of[ca]] = number[sw];
	}
	for (size_t i = 0; i < net->devices.n; i++)
		if (is_adapter(net, (int)i) && plan->host_of[i] == (int)i)
			order[plan->nnodes++] = (struct ordered){
				.device = (int)i, .place = home[i], .name = plan->names[i]};
	qsort(order, (size_t)plan->nnodes, sizeof(*order), by_place);
	for (int i = 0; i < plan->nnodes; i++)
		plan->nodes[i] = order[i].device;
	free(home);
	free(number);
}

void ib_find_order(struct ib_plan *plan)
{
	struct ordered *order = xmalloc((plan->net->devices.n + 1) * sizeof(*order));

	order_routers(plan, order);
	order_nodes(plan, order);
	free(order);
}
