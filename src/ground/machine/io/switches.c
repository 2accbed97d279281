/* switches.c - entry points at the switches of a level */
#include "machine/io/io_placement.h"

static int place(const struct topo *topo, const struct pick *pick, int_vec *nodes, int *at_level,
		 struct err *err)
{
	(void)topo;
	(void)nodes;
	(void)err;
	*at_level = (int)pick_int(pick, "level");
	return 0;
}

const struct io_placement io_placement_switches = {
	.entry =
		{
			.name = "switches",
			.example = "switches:level=1",
			.summary = "at every switch of a level, not at a node",
			.paper = "Bleuse et al., section 4",
			.params = (const struct param[]){{.key = "level",
							  .type = PARAM_INT,
							  .min = 1,
							  .max = TOPO_LEVELS,
							  .def = "1",
							  .meaning = "1: those that have nodes"},
							 IO_PLACEMENT_PARAMS,
							 {0}},
		},
	.place = place,
};
