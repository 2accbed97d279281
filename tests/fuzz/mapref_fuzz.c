/* mapref_fuzz.c - communication graphs through mapref: every mapper */
#define main tool_main
#include "tools/mapref.c"
#undef main

#include "model/kinds.h"
#include "tool.h"

/* The graph is an option, not an operand. */
static int run_graph(const struct run_context *context, char **paths, struct err *err)
{
	request.graph = paths[0];
	return run(context, paths, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const topologies[] = {"dragonfly:groups=3,routers=2,nodes=2",
						 "torus:dims=3x3", "tree:arity=2x3",
						 "mesh:dims=4x3"};
	static const struct table_kind *const kinds[] = {&kind_mapping, NULL};

	if (n < 3 || fuzz_has_long_number(bytes + 2, n - 2, 4))
		return 0;
	request = (struct map_request){
		.choice = {.policy = map_policies.entries[bytes[1] % map_policies.n]->example},
		.allocation = {.ranks_per_node = 1 + (bytes[0] >> 2 & 3)},
		.ignores_routes = (bytes[0] & 16) != 0,
	};
	if (strncmp(request.choice.policy, "file", 4) != 0)
		fuzz_tool(run_graph, bytes + 2, n - 2, topologies[bytes[0] & 3], kinds);
	(void)tool_main;
	return 0;
}
