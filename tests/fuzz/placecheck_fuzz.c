/* placecheck_fuzz.c - streams of any kind through placecheck */
#define main tool_main
#include "tools/placecheck.c"
#undef main

#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const topologies[] = {"dragonfly:groups=3,routers=2,nodes=2",
						 "torus:dims=3x3", "tree:arity=2x3", NULL};
	static const char *const names[] = {"connected", "convex",  "contiguous", "local",
					    "proximate", "compact", "clusters",   "linkdisjoint"};
	const char *constraint;

	if (n < 3 || fuzz_has_long_number(bytes + 2, n - 2, 4))
		return 0;
	constraint = names[bytes[1] & 7];
	constraints = (struct cli_list){&constraint, bytes[1] < 128};
	fuzz_tool(run, bytes + 2, n - 2, topologies[bytes[0] & 3], NULL);
	(void)tool_main;
	return 0;
}
