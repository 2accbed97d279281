/* member.c - what one of those who work on a mapping has for itself */
#include "map/problem/problem.h"
#include "map/team/team.h"

bool map_is_own(const struct map_input *in, int member)
{
	int nthreads = team_nmembers(in->team) / team_nprocesses(in->team);

	return member % nthreads == 0;
}

int map_routes_open(struct map_routes *mine, const struct map_input *in, int member,
		    struct err *err)
{
	*mine = (struct map_routes){.routes = in->routes};
	if (map_is_own(in, member))
		return 0;
	if (routing_open(&mine->routing, in->topo, in->routing, err) != 0)
		return -1;
	routes_init(&mine->own, in->topo, mine->routing, in->nodes, in->nnodes);
	routes_split_like(&mine->own, in->routes);
	mine->routes = &mine->own;
	return 0;
}

void map_routes_close(struct map_routes *mine)
{
	if (mine->routing == NULL)
		return;
	routes_free(&mine->own);
	routing_close(mine->routing);
}
