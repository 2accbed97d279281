/* scotch.c - communication graphs as Scotch source graphs */
#include "convert/writer/graph_writer.h"

/* An edge weighs what both directions carry together. */
static int print(struct graph_writer *writer, const struct comm *comm, struct err *err)
{
	struct comm *both = comm_symmetric(comm);
	struct out *out = writer->out;

	graph_warn(writer, comm, both);
	/* version; vertices and arcs; base 0, edge loads only */
	out_printf(out, "0\n%d\t%lld\n0\t010\n", both->nranks, (long long)both->nedges);
	for (int r = 0; r < both->nranks; r++) {
		out_printf(out, "%lld", (long long)(both->first[r + 1] - both->first[r]));
		for (int64_t i = both->first[r]; i < both->first[r + 1]; i++)
			out_printf(out, "\t%lld\t%d",
				   (long long)graph_whole(writer, both->bytes[i]), both->peer[i]);
		out_char(out, '\n');
	}
	comm_free(both);
	return out_check(out, err);
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return graph_start(input, print);
}

static const struct param params[] = {GRAPH_PARAMS, GRAPH_SCALE, {0}};

const struct writer writer_scotch = {
	.entry = {.name = "scotch",
		  .example = "scotch:scale=1024",
		  .summary = "a Scotch source graph: an edge weighs what both directions carry",
		  .params = params},
	.takes = graph_takes,
	.start = start,
	.taker = {graph_begin, graph_row, graph_end},
	.stop = graph_stop,
};
