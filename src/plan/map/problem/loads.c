/* loads.c - what a mapping puts on links, counted from nothing and fast */
#include "map/problem/loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void fit(struct loads *loads, const struct routes *routes)
{
	while (loads->bytes.n < routes->channels.n)
		vec_push(&loads->bytes, 0);
}

static void add(struct loads *loads, struct routes *routes, int a, int b, double bytes)
{
	const int32_t *rest = routes_rest(routes, a, b);
	const double *share = routes_shares(routes, rest);
	int32_t up = routes->up[a];
	double *all;

	fit(loads, routes);
	all = loads->bytes.at;
	if (up >= 0)
		all[up] += bytes;
	for (const int32_t *at = rest + 1, *end = at + rest[0]; at < end; at++)
		all[*at] += share != NULL ? bytes * *share++ : bytes;
}

static void add_up(struct loads *loads, const struct routes *routes)
{
	double powers = 0;

	loads->greatest = loads->hop_bytes = 0;
	for (size_t c = 0; c < loads->bytes.n; c++) {
		double load = loads->bytes.at[c] * routes->per_byte.at[c];

		loads->hop_bytes += loads->bytes.at[c];
		loads->greatest = load > loads->greatest ? load : loads->greatest;
	}
	for (size_t c = 0; c < loads->bytes.n && loads->greatest > 0; c++) {
		double part = loads->bytes.at[c] * routes->per_byte.at[c] / loads->greatest;

		part *= part;
		part *= part;
		powers += part * part;
	}
	loads->norm8 = loads->greatest * sqrt(sqrt(sqrt(powers)));
}

void loads_count(struct loads *loads, struct routes *routes, const struct comm *comm,
		 const int *node_of)
{
	if (loads->bytes.n > 0)
		memset(loads->bytes.at, 0, loads->bytes.n * sizeof(*loads->bytes.at));
	for (int r = 0; r < comm->nranks; r++)
		for (int64_t e = comm->first[r]; e < comm->first[r + 1]; e++)
			if (node_of[r] != node_of[comm->peer[e]])
				add(loads, routes, node_of[r], node_of[comm->peer[e]],
				    comm->bytes[e]);
	add_up(loads, routes);
}

void loads_free(struct loads *loads)
{
	vec_free(&loads->bytes);
}
