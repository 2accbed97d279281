/* others.c - what else a mapper found that may lead as far */
#include "map/problem/others.h"

#include <string.h>

const double map_others_load = 1.08;

void map_others_add(struct map_others *others, const int *node_of, size_t nranks)
{
	if (others == NULL || others->n == others->most)
		return;
	for (int k = 0; k < others->n; k++)
		if (memcmp(others->node_of.at + (size_t)k * nranks, node_of,
			   nranks * sizeof(*node_of)) == 0)
			return;
	vec_reserve(&others->node_of, others->node_of.n + nranks);
	memcpy(others->node_of.at + others->node_of.n, node_of, nranks * sizeof(*node_of));
	others->node_of.n += nranks;
	others->n++;
}

void map_others_free(struct map_others *others)
{
	vec_free(&others->node_of);
}
