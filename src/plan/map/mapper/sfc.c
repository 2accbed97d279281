/* sfc.c - ranks and nodes both along a space-filling curve, side by side */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "machine/order/gilbert.h"
#include "machine/order/order.h"
#include "base/mem.h"

/* The process grid, rank = (x·sides[1] + y)·sides[2] + z, and the ranks along the curve so far. */
struct walk {
	int sides[3];
	int *rank_at;
	int n;
};

static void visit(void *context, const int at[3])
{
	struct walk *walk = context;

	walk->rank_at[walk->n++] = (at[0] * walk->sides[1] + at[1]) * walk->sides[2] + at[2];
}

static int order_ranks(const struct map_input *in, const struct pick *pick, int *rank_at,
		       struct err *err)
{
	const struct value *dims = pick_value(pick, "dims");
	struct walk walk = {{1, 1, 1}, rank_at, 0};
	int64_t n = 1;

	for (int r = 0; r < in->comm->nranks; r++)
		rank_at[r] = r;
	if (!dims->is_set)
		return 0;
	for (int d = 0; d < dims->nsizes && n <= INT32_MAX; d++)
		n *= dims->sizes[d];
	if (dims->nsizes > 3 || n != in->comm->nranks)
		return err_set(err,
			       "sfc: dims %s: expected up to three dimensions of %d ranks in all",
			       dims->text, in->comm->nranks);
	for (int d = 0; d < dims->nsizes; d++)
		walk.sides[d] = (int)dims->sizes[d];
	gilbert(walk.sides, visit, &walk);
	return 0;
}

/* The nodes of the allocation in the machine's order. at [nnodes] */
static int order_nodes(const struct map_input *in, const struct pick *pick, int *at,
		       struct err *err)
{
	int *order;

	if (order_make(&order, in->topo, pick_pick(pick, "order"), err) != 0)
		return err_prefix(err, "sfc: ");
	map_nodes_in_order(in, order, in->topo->nnodes, at);
	free(order);
	return 0;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	int *rank_at = xmalloc((size_t)in->comm->nranks * sizeof(*rank_at));
	int *node_at = xmalloc((size_t)in->nnodes * sizeof(*node_at)), node = 0, nthere = 0;
	int status = order_ranks(in, pick, rank_at, err);

	(void)parts;
	if (status == 0)
		status = order_nodes(in, pick, node_at, err);
	for (int i = 0; i < in->comm->nranks && status == 0; i++) {
		while (nthere == in->room[node_at[node]]) {
			node++;
			nthere = 0;
		}
		node_of[rank_at[i]] = node_at[node];
		nthere++;
	}
	free(rank_at);
	free(node_at);
	return status;
}

const struct map_policy map_policy_sfc = {
	.entry =
		{
			.name = "sfc",
			.example = "sfc",
			.summary = "ranks and nodes, both along a space-filling curve",
			.params =
				(const struct param[]){
					{.key = "dims",
					 .type = PARAM_SIZES,
					 .min = 1,
					 .max = 1 << 24,
					 .optional = true,
					 .meaning = "the grid of the ranks, last dimension "
						    "numbered fastest, followed along "
						    "Hilbert's curve; default: ranks in order"},
					{.key = "order",
					 .type = PARAM_PICK,
					 .def = "label",
					 .registry = &orders,
					 .meaning = "the order of the machine's nodes"},
					{0}},
		},
	.refine = "none",
	.run = run,
};
