/* device_busy.c - how long storage devices serve requests */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "measure/metric/metric.h"
#include "model/kinds.h"

static const struct metric_output outputs[] = {
	{"device-busy", "1", "fraction of the run in which a storage device serves, mean"},
	{"device-busy-max", "1", "the same of the busiest device; the note names its node"},
	{"device-balance", "1", "bytes of the mean device divided by those of the fullest one"},
	{0}};

struct busy {
	int node, busy, elapsed, read, written;
	double sum, max, bytes, most;
	int64_t n, nbusy; /* nbusy: with busy_s and elapsed_s */
	struct buf busiest;
};

static int device_busy_open(void **state, const struct pick *pick,
			    const struct metric_context *context, struct err *err)
{
	struct busy *busy = xcalloc(1, sizeof(*busy));

	(void)pick, (void)err;
	busy->node = table_find(context->in, "node");
	busy->busy = table_find(context->in, "busy_s");
	busy->elapsed = table_find(context->in, "elapsed_s");
	busy->read = table_find(context->in, "bytes_read");
	busy->written = table_find(context->in, "bytes_written");
	busy->max = -1;
	*state = busy;
	return 0;
}

static void close(void *state)
{
	struct busy *busy = state;

	buf_free(&busy->busiest);
	free(busy);
}

static int row(void *state, const struct metric_item *item, struct metric_sink *sink,
	       struct err *err)
{
	struct busy *busy = state;
	const struct row *row = item->row;
	double seconds = 0, elapsed = 0, read = 0, written = 0, share;
	int has_busy = row_real(row, busy->busy, "busy_s", 0, 1e300, &seconds, err);
	int has_elapsed = row_real(row, busy->elapsed, "elapsed_s", 0, 1e300, &elapsed, err);

	(void)sink;
	if (has_busy < 0 || has_elapsed < 0 ||
	    row_real(row, busy->read, "bytes_read", 0, 1e300, &read, err) < 0 ||
	    row_real(row, busy->written, "bytes_written", 0, 1e300, &written, err) < 0)
		return -1;
	busy->n++;
	busy->bytes += read + written;
	if (read + written > busy->most)
		busy->most = read + written;
	if (!has_busy || !has_elapsed)
		return 0;
	share = elapsed > 0 ? seconds / elapsed : 0;
	busy->nbusy++;
	busy->sum += share;
	if (share > busy->max) {
		busy->max = share;
		buf_clear(&busy->busiest);
		buf_str(&busy->busiest, row_text(row, busy->node));
	}
	return 0;
}

static int end(void *state, struct metric_sink *sink, struct err *err)
{
	const struct busy *busy = state;
	bool has_busy = busy->nbusy > 0;

	(void)err;
	metric_put(sink, outputs[0].name, "1", has_busy ? busy->sum / (double)busy->nbusy : NAN,
		   NULL);
	metric_put(sink, outputs[1].name, "1", has_busy ? busy->max : NAN,
		   has_busy ? busy->busiest.text : NULL);
	metric_put(sink, outputs[2].name, "1",
		   busy->most > 0 ? busy->bytes / (double)busy->n / busy->most : NAN, NULL);
	return 0;
}

static const struct table_kind *const kinds[] = {&kind_storage, NULL};
static const char *const columns[] = {"busy_s", "elapsed_s", NULL};

const struct metric metric_device_busy = {
	.entry = {.name = "device-busy",
		  .example = "device-busy",
		  .summary = "fraction of the time in which storage devices serve requests"},
	.kinds = kinds,
	.columns = columns,
	.per_run = true,
	.outputs = outputs,
	.open = device_busy_open,
	.row = row,
	.end = end,
	.close = close,
};
