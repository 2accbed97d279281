/* link_hosts.c - what the forms of routes share: machines with single cables, the cables of nodes
 */
#include "machine/route/routing.h"
#include "place/constraint/link_forms.h"

bool links_are_single(const struct space *space)
{
	const struct topo *topo = space->topo;
	const struct topo_graph *graph = topo_graph(space->topo);

	if (topo->type->next == NULL || !routing_is_closed(space->routing) ||
	    !topo_nodes_have_one_link(space->topo))
		return false;
	for (int r = 0; r < topo->nrouters; r++)
		if (graph->first[topo->nnodes + r + 1] - graph->first[topo->nnodes + r] !=
		    space->first_node[r + 1] - space->first_node[r] + space->first_peer[r + 1] -
			    space->first_peer[r])
			return false;
	return true;
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
