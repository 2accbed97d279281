/* adaptive_local.c - SST's rule: room in the source router's own output buffers */
#include "machine/route/adaptive.h"

static const struct param params[] = {
	{.key = "threshold",
	 .type = PARAM_REAL,
	 .min = 0,
	 .max = 1e6,
	 .def = "2",
	 .meaning = "take the detour if its first port has more than threshold times the "
		    "free buffer of the minimal path's"},
	{.key = NULL},
};

const struct routing_type routing_type_adaptive_local = {
	.entry =
		{
			.name = "adaptive-local",
			.summary = "the minimal path or one through a random group (within a"
				   " group: router), by free output buffer; without load "
				   "minimal",
			.paper = "SST merlin, dragonfly; Zhang et al., Level-Spread, IPDPS 2018",
			.example = "adaptive-local",
			.params = params,
		},
	.detour = DETOUR_LOCAL,
	.minimal = MINIMAL_SHORTEST,
	.open = adaptive_open,
	.hops = adaptive_hops,
	.path = adaptive_path,
};
