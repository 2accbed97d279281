/* metis.c - communication graphs as METIS graphs */
#include "convert/writer/graph_writer.h"

/* An edge weighs what both directions carry together; vertices count from 1. */
static int print(struct graph_writer *writer, const struct comm *comm, struct err *err)
{
	struct comm *both = comm_symmetric(comm);
	struct out *out = writer->out;

	graph_warn(writer, comm, both);
	out_printf(out, "%d %lld 001\n", both->nranks, (long long)both->nedges / 2);
	for (int r = 0; r < both->nranks; r++) {
		for (int64_t i = both->first[r]; i < both->first[r + 1]; i++)
			out_printf(out, "%s%d %lld", i > both->first[r] ? " " : "",
				   both->peer[i] + 1,
				   (long long)graph_whole(writer, both->bytes[i]));
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

const struct writer writer_metis = {
	.entry = {.name = "metis",
		  .example = "metis:weight=bytes",
		  .summary = "a METIS graph: an edge weighs what both directions carry",
		  .params = params},
	.takes = graph_takes,
	.start = start,
	.taker = {graph_begin, graph_row, graph_end},
	.stop = graph_stop,
};
