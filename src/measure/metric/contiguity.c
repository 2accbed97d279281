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
	int_vec places;
};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	struct contiguity *contiguity = xcalloc(1, sizeof(*contiguity));

	*state = contiguity;
	return ordered_open(&contiguity->ordered, pick, context, err);
}

static void close(void *state)
{
	struct contiguity *contiguity = state;

	ordered_close(&contiguity->ordered);
	free(contiguity->places.at);
	free(contiguity);
}

static int compare(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct contiguity *contiguity = state;
	int_vec *places = &contiguity->places;
	int nranges = 1, span;

	(void)err;
	places->n = 0;
	for (int i = 0; i < item->nnodes; i++)
		if (contiguity->ordered.place_of[item->nodes[i]] >= 0)
			vec_push(places, contiguity->ordered.place_of[item->nodes[i]]);
	if (places->n == 0) {
		for (int i = 0; i < 3; i++)
			metric_put(sink, outputs[i].name, "1", NAN, "not placed");
		return 0;
	}
	qsort(places->at, places->n, sizeof(int), compare);
	for (size_t i = 1; i < places->n; i++)
		nranges += places->at[i] != places->at[i - 1] + 1;
	span = places->at[places->n - 1] - places->at[0] + 1;
	metric_put(sink, outputs[0].name, "1",
		   places->n > 1 ? (double)((int)places->n - nranges) / (double)(places->n - 1) : 1,
		   NULL);
	metric_put(sink, outputs[1].name, "1", nranges, NULL);
	metric_put(sink, outputs[2].name, "1", (double)span / (double)places->n, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_contiguity = {
	.entry = {.name = "contiguity",
		  .example = "contiguity",
		  .summary = "how far the job's nodes follow each other in an order of the nodes",
		  .paper = "Bleuse et al., Def. 5",
		  .params = (const struct param[]){ORDERED_PARAM, {0}}},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.only_when_asked = true,
	.outputs = outputs,
	.open = open,
	.row = row,
	.close = close,
};
