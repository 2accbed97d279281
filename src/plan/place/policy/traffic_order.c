/* traffic_order.c - the nodes of a machine in the order of what their routers carry */
#include "place/policy/traffic_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct keyed {
	uint64_t key;
	int router;
};

/* Stable radix sort by key, eight bits at a time. */
static void sort_keyed(struct keyed *at, int n)
{
	struct keyed *other = xmalloc((size_t)n * sizeof(*other)), *from = at, *to = other;

	for (int shift = 0; shift < 64; shift += 8) {
		int place[257] = {0};

		for (int i = 0; i < n; i++)
			place[((from[i].key >> shift) & 255) + 1]++;
		for (int b = 0; b < 256; b++)
			place[b + 1] += place[b];
		for (int i = 0; i < n; i++)
			to[place[(from[i].key >> shift) & 255]++] = from[i];
		struct keyed *keep = from;

		from = to;
		to = keep;
	}
	free(other);
}

/* Values are not negative, so their bits order as they do. */
static uint64_t key_of(double value, bool descending, bool unsampled_first)
{
	uint64_t bits;

	if (isnan(value))
		return unsampled_first ? 0 : UINT64_MAX;
	value += 0.0; /* no negative zero */
	memcpy(&bits, &value, sizeof(bits));
	return 1 + (descending ? UINT64_MAX / 2 - bits : bits);
}

static int by_label(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The nodes of routers [n] that tie, by label, at the end of the order. Returns how many. */
static int add_ties(const struct machine *machine, const struct keyed *routers, int n, int *nodes)
{
	int nnodes = 0;
	bool ascending = true;

	for (int i = 0; i < n; i++)
		for (int k = machine->first[0][routers[i].router];
		     k < machine->first[0][routers[i].router + 1]; k++) {
			nodes[nnodes++] = machine->member[0][k];
			if (nnodes > 1 && nodes[nnodes - 1] < nodes[nnodes - 2])
				ascending = false;
		}
	if (!ascending)
		qsort(nodes, (size_t)nnodes, sizeof(*nodes), by_label);
	return nnodes;
}

void traffic_order_free(struct traffic_order *order)
{
	idle_order_stop(&order->idle);
	free(order->nodes);
	*order = (struct traffic_order){0};
}

/* Sorts the nodes by the values of their routers. */
static void sort_nodes(struct traffic_order *order, const struct machine *machine,
		       const double *value, bool descending, bool unsampled_first)
{
	int n = machine->ndomains[0], nnodes = 0, nunsampled = 0;
	struct keyed *routers = xmalloc((size_t)n * sizeof(*routers));

	for (int r = 0; r < n; r++) {
		routers[r] = (struct keyed){key_of(value[r], descending, unsampled_first), r};
		if (isnan(value[r]))
			nunsampled += machine->first[0][r + 1] - machine->first[0][r];
	}
	sort_keyed(routers, n);
	for (int i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && routers[j].key == routers[i].key; j++)
			;
		nnodes += add_ties(machine, routers + i, j - i, order->nodes + nnodes);
	}
	free(routers);
	order->first_sampled = unsampled_first ? nunsampled : 0;
	order->nsampled = nnodes - nunsampled;
}

void traffic_order_make(struct traffic_order *order, struct machine *machine,
			const struct traffic_window *window, const double *value, bool descending,
			bool unsampled_first)
{
	if (order->nodes == NULL)
		order->nodes = xmalloc((size_t)machine->nnodes * sizeof(*order->nodes));
	if (order->window != window) {
		idle_order_stop(&order->idle);
		sort_nodes(order, machine, value, descending, unsampled_first);
		order->window = window;
	}
	idle_order_keep(&order->idle, machine, order->nodes);
}

/* Takes idle nodes from a position on, up to n in all. */
static void take_from(const struct traffic_order *order, const struct alloc_request *request,
		      int at, size_t n, int_vec *nodes)
{
	for (at--; nodes->n < n;) {
		at = idle_order_next(&order->idle, at + 1);
		alloc_take(request, order->nodes[at], nodes);
	}
}

void traffic_order_take(const struct traffic_order *order, const struct alloc_request *request,
			int_vec *nodes)
{
	take_from(order, request, 0, (size_t)request->job->nnodes, nodes);
}

void traffic_order_take_part(const struct traffic_order *order, const struct alloc_request *request,
			     double part, int_vec *nodes)
{
	const struct bitset *idle = &order->idle.idle;
	int wanted = request->job->nnodes, end = order->first_sampled + order->nsampled;
	int nbefore = bitset_below(idle, order->first_sampled);
	int nsampled = bitset_below(idle, end) - nbefore, spare;

	take_from(order, request, 0, (size_t)(nbefore < wanted ? nbefore : wanted), nodes);
	wanted -= (int)nodes->n;
	if (wanted == 0)
		return;
	spare = nsampled > wanted ? nsampled - wanted : 0;
	/* the unsampled ones before are taken by now */
	take_from(order, request, bitset_kth(idle, (int)floor(part * spare + 0.5)),
		  (size_t)request->job->nnodes, nodes);
}

int traffic_order_open(struct alloc *alloc, struct err *err)
{
	(void)err;
	alloc->state = xcalloc(1, sizeof(struct traffic_order));
	return 0;
}

void traffic_order_close(struct alloc *alloc)
{
	if (alloc->state != NULL)
		traffic_order_free(alloc->state);
	free(alloc->state);
}

int traffic_order_none(const struct alloc_request *request, struct buf *reason)
{
	buf_str(reason, request->is_traffic_old
				? "the newest window of traffic is older than max-age"
				: "no window of traffic has ended by then");
	return 0;
}

void traffic_order_tell(const struct alloc_request *request, const double *value,
			const int_vec *nodes, struct buf *reason)
{
	for (size_t i = 0; i < nodes->n; i++)
		if (!isnan(value[request->machine->domain_of[0][nodes->at[i]]]))
			return;
	buf_printf(reason, "%sno sample", reason->n > 0 ? ", " : "");
}

int traffic_order_choose(struct alloc *alloc, const struct alloc_request *request,
			 enum traffic_order_by by, int_vec *nodes, struct buf *reason)
{
	const struct traffic_window *window = request->traffic;
	const double *value;

	if (window == NULL)
		return traffic_order_none(request, reason);
	value = by == BY_STALL ? window->stall : window->traffic;
	traffic_order_make(alloc->state, request->machine, window, value,
			   by == BY_TRAFFIC_DESCENDING, pick_is(alloc->pick, "unsampled", "first"));
	traffic_order_take(alloc->state, request, nodes);
	traffic_order_tell(request, value, nodes, reason);
	return 1;
}
