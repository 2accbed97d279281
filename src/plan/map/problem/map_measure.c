/* map_measure.c - the terms of a mapping */
#include "map/problem/map_measure.h"

struct hybrid_terms map_measure(const struct map_input *in, const int *node_of)
{
	struct comm *between = comm_quotient(in->comm, node_of, in->nnodes);
	struct hybrid_terms terms;
	struct hybrid hybrid;

	hybrid_init(&hybrid, in->real_routes, comm_unit(in->comm));
	for (int v = 0; v < in->nnodes; v++)
		for (int64_t e = between->first[v]; e < between->first[v + 1]; e++)
			hybrid_book(&hybrid, v, between->peer[e], between->bytes[e]);
	terms = hybrid_look(&hybrid);
	hybrid_free(&hybrid);
	comm_free(between);
	return terms;
}
