/* every.c - every N-th node */
#include "machine/io/io_placement.h"

static int place(const struct topo *topo, const struct pick *pick, int_vec *nodes, int *at_level,
		 struct err *err)
{
	int64_t stride = pick_int(pick, "stride");

	(void)at_level;
	(void)err;
	for (int64_t node = pick_int(pick, "offset"); node < topo->nnodes; node += stride)
		vec_push(nodes, (int)node);
	return 0;
}

const struct io_placement io_placement_every = {
	.entry =
		{
			.name = "every",
			.example = "every:stride=8,offset=7",
			.summary = "every N-th node, in label order",
			.params =
				(const struct param[]){{.key = "stride",
							.type = PARAM_INT,
							.min = 1,
							.max = 1 << 26,
							.unit = "nodes",
							.meaning = "distance from one to the next"},
						       {.key = "offset",
							.type = PARAM_INT,
							.min = 0,
							.max = 1 << 26,
							.def = "0",
							.meaning = "the first one, counted from 0"},
						       IO_PLACEMENT_PARAMS,
						       {0}},
		},
	.place = place,
};
