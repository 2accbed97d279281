/* netloc_matrix.c - communication graphs as dense matrices (netloc, TreeMatch) */
#include "convert/writer/graph_writer.h"
#include "base/num.h"

static int print(struct graph_writer *writer, const struct comm *comm, struct err *err)
{
	struct out *out = writer->out;
	char text[NUM_TEXT];

	for (int r = 0; r < comm->nranks; r++) {
		int64_t i = comm->first[r];

		for (int to = 0; to < comm->nranks; to++) {
			bool sends = i < comm->first[r + 1] && comm->peer[i] == to;

			num_print_real(text, sends ? comm->bytes[i++] : 0);
			out_str(out, to ? " " : "");
			out_str(out, text);
		}
		out_char(out, '\n');
		if (out_failed(out))
			return err_set(err, "the output can't be written");
	}
	return 0;
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return graph_start(input, print);
}

static const struct param params[] = {GRAPH_PARAMS, {0}};

const struct writer writer_netloc_matrix = {
	.entry = {.name = "netloc-matrix",
		  .example = "netloc-matrix",
		  .summary = "a dense matrix of bytes, one line per sending rank (netloc,"
			     " TreeMatch)",
		  .params = params},
	.takes = graph_takes,
	.start = start,
	.taker = {graph_begin, graph_row, graph_end},
	.stop = graph_stop,
};
