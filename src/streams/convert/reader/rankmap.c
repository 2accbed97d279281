/* rankmap.c - what the readers of rank maps share */
#include "convert/reader/rankmap.h"

#include <stdlib.h>

#include "formats/hostlist.h"

static int add_node(void *context, const char *name, size_t n, struct err *err)
{
	struct rankmap *map = context;

	(void)err;
	vec_push(&map->nodes, arena_strndup(&map->arena, name, n));
	return 0;
}

int rankmap_begin(struct rankmap *map, struct flow *flow, bool has_cores, const char *nodes,
		  struct err *err)
{
	*map = (struct rankmap){.flow = flow, .core = -1};
	map->rank = flow_column(flow, "rank");
	map->node = flow_column(flow, "node");
	if (has_cores)
		map->core = flow_column(flow, "core");
	if (nodes != NULL && hostlist_walk(nodes, add_node, map, err) != 0)
		return err_prefix(err, "nodes: ");
	return 0;
}

int rankmap_put(struct rankmap *map, struct in *in, int64_t rank, const char *node, int64_t core,
		struct err *err)
{
	flow_int(map->flow, map->rank, rank);
	flow_text(map->flow, map->node, node);
	if (map->core >= 0 && core >= 0)
		flow_int(map->flow, map->core, core);
	map->flow->file = in_name(in);
	map->flow->line = in_lineno(in);
	return flow_emit(map->flow, err);
}

void rankmap_end(struct rankmap *map)
{
	map->flow->file = NULL;
	free(map->nodes.at);
	arena_free(&map->arena);
}
