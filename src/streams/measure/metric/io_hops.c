/* io_hops.c - links that packets of a job's I/O took */
#include <math.h>
#include <stdlib.h>

#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"io-hops", "1", "mean number of links that the packets of a job's I/O took"},
	{"io-nonminimal", "1", "fraction of them that took a non-minimal route"},
	{0}};
static const char *const columns[] = {"io_hops_mean", "io_nonminimal_fraction", NULL};

static int io_hops_open(void **state, const struct pick *pick, const struct metric_context *context,
			struct err *err)
{
	int *places = xcalloc(2, sizeof(*places));

	(void)pick, (void)err;
	for (int i = 0; i < 2; i++)
		places[i] = table_find(context->in, columns[i]);
	*state = places;
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	const int *places = state;

	for (int i = 0; i < 2; i++) {
		double value = NAN;

		if (row_real(item->row, places[i], columns[i], 0, 1e300, &value, err) < 0)
			return -1;
		metric_put(sink, outputs[i].name, "1", value, NULL);
	}
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_jobs, NULL};

const struct metric metric_io_hops = {
	.entry = {.name = "io-hops",
		  .example = "io-hops",
		  .summary = "links that the packets of a job's I/O took",
		  .paper = "Khetawat 2022, figure 2.6"},
	.kinds = kinds,
	.columns = columns,
	.outputs = outputs,
	.open = io_hops_open,
	.row = row,
	.close = free,
};
