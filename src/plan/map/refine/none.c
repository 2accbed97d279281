/* none.c - the mapping stays as it is */
#include "map/problem/problem.h"

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct map_refine_result *result, struct err *err)
{
	(void)in, (void)parts, (void)pick, (void)node_of, (void)result, (void)err;
	return 0;
}

const struct map_refiner map_refiner_none = {
	.entry =
		{
			.name = "none",
			.example = "none",
			.summary = "no refinement",
		},
	.run = run,
};
