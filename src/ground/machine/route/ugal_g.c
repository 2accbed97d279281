/* ugal_g.c - UGAL-G: the source's router knows all queues */
#include "machine/route/adaptive.h"

static const struct param params[] = {
	ADAPTIVE_UGAL,
	{.key = NULL},
};

const struct routing_type routing_type_ugal_g = {
	.entry =
		{
			.name = "ugal-g",
			.summary = "as ugal, by the queues of the global links (elsewhere"
				   " all links) of both paths; without load minimal",
			.paper = "Kim, Dally, Scott, Abts, ISCA 2008: UGAL-G",
			.example = "ugal-g",
			.params = params,
		},
	.detour = DETOUR_UGAL_G,
	.minimal = MINIMAL_SHORTEST,
	.open = adaptive_open,
	.hops = adaptive_hops,
	.path = adaptive_path,
};
