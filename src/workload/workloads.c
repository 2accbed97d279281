/* workloads.c - the registry of workloads */
#include "workload/workload.h"

#include <inttypes.h>
#include <stdio.h>

#include "machine/load.h"

#define REGISTRY "workload/workloads.def"
#define REGISTRY_TYPE struct workload
#define REGISTRY_PREFIX workload_
#include "base/registry_entries.h"

const struct registry workloads = REGISTRY_OF("workloads", "workload");

void workload_record(const struct workload_input *input, struct table_out *table)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, input->seed);
	table_out_meta(table, "seed", text);
	if (input->topo != NULL)
		topo_record(input->topo, table);
}
