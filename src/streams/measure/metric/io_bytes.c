/* io_bytes.c - what was read and written, and in how many operations: the sums that
 * Darshan keeps */
#include <stdlib.h>

#include "base/str.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"io-bytes-read", "bytes", "bytes read, Darshan's POSIX_BYTES_READ"},
	{"io-bytes-written", "bytes", "bytes written, POSIX_BYTES_WRITTEN"},
	{"io-reads", "1", "read operations, POSIX_READS"},
	{"io-writes", "1", "write operations, POSIX_WRITES"},
	{0}};

struct sums {
	int op, bytes_column;
	double bytes[2], nops[2]; /* read, written */
};

static int open(void **state, const struct pick *pick, const struct metric_context *context,
		struct err *err)
{
	struct sums *sums = xcalloc(1, sizeof(*sums));

	(void)pick, (void)err;
	sums->op = table_find(context->in, "op");
	sums->bytes_column = table_find(context->in, "bytes");
	*state = sums;
	return 0;
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct sums *sums = state;
	const char *op = row_text(item->row, sums->op);
	double bytes;
	int i;

	(void)sink;
	if (op == NULL || (!str_eq(op, "read") && !str_eq(op, "write")))
		return 0;
	if (row_real(item->row, sums->bytes_column, "bytes", 0, 1e300, &bytes, err) < 0)
		return -1;
	i = str_eq(op, "write");
	sums->bytes[i] += bytes;
	sums->nops[i]++;
	return 0;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct sums *sums = state;

	(void)err;
	for (int i = 0; i < 2; i++)
		metric_put(sink, outputs[i].name, outputs[i].unit, sums->bytes[i], NULL);
	for (int i = 0; i < 2; i++)
		metric_put(sink, outputs[2 + i].name, outputs[2 + i].unit, sums->nops[i], NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_iotrace, NULL};

const struct metric metric_io_bytes = {
	.entry = {.name = "io-bytes",
		  .example = "io-bytes",
		  .summary = "bytes and operations of all ranks, as Darshan adds them up",
		  .paper = "Khetawat 2022, §2.5"},
	.kinds = kinds,
	.per_run = true,
	.outputs = outputs,
	.open = open,
	.row = row,
	.end = end,
	.close = free,
};
