/* hostfile.c - host files of MPI launchers: one node a line, with its slots */
#include "convert/writer/nodelist.h"

static void print(struct nodelist_writer *writer, const struct nodelist *list)
{
	for (size_t i = 0; i < list->nodes.n; i++) {
		const struct placed_node *node = &list->nodes.at[i];

		if (pick_is(writer->pick, "style", "plain"))
			out_printf(writer->out, "%s\n", node->name);
		else
			out_printf(writer->out,
				   pick_is(writer->pick, "style", "openmpi") ? "%s slots=%lld\n"
									     : "%s:%lld\n",
				   node->name, (long long)node->nslots);
	}
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return nodelist_start(input, print, true);
}

static const struct param params[] = {{.key = "style",
				       .type = PARAM_WORD,
				       .def = "openmpi",
				       .choices = "openmpi|mpich|plain",
				       .meaning = "'node slots=4', 'node:4', or the name alone"},
				      NODELIST_PARAMS,
				      {0}};

const struct writer writer_hostfile = {
	.entry = {.name = "hostfile",
		  .example = "hostfile:style=mpich",
		  .summary = "a host file (mpirun --hostfile, mpiexec -f) of "
			     "one job, in the order of picking",
		  .params = params},
	.takes = nodelist_takes,
	.start = start,
	.taker = {nodelist_begin, nodelist_row, nodelist_end},
	.is_no = nodelist_is_no,
	.stop = nodelist_stop,
};
