/* edges.c - a machine as a list of cables: two names and the link level */
#include "machine/export/exporter.h"
#include "model/topo_type.h"

struct writing {
	const struct topo *topo;
	struct out *out;
};

static const char *name_of(const struct topo *topo, int vertex, char text[TOPO_NAME])
{
	return vertex < topo->nnodes ? topo_node_name(topo, vertex, text)
				     : topo_router_name(topo, vertex - topo->nnodes, text);
}

static void write_link(void *context, int a, int b, int level)
{
	struct writing *writing = context;
	bool is_node_last =
		b < writing->topo->nnodes; /* the importer takes the first as the node */
	char text[TOPO_NAME];

	out_str(writing->out, name_of(writing->topo, is_node_last ? b : a, text));
	out_char(writing->out, '\t');
	out_str(writing->out, name_of(writing->topo, is_node_last ? a : b, text));
	out_char(writing->out, '\t');
	out_str(writing->out, writing->topo->levels[level].name);
	out_char(writing->out, '\n');
}

static int write_edges(struct topo *topo, struct out *out, const struct topo_export *how,
		       struct err *err)
{
	struct writing writing = {topo, out};

	(void)how;
	(void)err;
	topo->type->links(topo, write_link, &writing);
	return 0;
}

const struct topo_exporter topo_exporter_edges = {
	.entry =
		{
			.name = "edges",
			.summary = "a line for each cable: both names and the level of the link",
			.example = "edges",
		},
	.write = write_edges,
};
