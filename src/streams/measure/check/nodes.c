/* nodes.c - what must hold of the states of nodes */
#include "measure/check/check.h"
#include "base/str.h"
#include "model/kinds.h"

static void row(struct checking *checking, const struct row *at)
{
	static const char *const roles[] = {"compute", "io", "both", NULL};
	const char *state = row_text(at, table_find(checking->in, "state"));
	const char *job = row_text(at, table_find(checking->in, "job"));
	int node = check_node(checking, at, "node"), router = check_router(checking, at, "router");
	char name[TOPO_NAME];

	check_word(checking, at, "role", roles);
	if (node >= 0 && router >= 0 && checking->topo->router_of[node] != router)
		found_at(checking, at, "router: the node hangs on %s",
			 topo_router_name(checking->topo, checking->topo->router_of[node], name));
	if (job != NULL && state != NULL && str_eq(state, "idle"))
		found_at(checking, at, "job: the node is idle and yet job %s has it", job);
}

const struct check check_nodes = {
	.entry =
		{
			.name = "nodes",
			.example = "nodes",
			.summary = "nodes and routers exist and belong together, roles "
				   "are known, no job has an idle node",
		},
	.kind = &kind_nodes,
	.row = row,
};
