/* allocate_fuzz.c - jobs streams through allocate: every policy, queue and constraint */
#define main tool_main
#include "tools/allocate.c"
#undef main

#include "model/kinds.h"
#include "tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const topologies[] = {"dragonfly:groups=3,routers=2,nodes=2",
						 "torus:dims=3x3", "tree:arity=2x3",
						 "ring:nodes=8"};
	static const char *const constraint_names[] = {
		"connected", "convex",   "contiguous",   "local",      "proximate",
		"compact",   "clusters", "linkdisjoint", "convex:pad", "compact:wait=3"};
	static const struct table_kind *const kinds[] = {&kind_jobs, NULL};
	const char *constraint;

	if (n < 5 || fuzz_has_long_number(bytes + 4, n - 4, 6))
		return 0;
	how = (struct allocate_options){
		.policy = alloc_policies.entries[bytes[1] % alloc_policies.n]->example,
		.queue = queues.entries[bytes[2] % queues.n]->example,
		.explains = (bytes[0] & 4) != 0,
		.lists_candidates = (bytes[0] & 24) == 24,
	};
	constraint = constraint_names[bytes[3] % 10];
	constraint_list = (struct cli_list){&constraint, bytes[3] < 128};
	if (strncmp(how.policy, "file", 4) != 0)
		fuzz_tool(run, bytes + 4, n - 4, topologies[bytes[0] & 3], kinds);
	(void)tool_main;
	return 0;
}
