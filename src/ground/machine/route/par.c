/* par.c - progressive adaptive routing: the next router may think again */
#include "machine/route/adaptive.h"

static const struct param params[] = {
	ADAPTIVE_UGAL,
	{.key = NULL},
};

const struct routing_type routing_type_par = {
	.entry =
		{
			.name = "par",
			.summary = "as ugal, with a second decision after the first hop "
				   "within the source's group (HyperX: row); without load minimal",
			.paper = "Jiang, Kim, Dally: Indirect adaptive routing on large scale "
				 "interconnection networks, ISCA 2009",
			.example = "par",
			.params = params,
		},
	.detour = DETOUR_PAR,
	.minimal = MINIMAL_SHORTEST,
	.open = adaptive_open,
	.hops = adaptive_hops,
	.path = adaptive_path,
};
