/* slurm_hostfile.c - mappings as SLURM_HOSTFILE: line i is the node of task i */
#include "convert/writer/rank_writer.h"

static int print(struct ranks_writer *writer, struct err *err)
{
	if (ranks_check_names(writer, "*,[]()", "a host file of Slurm", err) != 0)
		return -1;
	for (size_t i = 0; i < writer->places.n; i++)
		out_printf(writer->out, "%s\n", writer->nodes.at[writer->places.at[i].node]);
	return 0;
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return ranks_start(input, print);
}

static const struct param params[] = {RANKS_PARAMS, {0}};

const struct writer writer_slurm_hostfile = {
	.entry = {.name = "slurm-hostfile",
		  .example = "slurm-hostfile",
		  .summary =
			  "a SLURM_HOSTFILE for srun --distribution=arbitrary: line i is the node "
			  "of task i",
		  .params = params},
	.takes = ranks_takes,
	.start = start,
	.taker = {ranks_begin, ranks_row, ranks_end},
	.stop = ranks_stop,
};
