/* yaml_routes.c - the forwarding tables of an explicit machine */
#include <stdlib.h>
#include <string.h>

#include "machine/yaml/yaml_block.h"
#include "machine/yaml/yaml_read.h"
#include "base/num.h"
#include "model/topo_routes.h"

/* What a row says: all that a router sends through one cable. */
struct route_row {
	int router;
	int32_t channel;
	int end; /* which cable of the nodes, from 0 */
};

static int read_number(const struct yaml_block *block, int column, int *number, struct err *err)
{
	char text[12];
	int64_t value = 0;
	struct slice cell;

	*number = 0;
	if (column < 0)
		return 0;
	cell = block->cells[column];
	if (cell.n < sizeof(text)) {
		memcpy(text, cell.text, cell.n);
		text[cell.n] = '\0';
	}
	if (cell.n >= sizeof(text) || num_int(text, 0, 1000000, &value) != 0)
		return yaml_error(block->file, &block->at, err,
				  "routes: '%.*s' is not a number of a cable",
				  cell.n < 80 ? (int)cell.n : 80, cell.text);
	*number = (int)value;
	return 0;
}

static int read_router(const struct yaml_block *block, struct slice name, const struct topo *topo,
		       int *router, struct err *err)
{
	*router = topo_router_find(topo, name.text, name.n);
	if (*router < 0)
		return yaml_error(block->file, &block->at, err, "routes: there is no router '%.*s'",
				  name.n < 200 ? (int)name.n : 200, name.text);
	return 0;
}

/* A router, or "." where there is no route. */
static int read_to(const struct yaml_block *block, struct slice name, const struct topo *topo,
		   int *router, struct err *err)
{
	*router = -1;
	return slice_is(name, ".") ? 0 : read_router(block, name, topo, router, err);
}

/* Number cable of the cables from one router to another; -1: there are not as many. */
static int32_t find_cable(const struct topo *topo, int router, int to, int cable)
{
	const struct topo_graph *graph = topo->graph;
	int v = topo->nnodes + router;

	for (int64_t i = graph->first[v]; i < graph->first[v + 1]; i++)
		if (graph->peer[i] == topo->nnodes + to && cable-- == 0)
			return graph->channel[i];
	return -1;
}

static int set_routes(const struct yaml_block *block, struct topo *topo,
		      const struct route_row *row, const int_vec *nodes, struct err *err)
{
	for (size_t i = 0; i < nodes->n; i++) {
		int64_t end = topo->graph->first[nodes->at[i]] + row->end;
		char text[TOPO_NAME];
		int32_t next;

		if (end >= topo->graph->first[nodes->at[i] + 1])
			return yaml_error(block->file, &block->at, err,
					  "routes: node '%s' has no cable %d",
					  topo_node_name(topo, nodes->at[i], text), row->end);
		next = topo_routes_next(topo, row->router, end);
		if (next >= 0 && next != topo_end_channel(topo, end))
			return yaml_error(block->file, &block->at, err,
					  "routes: the way to node '%s' is there twice",
					  topo_node_name(topo, nodes->at[i], text));
		topo_routes_set(topo, row->router, end, row->channel);
	}
	return 0;
}

static int read_nodes(const struct yaml_block *block, struct slice list, struct topo *topo,
		      const struct route_row *row, struct err *err)
{
	char *text = xstrndup(list.text, list.n);
	int_vec nodes = {0};
	struct err why;
	int status;

	if (topo_nodelist_read(topo, text, &nodes, &why) != 0)
		status = yaml_error(block->file, &block->at, err, "routes: %s", why.msg);
	else
		status = set_routes(block, topo, row, &nodes, err);
	vec_free(&nodes);
	free(text);
	return status;
}

int topo_read_routes(struct topo *topo, const struct yaml_file *file, struct err *err)
{
	static const char *const names[] = {"router", "to", "nodes", "cable", "end", NULL};
	struct yaml_block block;
	struct err why;
	int status, columns[5];

	if (yaml_get(yaml_get(yaml_root(file), "tables"), "routes") == NULL)
		return 0;
	if (block_open(&block, file, "routes", err) != 0 || block_check(&block, names, 3, err) != 0)
		return -1;
	for (int i = 0; i < 5; i++)
		columns[i] = block_column(&block, names[i]);
	if (topo_routes_new(topo, &why) != 0)
		return block_refuse(&block, &why, err);
	while ((status = block_next(&block, err)) == 1) {
		struct route_row row;
		int to, cable;

		if (read_router(&block, block.cells[columns[0]], topo, &row.router, err) != 0 ||
		    read_to(&block, block.cells[columns[1]], topo, &to, err) != 0 ||
		    read_number(&block, columns[3], &cable, err) != 0 ||
		    read_number(&block, columns[4], &row.end, err) != 0)
			return -1;
		row.channel = to < 0 ? -1 : find_cable(topo, row.router, to, cable);
		if (row.channel < 0 && to >= 0)
			return yaml_error(file, &block.at, err,
					  "routes: these routers have no cable %d", cable);
		if (read_nodes(&block, block.cells[columns[2]], topo, &row, err) != 0)
			return -1;
	}
	return status;
}
