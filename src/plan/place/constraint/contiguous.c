/* contiguous.c - nodes that follow each other in an order (Def. 5) */
#include <stdlib.h>

#include "place/constraint/constraint.h"
#include "machine/order/order.h"
#include "base/bitset.h"

/* The compute nodes in their order: separate I/O nodes are skipped. */
struct contiguous {
	int *node_at;     /* [n] */
	int *position_of; /* [nnodes] -1: does not compute */
	int n;
	bool wraps;    /* the first follows the last: on rings only */
	int *deque;    /* [2 n] */
	bool is_label; /* all nodes, in label order */
};

static int contiguous_open(struct constraint *constraint, struct err *err)
{
	const struct space *space = constraint->space;
	const struct topo *topo = space->topo;
	struct contiguous *order = xcalloc(1, sizeof(*order));
	int *nodes;

	constraint->state = order;
	if (order_make(&nodes, topo, pick_pick(constraint->pick, "order"), err) != 0)
		return -1;
	order->node_at = xmalloc((size_t)topo->nnodes * sizeof(int));
	order->position_of = xmalloc((size_t)topo->nnodes * sizeof(int));
	for (int i = 0; i < topo->nnodes; i++) {
		int node = nodes != NULL ? nodes[i] : i;

		order->position_of[node] = space->computes[node] ? order->n : -1;
		if (space->computes[node])
			order->node_at[order->n++] = node;
	}
	free(nodes);
	order->is_label = order->n == topo->nnodes;
	for (int i = 0; i < order->n; i++)
		order->is_label = order->is_label && order->node_at[i] == i;
	order->deque = xmalloc(2 * (size_t)order->n * sizeof(int) + sizeof(int));
	order->wraps = space->is_grid && space->ndims == 1 && space->is_ring;
	return 0;
}

static void close(struct constraint *constraint)
{
	struct contiguous *order = constraint->state;

	if (order == NULL)
		return;
	free(order->node_at);
	free(order->position_of);
	free(order->deque);
	free(order);
}

/* The nodes at the last positions up to one. */
static int visit_window(const struct contiguous *order, struct search *search, int last)
{
	int wanted = search->wanted, *set = xmalloc((size_t)wanted * sizeof(*set)), end;

	for (int k = 0; k < wanted; k++)
		set[k] = order->node_at[(last - wanted + 1 + k) % order->n];
	end = search_exact(search, set);
	free(set);
	return end;
}

/* Windows of the order that are idle; run counts the idle nodes up to the last position, sum is of
 * the ranks of those in the window. */
static int regions(struct constraint *constraint, struct search *search)
{
	const struct contiguous *order = constraint->state;
	int wanted = search->wanted, n = order->n, run = 0, end = SEARCH_ALL, best = -1;
	int last = order->wraps && wanted < n ? n + wanted - 1 : n;
	int64_t sum = 0, least = INT64_MAX;

	for (int i = 0; i < last && wanted <= n && end == SEARCH_ALL; i++) {
		int node = order->node_at[i % n];

		if (!machine_is_idle(search->machine, node)) {
			run = 0;
			sum = 0;
			continue;
		}
		sum += search->rank[node];
		if (++run > wanted)
			sum -= search->rank[order->node_at[(i - wanted) % n]];
		if (run < wanted)
			continue;
		if (search->wants_all && sum >= search->below)
			continue;
		if (search->wants_all) {
			end = search_spend(search, wanted) ? visit_window(order, search, i)
							   : SEARCH_BOUND;
		} else if (sum < least) {
			least = sum;
			best = i;
		}
	}
	return best >= 0 ? visit_window(order, search, best) : end;
}

/* A run of n ones, word by word. */
static bool has_run(const uint64_t *idle, int nnodes, int n)
{
	int run = 0;

	for (int w = 0; w * 64 < nnodes; w++) {
		uint64_t word = idle[w];

		if (word == ~0ULL) {
			if ((run += 64) >= n)
				return true;
			continue;
		}
		/* the run that goes on into the word, those inside, and the one that leaves it */
		if (run + __builtin_ctzll(~word) >= n)
			return true;
		for (uint64_t rest = word >> 1; n < 64 && rest != 0;) {
			int from = __builtin_ctzll(rest), ones;

			rest >>= from;
			ones = __builtin_ctzll(~rest);
			if (ones >= n)
				return true;
			rest >>= ones;
		}
		run = word >> 63 != 0 ? __builtin_clzll(~word) : 0;
	}
	return false;
}

static int fits(struct constraint *constraint, const uint64_t *idle, int n)
{
	const struct contiguous *order = constraint->state;
	int last = order->wraps && n < order->n ? order->n + n - 1 : order->n;

	if (n > order->n)
		return false;
	if (order->is_label && !order->wraps)
		return has_run(idle, order->n, n);
	for (int i = 0, run = 0; i < last; i++) {
		run = bits_has(idle, order->node_at[i % order->n]) ? run + 1 : 0;
		if (run >= n)
			return true;
	}
	return false;
}

/* The least maximum of a window of n: the deque holds positions whose times fall. */
static int64_t earliest(struct constraint *constraint, const struct free_times *times, int n)
{
	const struct contiguous *order = constraint->state;
	int last = order->wraps && n < order->n ? order->n + n - 1 : order->n;
	int *deque = order->deque, head = 0, tail = 0;
	int64_t least = INT64_MAX;

	if (n > order->n)
		return INT64_MAX;
	for (int i = 0; i < last; i++) {
		int64_t at = times->at[order->node_at[i % order->n]];

		while (tail > head && times->at[order->node_at[deque[tail - 1] % order->n]] <= at)
			tail--;
		deque[tail++] = i;
		if (deque[head] <= i - n)
			head++;
		if (i >= n - 1) {
			int64_t most = times->at[order->node_at[deque[head] % order->n]];

			least = most < least ? most : least;
		}
	}
	return least;
}

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	const struct contiguous *order = constraint->state;
	int wanted = search->wanted, gaps = 0;
	int *positions = xmalloc((size_t)wanted * sizeof(*positions));

	for (int i = 0; i < wanted; i++)
		positions[i] = order->position_of[nodes[i]];
	qsort(positions, (size_t)wanted, sizeof(*positions), compare);
	for (int i = 1; i < wanted; i++)
		gaps += positions[i] != positions[i - 1] + 1;
	if (gaps == 1 && order->wraps && positions[0] == 0 && positions[wanted - 1] == order->n - 1)
		gaps = 0;
	free(positions);
	return gaps == 0;
}

const struct constraint_type constraint_contiguous = {
	.entry =
		{
			.name = "contiguous",
			.example = "contiguous",
			.summary = "nodes that follow each other in an order; separate I/O nodes "
				   "are skipped, only a ring's order is closed",
			.paper = "Bleuse et al., Def. 5",
			.params = (const struct param[]){{.key = "order",
							  .type = PARAM_PICK,
							  .registry = &orders,
							  .def = "label",
							  .meaning = "the order of the nodes"},
							 CONSTRAINT_PARAMS,
							 {0}},
		},
	.turn = TURN_WINDOWS,
	.open = contiguous_open,
	.close = close,
	.is_quick = true,
	.shrinks = true,
	.fits = fits,
	.earliest = earliest,
	.regions = regions,
	.holds = holds,
};
