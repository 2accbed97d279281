/* torchrun.c - mappings as node ranks of torchrun and dlrover-run, which number ranks node
 * by node */
#include <stdlib.h>

#include "convert/writer/rank_writer.h"

/* Rank r is process r mod K of the node with node rank r / K: so each node must have K ranks in a
 * row, which begin at a multiple of K. */
static int check_rows(const struct ranks_writer *writer, size_t each, struct err *err)
{
	for (size_t i = 0; i < writer->places.n; i++) {
		size_t first = i / each * each;
		int node = writer->places.at[i].node;

		if (node != writer->places.at[first].node)
			return err_set(err,
				       "rank %zu is on %s and rank %zu on %s, expected %zu ranks "
				       "in a row on each node (mapref --partition block)",
				       first, writer->nodes.at[writer->places.at[first].node], i,
				       writer->nodes.at[node], each);
	}
	return 0;
}

static int print(struct ranks_writer *writer, struct err *err)
{
	size_t each = writer->nodes.n > 0 ? writer->places.n / writer->nodes.n : 0;

	if (ranks_check_names(writer, "", "a list of node ranks", err) != 0)
		return -1;
	if (each * writer->nodes.n != writer->places.n)
		return err_set(err, "%zu ranks on %zu nodes, expected as many on each",
			       writer->places.n, writer->nodes.n);
	if (each > 0 && check_rows(writer, each, err) != 0)
		return -1;
	for (size_t i = 0; each > 0 && i < writer->places.n; i += each)
		out_printf(writer->out, "%s %zu\n", writer->nodes.at[writer->places.at[i].node],
			   i / each);
	return 0;
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return ranks_start(input, print);
}

static const struct param params[] = {RANKS_PARAMS, {0}};

const struct writer writer_torchrun = {
	.entry = {.name = "torchrun",
		  .aliases = "dlrover",
		  .example = "torchrun",
		  .summary =
			  "node ranks for torchrun and dlrover-run: each node and its --node-rank",
		  .params = params},
	.takes = ranks_takes,
	.start = start,
	.taker = {ranks_begin, ranks_row, ranks_end},
	.stop = ranks_stop,
};
