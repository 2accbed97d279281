/* fragmentation.c - into how many pieces a job falls in label order */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"fragments", "1", "runs of consecutive labels that the job's nodes form"},
	{"fragmentation", "1",
	 "(fragments − 1) over (nodes − 1): 0 is one piece, 1 is not a two nodes together"},
	{0}};

struct fragments {
	int_vec sorted;
};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	(void)pick;
	(void)context;
	(void)err;
	*state = xcalloc(1, sizeof(struct fragments));
	return 0;
}

static int compare(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct fragments *fragments = state;
	int n = item->nnodes, nfragments = 1;
	int *at;

	(void)err;
	if (n == 0) {
		metric_put(sink, outputs[0].name, "1", NAN, "not placed");
		metric_put(sink, outputs[1].name, "1", NAN, "not placed");
		return 0;
	}
	vec_reserve(&fragments->sorted, (size_t)n);
	at = fragments->sorted.at;
	memcpy(at, item->nodes, (size_t)n * sizeof(*at));
	qsort(at, (size_t)n, sizeof(*at), compare);
	for (int i = 1; i < n; i++)
		nfragments += at[i] != at[i - 1] + 1;
	metric_put(sink, outputs[0].name, "1", nfragments, NULL);
	metric_put(sink, outputs[1].name, "1", n > 1 ? (nfragments - 1.0) / (n - 1.0) : 0, NULL);
	return 0;
}

static void close(void *state)
{
	struct fragments *fragments = state;

	vec_free(&fragments->sorted);
	free(fragments);
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
static const char *const columns[] = {"nodelist", NULL};

const struct metric metric_fragmentation = {
	.entry = {.name = "fragmentation",
		  .example = "fragmentation",
		  .summary = "into how many pieces the job falls in label order"},
	.kinds = kinds,
	.columns = columns,
	.needs = METRIC_TOPOLOGY,
	.outputs = outputs,
	.open = open,
	.row = row,
	.close = close,
};
