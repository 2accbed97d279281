/* topo.c - a machine: its end, its names, how its nodes nest */
#include "model/topo.h"

#include "model/topo_names.h"
#include "model/topo_routes.h"
#include "model/topo_type.h"

const struct topo_inside *topo_inside(const struct topo *topo, int node)
{
	if (topo->inside_of != NULL)
		return topo->inside_of[node];
	return topo->inside.nlevels > 0 ? &topo->inside : NULL;
}

int topo_nvertices(const struct topo *topo)
{
	return topo->nnodes + topo->nrouters;
}

const char *topo_node_name(const struct topo *topo, int node, char text[TOPO_NAME])
{
	if (topo->node_names != NULL)
		return topo->node_names[node];
	name_pattern_print(topo->node_pattern, node, text);
	return text;
}

const char *topo_router_name(const struct topo *topo, int router, char text[TOPO_NAME])
{
	if (topo->router_names != NULL)
		return topo->router_names[router];
	name_pattern_print(topo->router_pattern, router, text);
	return text;
}

int topo_node_find(const struct topo *topo, const char *name, size_t n)
{
	if (topo->node_names != NULL)
		return (int)map_get(&topo->node_ids, name, n);
	return name_pattern_find(topo->node_pattern, topo->nnodes, name, n);
}

int topo_router_find(const struct topo *topo, const char *name, size_t n)
{
	if (topo->router_names != NULL)
		return (int)map_get(&topo->router_ids, name, n);
	return name_pattern_find(topo->router_pattern, topo->nrouters, name, n);
}

int topo_tier_find(const struct topo *topo, const char *name)
{
	for (int i = 0; i < topo->ntiers; i++)
		if (str_eq(topo->tiers[i].name, name))
			return i;
	return -1;
}

int topo_domain(const struct topo *topo, int node, int tier)
{
	int domain = topo->router_of[node];

	for (int i = 1; i <= tier && domain >= 0; i++)
		domain = topo->tiers[i].of[domain];
	return domain;
}
