/* nodes.c - I/O nodes by name */
#include "machine/io/io_placement.h"

static int place(const struct topo *topo, const struct pick *pick, int_vec *nodes, int *at_level,
		 struct err *err)
{
	(void)at_level;
	return topo_nodelist_read(topo, pick_word(pick, "list"), nodes, err);
}

const struct io_placement io_placement_nodes = {
	.entry =
		{
			.name = "nodes",
			.example = "nodes:list=n[3,7]",
			.summary = "the nodes of a list",
			.params =
				(const struct param[]){
					{.key = "list", .type = PARAM_TEXT, .meaning = "node list"},
					IO_PLACEMENT_PARAMS,
					{0}},
		},
	.place = place,
};
