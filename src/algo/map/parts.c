/* parts.c - ranks are grouped into super-processes, one for each node */
#include <stdlib.h>
#include <string.h>

#include "algo/map/map.h"
#include "base/mem.h"

/* Nodes are filled in list order: the first ones are full, the last one may be not. */
static void fill_sizes(struct map_parts *parts, const struct map_input *in)
{
	int left = in->comm->nranks;

	parts->size = xcalloc((size_t)in->nnodes, sizeof(*parts->size));
	for (int v = 0; v < in->nnodes && left > 0; v++) {
		int n = in->room[v] < left ? in->room[v] : left;

		if (n > 0)
			parts->size[parts->nparts++] = n;
		left -= n;
	}
}

int map_parts_make(struct map_parts *parts, const struct map_input *in, const char *text,
		   struct err *err)
{
	struct pick pick;
	int status;

	*parts = (struct map_parts){0};
	if (pick_parse(&pick, &map_partitions, text, err) != 0)
		return err_prefix(err, "--partition: ");
	fill_sizes(parts, in);
	parts->part_of = xcalloc((size_t)in->comm->nranks, sizeof(*parts->part_of));
	status = ((const struct map_partition *)pick.entry)
			 ->run(in, &pick, parts->nparts, parts->size, parts->part_of, err);
	if (status == 0)
		parts->comm = comm_quotient(in->comm, parts->part_of, parts->nparts);
	else
		map_parts_free(parts);
	pick_free(&pick);
	return status;
}

void map_parts_free(struct map_parts *parts)
{
	comm_free(parts->comm);
	free(parts->part_of);
	free(parts->size);
	*parts = (struct map_parts){0};
}

bool map_fits(const struct map_input *in, const struct map_parts *parts, int part, int node)
{
	return in->room[node] >= parts->size[part];
}
