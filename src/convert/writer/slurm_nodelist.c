/* slurm_nodelist.c - node lists sorted as Slurm itself writes them */
#include <stdlib.h>
#include <string.h>

#include "convert/writer/nodelist.h"
#include "convert/writer/nodename.h"
#include "formats/hostlist.h"

static void print(struct nodelist_writer *writer, const struct nodelist *list)
{
	const char **names = xcalloc(list->nodes.n, sizeof(*names));
	struct hostlist folded = {0};

	for (size_t i = 0; i < list->nodes.n; i++)
		names[i] = list->nodes.at[i].name;
	nodename_sort(names, list->nodes.n);
	for (size_t i = 0; i < list->nodes.n; i++)
		hostlist_add(&folded, names[i], strlen(names[i]));
	out_printf(writer->out, "%s\n", hostlist_text(&folded));
	hostlist_free(&folded);
	free(names);
}

static void *start(const struct writer_input *input, struct err *err)
{
	(void)err;
	return nodelist_start(input, print, false);
}

static const struct param params[] = {NODELIST_PARAMS, {0}};

const struct writer writer_slurm_nodelist = {
	.entry = {.name = "slurm-nodelist",
		  .example = "slurm-nodelist",
		  .summary = "a sorted hostlist for each job, one a line, as "
			     "sbatch -w and scontrol write it",
		  .params = params},
	.takes = nodelist_takes,
	.start = start,
	.taker = {nodelist_begin, nodelist_row, nodelist_end},
	.is_no = nodelist_is_no,
	.stop = nodelist_stop,
};
