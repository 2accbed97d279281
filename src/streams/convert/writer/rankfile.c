/* rankfile.c - mappings as rank files of Open MPI */
#include <stdlib.h>

#include "convert/writer/rank_writer.h"

/* "rank 0=n1 slot=3": without cores the ranks of a node take its slots one after the other. */
static int print(struct ranks_writer *writer, struct err *err)
{
	int64_t *next;

	/* +n2 is the third node of the job */
	if (ranks_check_names(writer, "+=,\"", "a rank file", err) != 0)
		return -1;
	next = xcalloc(writer->nodes.n, sizeof(*next));
	for (size_t i = 0; i < writer->places.n; i++) {
		const struct rank_place *place = &writer->places.at[i];
		int64_t slot = place->core >= 0 ? place->core : next[place->node]++;

		out_printf(writer->out, "rank %lld=%s slot=%lld\n", (long long)place->rank,
			   writer->nodes.at[place->node], (long long)slot);
	}
	free(next);
	return 0;
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return ranks_start(input, print);
}

static const struct param params[] = {RANKS_PARAMS, {0}};

const struct writer writer_rankfile = {
	.entry = {.name = "rankfile",
		  .example = "rankfile",
		  .summary = "a rank file of Open MPI 4 and 5 (mpirun --rankfile "
			     "FILE, or --map-by rankfile:file=FILE)",
		  .params = params},
	.takes = ranks_takes,
	.start = start,
	.taker = {ranks_begin, ranks_row, ranks_end},
	.stop = ranks_stop,
};
