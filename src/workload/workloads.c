/* workloads.c - the registry of workloads */
#include "workload/workload.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/load.h"

#define X(name) extern const struct workload workload_##name;
#include "workload/workloads.def"
#undef X

static const struct entry *const entries[] = {
#define X(name) &workload_##name.entry,
#include "workload/workloads.def"
#undef X
};

const struct registry workloads = {
	.name = "workloads",
	.noun = "workload",
	.entries = entries,
	.n = sizeof(entries) / sizeof(entries[0]),
};

void workload_record(const struct workload_input *input, struct table_out *table)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, input->seed);
	table_out_meta(table, "seed", text);
	if (input->topo != NULL)
		topo_record(input->topo, table);
}
