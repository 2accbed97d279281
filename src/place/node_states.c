/* node_states.c - the states of nodes, from a nodes stream or a list of the idle ones */
#include "place/node_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/kinds.h"
#include "place/run/eligible.h"

static enum node_use use_of(const char *state, const char *role)
{
	static const char *const busy[] = {"allocated", "mixed", "completing",
					   "alloc",     "mix",   "comp"};

	if (role != NULL && !str_eq(role, "compute") && !str_eq(role, "both"))
		return NODE_AWAY;
	if (state == NULL || str_eq(state, "idle"))
		return NODE_IDLE;
	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++)
		if (str_eq(state, busy[i]))
			return NODE_BUSY;
	return NODE_AWAY;
}

static int read_rows(struct schedule *schedule, struct table_in *in, struct err *err)
{
	int node_column = table_find(in, "node"), state = table_find(in, "state");
	int role = table_find(in, "role"), run = table_find(in, "run"), status;
	int partitions = table_find(in, "partitions"), features = table_find(in, "features");
	struct row row;

	table_unique(in);
	while ((status = table_next(in, &row, err)) == 1) {
		const char *name = row_text(&row, node_column);
		int node = topo_node_find(schedule->topo, name, strlen(name));

		if (node < 0)
			return row_error(&row, err, "node: '%s' is not a node of %s", name,
					 schedule->topo->name);
		if (row_text(&row, run) != NULL)
			return row_error(&row, err,
					 "run: '%s': expected nodes of one machine, not of runs",
					 row_text(&row, run));
		schedule->use[node] =
			(unsigned char)use_of(row_text(&row, state), row_text(&row, role));
		/* a column without any value says nothing of the machine */
		if (row_text(&row, partitions) != NULL)
			eligible_partitions(&schedule->eligible, schedule->topo, node,
					    row_text(&row, partitions));
		if (row_text(&row, features) != NULL)
			eligible_features(&schedule->eligible, schedule->topo, node,
					  row_text(&row, features));
	}
	if (status == 0 && !table_is_whole(in))
		return err_set(err, "the states of nodes are cut off: who knows which are idle");
	return status;
}

int nodes_read(struct schedule *schedule, const char *path, bool accepts_partial, struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_nodes, NULL};
	char *paths[] = {(char *)path, NULL};
	struct table_in *in;
	int status;

	if (table_open(&in, kinds, paths, accepts_partial, err) != 0)
		return -1;
	memset(schedule->use, NODE_AWAY, (size_t)schedule->topo->nnodes);
	status = read_rows(schedule, in, err);
	table_close(in);
	return status;
}

int nodes_set_idle(struct schedule *schedule, const char *hostlist, struct err *err)
{
	int_vec nodes = {0};
	int status = topo_nodelist_read(schedule->topo, hostlist, &nodes, err);

	memset(schedule->use, NODE_BUSY, (size_t)schedule->topo->nnodes);
	for (size_t i = 0; i < nodes.n; i++)
		schedule->use[nodes.at[i]] = NODE_IDLE;
	free(nodes.at);
	return status == 0 ? 0 : err_prefix(err, "--idle: ");
}
