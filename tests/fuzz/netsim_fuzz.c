/* netsim_fuzz.c - jobs streams through netsim: patterns, mappings, times, for a short while */
#define main tool_main
#include "tools/netsim.c"
#undef main

#include "model/kinds.h"
#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const topologies[] = {"dragonfly:groups=3,routers=2,nodes=2",
						 "torus:dims=3x3", "fattree:k=2,levels=2",
						 "ring:nodes=8"};
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};

	if (n < 3 || fuzz_has_long_number(bytes + 2, n - 2, 3))
		return 0;
	how = (struct netsim_options){.iterations = 1,
				      .ranks_per_node = 1 + (bytes[1] & 1),
				      .until = "20us",
				      .pattern = (bytes[1] & 2) != 0 ? "halo2d" : NULL,
				      .is_scheduled = (bytes[1] & 4) != 0,
				      .time_scale = 1e-6};
	fuzz_tool(run, bytes + 2, n - 2, topologies[bytes[0] & 3], kinds);
	(void)tool_main;
	return 0;
}
