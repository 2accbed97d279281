/* routes_split.c - messages that are spread over several paths: all shortest ones, or those that an
 * adaptive routing is expected to take */
#include <stdlib.h>

#include "machine/route/expected.h"
#include "map/routes/map_routes_priv.h"

struct routes_split {
	struct route_split *shortest; /* NULL: as expected */
	struct expected *expected;
	double minimal;
	channel_shares shares;
};

static void split_free(struct routes *routes)
{
	struct routes_split *split = routes->split;

	route_split_free(split->shortest);
	expected_close(split->expected);
	vec_free(&split->shares);
	free(split);
}

/* The paths between two places. */
static int split_add(struct routes *routes, int from, int to)
{
	struct routes_split *split = routes->split;
	int a = routes->nodes[from], b = routes->nodes[to];
	int status;

	split->shares.n = 0;
	status = split->shortest != NULL ? route_split_add(split->shortest, a, b, &split->shares)
					 : expected_shares(split->expected, a, b, &split->shares);
	for (size_t i = 0; i < split->shares.n && status == 0; i++)
		routes_add(routes, split->shares.at[i].channel, split->shares.at[i].share);
	return status == 0 ? (int)split->shares.n : -1;
}

static struct routes_split *split_new(struct routes *routes)
{
	routes->split = xcalloc(1, sizeof(*routes->split));
	routes->add = split_add;
	routes->drop = split_free;
	return routes->split;
}

void routes_spread(struct routes *routes)
{
	split_new(routes)->shortest = route_split_new(routes->topo);
	routes_share_nothing(routes);
}

void routes_expect(struct routes *routes, double minimal)
{
	struct routes_split *split = split_new(routes);

	split->expected = expected_open(routes->routing, minimal);
	split->minimal = minimal;
	routes_share_nothing(routes);
}

void routes_split_like(struct routes *routes, const struct routes *other)
{
	if (other->split != NULL && other->split->expected != NULL)
		routes_expect(routes, other->split->minimal);
	else if (other->split != NULL)
		routes_spread(routes);
	if (other->inside != NULL)
		routes_load_inside(routes, other->per_byte.at[other->inside[0]]);
}
