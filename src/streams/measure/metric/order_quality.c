/* order_quality.c - how compact jobs are wherever they are in an order (Albing's measure) */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/ordered.h"
#include "measure/metric/window_sums.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"order-quality", "1",
	 "mean distance of two nodes, over all pairs within a window of as many consecutive nodes "
	 "of the order as the job asks for, over all windows; small is good"},
	{"order-quality-best", "1", "the mean within the best window"},
	{"order-quality-worst", "1", "the mean within the worst window"},
	{0}};

struct quality {
	int size;
	double mean, best, worst;
};

struct order_quality {
	struct ordered ordered;
	struct window_sums window;
	int size; /* 0: what the job asks for */
	int nodes_column;
	VEC(struct quality) known;
};

static int order_quality_open(void **state, const struct pick *pick,
			      const struct metric_context *context, struct err *err)
{
	struct order_quality *quality = xcalloc(1, sizeof(*quality));

	*state = quality;
	quality->size = pick_has(pick, "size") ? (int)pick_int(pick, "size") : 0;
	quality->nodes_column = table_find(context->in, "nodes");
	if (ordered_open(&quality->ordered, pick, context, err) != 0)
		return -1;
	window_sums_open(&quality->window, &quality->ordered.regions.geometry);
	return 0;
}

static void close(void *state)
{
	struct order_quality *quality = state;

	window_sums_close(&quality->window);
	ordered_close(&quality->ordered);
	free(quality->known.at);
	free(quality);
}

/* A window moves on: what leaves takes its distances with it, what comes brings its own. */
static struct quality measure(struct order_quality *quality, int size)
{
	const struct ordered *ordered = &quality->ordered;
	struct window_sums *window = &quality->window;
	double npairs = (double)size * (size - 1) / 2, total = 0;
	int nwindows = ordered->n - size + 1;
	int64_t sum = 0, least, most;

	window_sums_clear(window);
	for (int i = 0; i < size; i++) {
		sum += window_sums_of(window, ordered->node_at[i]);
		window_sums_add(window, ordered->node_at[i]);
	}
	least = most = sum;
	total = (double)sum;
	for (int first = 1; first < nwindows; first++) {
		int left = ordered->node_at[first - 1], next = ordered->node_at[first + size - 1];

		window_sums_remove(window, left);
		sum -= window_sums_of(window, left);
		sum += window_sums_of(window, next);
		window_sums_add(window, next);
		least = sum < least ? sum : least;
		most = sum > most ? sum : most;
		total += (double)sum;
	}
	return (struct quality){size, total / npairs / nwindows, (double)least / npairs,
				(double)most / npairs};
}

static const struct quality *quality_of(struct order_quality *quality, int size)
{
	for (size_t i = 0; i < quality->known.n; i++)
		if (quality->known.at[i].size == size)
			return &quality->known.at[i];
	vec_push(&quality->known, measure(quality, size));
	return &quality->known.at[quality->known.n - 1];
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct order_quality *quality = state;
	struct quality found = {0, NAN, NAN, NAN};
	const char *note = NULL;
	int64_t size = quality->size;

	if (size == 0 &&
	    row_int(item->row, quality->nodes_column, "nodes", 1, INT32_MAX, &size, err) < 0)
		return -1;
	if (size > quality->ordered.n)
		note = "more nodes than the machine has";
	else if (size < 2)
		note = "a single node";
	else
		found = *quality_of(quality, (int)size);
	metric_put(sink, outputs[0].name, "1", found.mean, note);
	metric_put(sink, outputs[1].name, "1", found.best, note);
	metric_put(sink, outputs[2].name, "1", found.worst, note);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};

const struct metric metric_order_quality = {
	.entry = {.name = "order-quality",
		  .example = "order-quality",
		  .summary = "how close together jobs of this size are, at all positions "
			     "of an order of the nodes",
		  .paper = "Albing, Characterizing node orderings for "
			   "improved performance, PMBS 2015",
		  .params =
			  (const struct param[]){
				  ORDERED_PARAM,
				  {.key = "size",
				   .type = PARAM_INT,
				   .min = 1,
				   .max = INT32_MAX,
				   .optional = true,
				   .unit = "nodes",
				   .meaning = "size of the windows; default: the number "
					      "of nodes that each job requests"},
				  {0}}},
	.kinds = kinds,
	.needs = METRIC_TOPOLOGY | METRIC_ROUTES,
	.only_when_asked = true,
	.outputs = outputs,
	.open = order_quality_open,
	.row = row,
	.close = close,
};
