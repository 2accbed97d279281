/* copied_load.c - what messages inside nodes load */
#include "map/problem/copied_load.h"

#include <stdlib.h>

#include "base/mem.h"

/* Bytes on a link of capacity 1 that take as long as copying so many; small copies load nobody. */
static double load_of(const struct travel *travel, double largest, double bytes)
{
	if (bytes <= 0 || bytes < travel->copy_eager * largest)
		return 0;
	return bytes * travel->copy + travel->copy_overhead * largest;
}

double map_copied_load(const struct map_input *in, const int *node_of)
{
	const struct travel *travel = in->travel;
	const struct comm *comm = in->comm;
	double largest = comm_largest(comm), most = 0, *load;

	if (travel == NULL || travel->ncopies == 0)
		return 0;
	load = xcalloc((size_t)in->nnodes + 1, sizeof(*load));
	for (int rank = 0; rank < comm->nranks; rank++)
		for (int64_t e = comm->first[rank]; e < comm->first[rank + 1]; e++)
			if (comm->peer[e] != rank && node_of[comm->peer[e]] == node_of[rank])
				load[node_of[rank]] += load_of(travel, largest, comm->bytes[e]);
	for (int v = 0; v < in->nnodes; v++)
		most = load[v] > most ? load[v] : most;
	free(load);
	return most / travel->ncopies;
}

double map_copied_per_byte(const struct map_input *in)
{
	const struct comm *comm = in->comm;
	double largest = comm_largest(comm), load = 0, bytes = 0;

	for (int64_t e = 0; e < comm->nedges; e++) {
		load += load_of(in->travel, largest, comm->bytes[e]);
		bytes += comm->bytes[e];
	}
	return load > 0 ? load / bytes / in->travel->ncopies : 0;
}
