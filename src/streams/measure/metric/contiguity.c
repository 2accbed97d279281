/* contiguity.c - into how many ranges of an order a job falls, and how long they are together */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/ordered.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"contiguity", "1", "(nodes − ranges) over (nodes − 1): 1 is one range, 0 no two together"},
	{"contiguity-ranges", "1", "ranges of consecutive places in the order"},
	{"contiguity-span", "1",
	 "places from the job's first node to its last, over its nodes: 1 is one range"},
	{0}};

struct contiguity {
	struct ordered ordered;
	int *to; /* [nnodes] the last node up to which places count up with the nodes, or are -1 */
	struct node_ranges places, sorted;
};

static void find_runs(struct contiguity *contiguity, int nnodes)
{
	const int *place_of = contiguity->ordered.place_of;

	contiguity->to = xmalloc((size_t)nnodes * sizeof(*contiguity->to));
	for (int node = nnodes - 1; node >= 0; node--) {
		int next = place_of[node] >= 0 ? place_of[node] + 1 : -1;

		contiguity->to[node] = node + 1 < nnodes && place_of[node + 1] == next
					       ? contiguity->to[node + 1]
					       : node;
	}
}

static int contiguity_open(void **state, const struct pick *pick,
			   const struct metric_context *context, struct err *err)
{
	struct contiguity *contiguity = xcalloc(1, sizeof(*contiguity));

	*state = contiguity;
	if (ordered_open(&contiguity->ordered, pick, context, err) != 0)
		return -1;
	find_runs(contiguity, context->topo->nnodes);
	return 0;
}

static void close(void *state)
{
	struct contiguity *contiguity = state;

	ordered_close(&contiguity->ordered);
	free(contiguity->to);
	node_ranges_free(&contiguity->places);
	node_ranges_free(&contiguity->sorted);
	free(contiguity);
}

/* The places of the job's nodes, those that follow each other joined. */
static const struct node_ranges *find_places(struct contiguity *contiguity,
					     const struct node_ranges *ranges)
{
	const int *place_of = contiguity->ordered.place_of;

	node_ranges_clear(&contiguity->places);
	for (size_t i = 0; i < ranges->of.n; i++)
		for (int node = ranges->of.at[i].first, to; node <= ranges->of.at[i].last;
		     node = to + 1) {
			to = contiguity->to[node];
			to = to < ranges->of.at[i].last ? to : ranges->of.at[i].last;
			if (place_of[node] >= 0)
				node_ranges_add(&contiguity->places, place_of[node],
						place_of[node] + to - node);
		}
	return node_ranges_by_label(&contiguity->places, &contiguity->sorted);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct contiguity *contiguity = state;
	const struct node_ranges *places = find_places(contiguity, item->by_label);
	int nranges = (int)places->of.n, span;

	(void)err;
	if (places->nnodes == 0) {
		for (int i = 0; i < 3; i++)
			metric_put(sink, outputs[i].name, "1", NAN, "not placed");
		return 0;
	}
	span = places->of.at[nranges - 1].last - places->of.at[0].first + 1;
	metric_put(sink, outputs[0].name, "1",
		   places->nnodes > 1
			   ? (double)(places->nnodes - nranges) / (double)(places->nnodes - 1)
			   : 1,
		   NULL);
	metric_put(sink, outputs[1].name, "1", nranges, NULL);
	metric_put(sink, outputs[2].name, "1", (double)span / (double)places->nnodes, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_contiguity = {
	.entry = {.name = "contiguity",
		  .example = "contiguity",
		  .summary = "how contiguous the job's nodes are in an order",
		  .paper = "Bleuse et al., Def. 5",
		  .params = (const struct param[]){ORDERED_PARAM, {0}}},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.only_when_asked = true,
	.outputs = outputs,
	.open = contiguity_open,
	.row = row,
	.close = close,
};
