/* hostlist.c - node lists in Slurm's hostlist syntax, in the order of picking */
#include <string.h>

#include "convert/writer/nodelist.h"
#include "formats/hostlist.h"

static void print(struct nodelist_writer *writer, const struct nodelist *list)
{
	struct hostlist folded = {0};

	for (size_t i = 0; i < list->nodes.n; i++)
		hostlist_add(&folded, list->nodes.at[i].name, strlen(list->nodes.at[i].name));
	out_printf(writer->out, "%s\n", hostlist_text(&folded));
	hostlist_free(&folded);
}

static void print_ranges(struct nodelist_writer *writer, const struct node_ranges *ranges)
{
	struct buf folded = {0};

	name_numbers_print(&writer->numbers, ranges, &folded);
	out_printf(writer->out, "%s\n", buf_text(&folded));
	buf_free(&folded);
}

static void *start(const struct writer_input *input, struct err *err)
{
	struct nodelist_writer *writer = nodelist_start(input, print, false);

	(void)err;
	writer->print_ranges = print_ranges;
	return writer;
}

static const struct param params[] = {NODELIST_PARAMS, {0}};

const struct writer writer_hostlist = {
	.entry = {.name = "hostlist",
		  .example = "hostlist",
		  .summary = "a hostlist such as nid[00001-00016,00020] per job, one per "
			     "line, in the order of picking",
		  .params = params},
	.takes = nodelist_takes,
	.start = start,
	.taker = {nodelist_begin, nodelist_row, nodelist_end},
	.is_no = nodelist_is_no,
	.stop = nodelist_stop,
};
