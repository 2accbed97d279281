/* mpich_rank_order.c - mappings as MPICH_RANK_ORDER of Cray MPICH */
#include <stdlib.h>
#include <string.h>

#include "convert/writer/nodename.h"
#include "convert/writer/rank_writer.h"
#include "formats/hostlist.h"

/* The nodes in the order in which the launcher fills them, and the ranks of each. */
struct order {
	struct ranks_writer *writer;
	int32_t *place_of; /* [nodes]: position in the launcher's order; -1: not named */
	int32_t nnamed;
};

static int name_node(void *context, const char *name, size_t n, struct err *err)
{
	struct order *order = context;
	int64_t at = map_get(&order->writer->index, name, n);

	if (at >= 0 && order->place_of[at] >= 0)
		return err_set(err, "the node '%s' is there twice", name);
	if (at >= 0)
		order->place_of[at] = order->nnamed;
	order->nnamed++;
	return 0;
}

struct named_node {
	const char *name;
	int32_t node;
};

static int by_name(const void *a, const void *b)
{
	return nodename_compare(((const struct named_node *)a)->name,
				((const struct named_node *)b)->name);
}

/* Sorted as Slurm sorts, unless nodes= says the order. */
static int order_nodes(struct order *order, struct err *err)
{
	struct ranks_writer *writer = order->writer;
	const char *nodes = pick_word(writer->pick, "nodes");
	struct named_node *names;

	for (size_t i = 0; i < writer->nodes.n; i++)
		order->place_of[i] = -1;
	if (nodes != NULL) {
		if (hostlist_walk(nodes, name_node, order, err) != 0)
			return err_prefix(err, "nodes: ");
		for (size_t i = 0; i < writer->nodes.n; i++)
			if (order->place_of[i] < 0)
				return err_set(err, "nodes: '%s' of the mapping is not among them",
					       writer->nodes.at[i]);
		return 0;
	}
	names = xcalloc(writer->nodes.n, sizeof(*names));
	for (size_t i = 0; i < writer->nodes.n; i++)
		names[i] = (struct named_node){writer->nodes.at[i], (int32_t)i};
	if (writer->nodes.n > 0)
		qsort(names, writer->nodes.n, sizeof(*names), by_name);
	for (size_t i = 0; i < writer->nodes.n; i++)
		order->place_of[names[i].node] = (int32_t)i;
	free(names);
	return 0;
}

/* A place with its node's position, for sorting without globals. */
struct sorted_place {
	int32_t position;
	int64_t core, rank;
};

static int by_place(const void *a, const void *b)
{
	const struct sorted_place *left = a, *right = b;

	if (left->position != right->position)
		return left->position < right->position ? -1 : 1;
	if (left->core != right->core)
		return left->core < right->core ? -1 : 1;
	return (left->rank > right->rank) - (left->rank < right->rank);
}

/* One line a node, as grid_order prints it; ranks that follow each other are a range. */
static void put_line(struct out *out, const struct sorted_place *places, size_t n)
{
	for (size_t i = 0, j; i < n; i = j + 1) {
		for (j = i; j + 1 < n && places[j + 1].rank == places[j].rank + 1;)
			j++;
		out_printf(out, "%s%lld", i ? "," : "", (long long)places[i].rank);
		if (j > i)
			out_printf(out, "%c%lld", j > i + 1 ? '-' : ',', (long long)places[j].rank);
	}
	out_char(out, '\n');
}

static int put_order(const struct order *order, struct err *err)
{
	struct ranks_writer *writer = order->writer;
	size_t n = writer->places.n, each = 0;
	struct sorted_place *places = xcalloc(n, sizeof(*places));
	int status = 0;

	for (size_t i = 0; i < n; i++) {
		const struct rank_place *place = &writer->places.at[i];

		places[i] = (struct sorted_place){order->place_of[place->node], place->core,
						  place->rank};
	}
	if (n > 0)
		qsort(places, n, sizeof(*places), by_place);
	for (size_t i = 0, j; i < n && status == 0; i = j) {
		for (j = i; j < n && places[j].position == places[i].position;)
			j++;
		/* the launcher fills every node with as many, the last one with the rest */
		if (i == 0)
			each = j;
		else if (j - i > each || (j - i < each && j < n))
			status = err_set(err,
					 "the nodes have %zu and %zu ranks: the format takes as "
					 "many on each, and fewer on the last one only",
					 each, j - i);
		put_line(writer->out, places + i, j - i);
	}
	free(places);
	return status;
}

static int print(struct ranks_writer *writer, struct err *err)
{
	struct order order = {.writer = writer,
			      .place_of = xcalloc(writer->nodes.n, sizeof(int32_t))};
	int status = order_nodes(&order, err);

	if (status == 0)
		status = put_order(&order, err);
	free(order.place_of);
	return status;
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return ranks_start(input, print);
}

static const struct param params[] = {{.key = "nodes",
				       .type = PARAM_TEXT,
				       .optional = true,
				       .meaning = "hostlist of the job's nodes, as the "
						  "launcher fills them; default: sorted as "
						  "by Slurm"},
				      RANKS_PARAMS,
				      {0}};

const struct writer writer_mpich_rank_order = {
	.entry = {.name = "mpich-rank-order",
		  .example = "mpich-rank-order",
		  .summary = "an MPICH_RANK_ORDER file (MPICH_RANK_REORDER_METHOD=3), one "
			     "line per node",
		  .params = params},
	.takes = ranks_takes,
	.start = start,
	.taker = {ranks_begin, ranks_row, ranks_end},
	.stop = ranks_stop,
};
