/* matrixmarket.c - communication graphs as Matrix Market files */
#include "convert/writer/graph_writer.h"
#include "base/num.h"

/* Entry (i, j), counted from 1, is what rank i − 1 sends to rank j − 1. */
static int print(struct graph_writer *writer, const struct comm *comm, struct err *err)
{
	struct out *out = writer->out;
	char text[NUM_TEXT];

	out_printf(out, "%%%%MatrixMarket matrix coordinate real general\n%d %d %lld\n",
		   comm->nranks, comm->nranks, (long long)comm->nedges);
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t i = comm->first[r]; i < comm->first[r + 1]; i++) {
			num_print_real(text, comm->bytes[i]);
			out_printf(out, "%d %d %s\n", r + 1, comm->peer[i] + 1, text);
		}
	return out_check(out, err);
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return graph_start(input, print);
}

static const struct param params[] = {GRAPH_PARAMS, {0}};

const struct writer writer_matrixmarket = {
	.entry = {.name = "matrixmarket",
		  .example = "matrixmarket",
		  .summary = "a Matrix Market file: (i, j) is what rank i-1 sends to rank j-1",
		  .params = params},
	.takes = graph_takes,
	.start = start,
	.taker = {graph_begin, graph_row, graph_end},
	.stop = graph_stop,
};
