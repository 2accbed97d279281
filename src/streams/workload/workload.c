/* workload.c - what workloads share */
#include "workload/workload.h"
#include <inttypes.h>
#include <stdio.h>
#include "machine/load.h"

void workload_record(const struct workload_input *input, struct table_out *table)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, input->seed);
	table_out_meta(table, "seed", text);
	if (input->topo != NULL)
		topo_record(input->topo, table);
}
