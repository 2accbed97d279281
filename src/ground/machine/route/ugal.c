/* ugal.c - UGAL-L: the source's router decides by its own queues */
#include "machine/route/adaptive.h"

static const struct param params[] = {
	ADAPTIVE_UGAL,
	{.key = NULL},
};

const struct routing_type routing_type_ugal = {
	.entry =
		{
			.name = "ugal",
			.summary = "the minimal path or a random detour, by the queues at"
				   " the source's router; without load minimal",
			.paper = "Kim, Dally, Scott, Abts: Technology-driven, highly-scalable "
				 "dragonfly topology, ISCA 2008: UGAL-L",
			.example = "ugal",
			.params = params,
		},
	.detour = DETOUR_UGAL,
	.minimal = MINIMAL_SHORTEST,
	.open = adaptive_open,
	.hops = adaptive_hops,
	.path = adaptive_path,
};
