/* placing_sums.c - what links carry in all */
#include "map/search/placing_priv.h"

double placing_greatest(const struct placing *s)
{
	double max = 0;

	for (size_t c = 0; c < s->links.n; c++)
		if (placing_load(s, (int32_t)c) > max)
			max = placing_load(s, (int32_t)c);
	return max;
}

/* Links by the machine's channels: other members have met them in other orders. */
static void put_in_order(struct placing *s)
{
	int64_t nchannels = 2 * topo_graph(s->routes->topo)->nlinks;

	if (s->nordered == s->links.n)
		return;
	s->nordered = s->links.n;
	s->in_order.n = 0;
	for (int64_t c = 0; c < nchannels; c++) {
		int32_t number = s->routes->number_of[c] - 1;

		if (number >= 0 && (size_t)number < s->links.n)
			vec_push(&s->in_order, number);
	}
}

double placing_sum(struct placing *s)
{
	double sum = 0;

	put_in_order(s);
	for (size_t i = 0; i < s->in_order.n; i++)
		sum += placing_load(s, s->in_order.at[i]);
	return sum;
}

double placing_steep_sum(struct placing *s)
{
	double sum = 0;

	put_in_order(s);
	for (size_t i = 0; i < s->in_order.n; i++)
		sum += placing_steep_cost(s, placing_load(s, s->in_order.at[i]));
	return sum;
}
