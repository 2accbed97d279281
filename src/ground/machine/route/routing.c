/* routing.c - how a routing is opened and asked */
#include "machine/route/routing.h"
#include <stdlib.h>

int routing_open_pick(struct routing **result, struct topo *topo, struct pick pick, struct err *err)
{
	struct routing *routing = xcalloc(1, sizeof(*routing));

	*result = NULL;
	routing->topo = topo;
	routing->pick = pick;
	routing->type = (const struct routing_type *)routing->pick.entry;
	if (routing->type->open != NULL && routing->type->open(routing, err) != 0) {
		routing_close(routing);
		return -1;
	}
	*result = routing;
	return 0;
}

int routing_open_entry(struct routing **routing, struct topo *topo, const struct entry *entry,
		       struct err *err)
{
	struct pick pick;

	*routing = NULL;
	return pick_entry(&pick, entry, err) == 0 ? routing_open_pick(routing, topo, pick, err)
						  : -1;
}

void routing_close(struct routing *routing)
{
	if (routing == NULL)
		return;
	if (routing->type->close != NULL)
		routing->type->close(routing);
	routing_close(routing->minimal);
	pick_free(&routing->pick);
	free(routing->weights);
	free(routing);
}

int route_hops(struct routing *routing, int node_a, int node_b)
{
	return node_a == node_b ? 0 : routing->type->hops(routing, node_a, node_b);
}

int route_path(struct routing *routing, int node_a, int node_b, int_vec *path)
{
	return node_a == node_b ? 0 : routing->type->path(routing, node_a, node_b, path);
}

enum route_ties routing_ties(const struct routing *routing)
{
	return routing->type->ties != NULL ? routing->type->ties(&routing->pick) : TIES_SPREAD;
}

bool routing_is_closed(const struct routing *routing)
{
	return routing->type->detour == DETOUR_NONE &&
	       (routing->type->minimal == MINIMAL_SHORTEST ||
		routing->type->minimal == MINIMAL_DIMENSION_ORDER);
}

bool routing_lengths_by_router(const struct routing *routing)
{
	const struct routing_type *type = routing->type;

	return type->detour == DETOUR_NONE && type->minimal == MINIMAL_SHORTEST &&
	       !type->is_by_pair;
}
