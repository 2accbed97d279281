/* link_hosts.c - what the forms of routes share: machines with single cables, the cables of nodes
 */
#include "machine/route/routing.h"
#include "place/constraint/link_forms.h"

bool links_are_single(const struct space *space)
{
	return space->topo->type->next != NULL && routing_is_closed(space->routing) &&
	       topo_nodes_have_one_link(space->topo) &&
	       topo_routers_have_single_cables(space->topo);
}

void links_add_hosts(struct links *links)
{
	links->first_host = 64 * links->nwords;
	links->nwords += links->space->topo->nnodes / 64 + 1;
}

void links_mark_hosts(const struct links *links, const int *nodes, int n, uint64_t *marked)
{
	for (int i = 0; i < n; i++)
		bits_add(marked, (int64_t)links->first_host + nodes[i]);
}
