/* node_states.c - the states of nodes, from a nodes stream or a list of the idle ones */
#include "place/node_states.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/topo_hosts.h"
#include "place/run/eligible.h"
#include "place/run/stock.h"

/* What is used of a node that is not idle may be known: then the rest can be given out. */
static bool is_partly_used(const char *state)
{
	return state != NULL && (str_eq(state, "mixed") || str_eq(state, "allocated") ||
				 str_eq(state, "mix") || str_eq(state, "alloc"));
}

/* reserved: the node is named as one of a reservation, whose jobs may have it. */
static enum node_use use_of(const char *state, const char *role, bool is_reserved)
{
	static const char *const busy[] = {"allocated", "mixed", "completing",
					   "alloc",     "mix",   "comp"};

	if (role != NULL && !str_eq(role, "compute") && !str_eq(role, "both"))
		return NODE_AWAY;
	if (state == NULL || str_eq(state, "idle") || str_eq(state, "planned"))
		return NODE_IDLE;
	if (is_reserved && (str_eq(state, "reserved") || str_eq(state, "maintenance")))
		return NODE_IDLE;
	for (size_t i = 0; i < sizeof(busy) / sizeof(busy[0]); i++)
		if (str_eq(state, busy[i]))
			return NODE_BUSY;
	return NODE_AWAY;
}

/* The columns of the stream; -1: not there. */
struct columns {
	int node, state, role, run, partitions, oversubscribe, features, reservation, weight;
	int cpus, gpus, gpu_type, memory, cpus_used, gpus_used, memory_used;
};

static void find_columns(struct columns *columns, const struct table_in *in)
{
	*columns = (struct columns){
		.node = table_find(in, "node"),
		.state = table_find(in, "state"),
		.role = table_find(in, "role"),
		.run = table_find(in, "run"),
		.partitions = table_find(in, "partitions"),
		.oversubscribe = table_find(in, "oversubscribe"),
		.features = table_find(in, "features"),
		.reservation = table_find(in, "reservation"),
		.weight = table_find(in, "weight"),
		.cpus = table_find(in, "cpus"),
		.gpus = table_find(in, "gpus"),
		.gpu_type = table_find(in, "gpu_type"),
		.memory = table_find(in, "memory_bytes"),
		.cpus_used = table_find(in, "cpus_used"),
		.gpus_used = table_find(in, "gpus_used"),
		.memory_used = table_find(in, "memory_used_bytes"),
	};
}

static int read_memory(const struct row *row, int column, const char *name, int64_t *bytes,
		       struct err *err)
{
	double real;
	int has = row_real(row, column, name, 0, 1e18, &real, err);

	if (has == 1)
		*bytes = (int64_t)real;
	return has;
}

/* What the node has, and what of it is in use. */
static int read_stock(struct stock *stock, int node, const struct columns *columns,
		      const struct row *row, struct err *err)
{
	struct stock_node *at = &stock->nodes[node];
	const char *state = row_text(row, columns->state);
	int64_t gpus;
	int has = row_int(row, columns->gpus, "gpus", 0, INT32_MAX, &gpus, err), is_used;
	struct err why;

	if (sharings_add(&stock->sharings, row_text(row, columns->partitions),
			 row_text(row, columns->oversubscribe), &why) != 0)
		return row_error(row, err, "%s", why.msg);
	at->is_busy = state != NULL && use_of(state, NULL, false) == NODE_BUSY;
	if (has == 1)
		stock_set_gpus(stock, node, gpus, row_text(row, columns->gpu_type));
	is_used = row_int(row, columns->cpus_used, "cpus_used", 0, INT32_MAX, &at->told.cpus, err);
	at->is_open = is_used == 1 && is_partly_used(state);
	return has < 0 || is_used < 0 ||
			       row_int(row, columns->cpus, "cpus", 0, INT32_MAX, &at->cpus, err) <
				       0 ||
			       row_int(row, columns->gpus_used, "gpus_used", 0, INT32_MAX,
				       &at->told.gpus, err) < 0 ||
			       read_memory(row, columns->memory, "memory_bytes", &at->memory, err) <
				       0 ||
			       read_memory(row, columns->memory_used, "memory_used_bytes",
					   &at->told.memory, err) < 0
		       ? -1
		       : 0;
}

/* Partitions, features and reservations; a column without any value says nothing of the machine. */
static void read_names(struct schedule *schedule, int node, const struct columns *columns,
		       const struct row *row)
{
	if (row_text(row, columns->partitions) != NULL)
		eligible_partitions(&schedule->eligible, schedule->topo, node,
				    row_text(row, columns->partitions));
	if (row_text(row, columns->features) != NULL)
		eligible_features(&schedule->eligible, schedule->topo, node,
				  row_text(row, columns->features));
	if (row_text(row, columns->reservation) != NULL &&
	    !site_rules_reserve(&schedule->rules, row_text(row, columns->reservation)))
		eligible_reservation(&schedule->eligible, schedule->topo, node,
				     row_text(row, columns->reservation));
}

static int read_node(struct schedule *schedule, const struct columns *columns,
		     const struct row *row, int64_t *weight_of, struct err *err)
{
	const char *name = row_text(row, columns->node);
	int node = topo_node_find(schedule->topo, name, strlen(name));

	if (node < 0 && schedule->lacking != NULL) {
		lacking_take(schedule->lacking, name, strlen(name));
		return 0;
	}
	if (node < 0)
		return row_error(row, err, "node: '%s' is not a node of %s", name,
				 schedule->topo->name);
	if (row_text(row, columns->run) != NULL)
		return row_error(row, err, "run: '%s': expected nodes of one machine, not of runs",
				 row_text(row, columns->run));
	schedule->use[node] =
		(unsigned char)use_of(row_text(row, columns->state), row_text(row, columns->role),
				      row_text(row, columns->reservation) != NULL ||
					      site_rules_hold(&schedule->rules, node));
	read_names(schedule, node, columns, row);
	if (row_int(row, columns->weight, "weight", 0, INT64_MAX, &weight_of[node], err) < 0)
		return -1;
	return schedule->stock != NULL ? read_stock(schedule->stock, node, columns, row, err) : 0;
}

int nodes_read(struct schedule *schedule, struct table_in *in, struct err *err)
{
	int64_t *weight_of = xcalloc((size_t)schedule->topo->nnodes + 1, sizeof(*weight_of));
	struct columns columns;
	struct row row;
	int status;

	memset(schedule->use, NODE_AWAY, (size_t)schedule->topo->nnodes);
	find_columns(&columns, in);
	if (columns.cpus >= 0 || columns.gpus >= 0 || columns.memory >= 0)
		schedule->stock = stock_new(schedule->topo->nnodes);
	table_unique(in);
	while ((status = table_next(in, &row, err)) == 1)
		if (read_node(schedule, &columns, &row, weight_of, err) != 0) {
			status = -1;
			break;
		}
	if (status == 0)
		eligible_weights(&schedule->eligible, schedule->topo, weight_of);
	free(weight_of);
	if (status == 0 && !table_is_whole(in))
		return err_set(
			err, "the states of nodes are truncated: which nodes are idle is unknown");
	return status;
}

static void forget_use(struct schedule *schedule, int node)
{
	if (schedule->stock == NULL)
		return;
	schedule->stock->nodes[node].is_busy = schedule->stock->nodes[node].is_open = false;
	schedule->stock->nodes[node].told = (struct share){.gpu_type = GPU_ANY};
}

/* Nothing of a node that was not listed is given out. */
static void set_busy(struct schedule *schedule, int node)
{
	schedule->use[node] = NODE_BUSY;
	if (schedule->stock != NULL)
		schedule->stock->nodes[node].is_open = false;
}

/* A node that was listed is idle if the tables of --nodes let jobs have it at all. */
static int set_idle(struct schedule *schedule, int node, struct err *err)
{
	char name[TOPO_NAME];

	if (schedule->use[node] == NODE_AWAY)
		return err_set(err, "%s: --nodes says that no job can have it",
			       topo_node_name(schedule->topo, node, name));
	schedule->use[node] = NODE_IDLE;
	forget_use(schedule, node);
	return 0;
}

int nodes_set_idle(struct schedule *schedule, const char *hosts, struct err *err)
{
	int_vec nodes = {0};
	int status = topo_hosts_read(schedule->topo, hosts, &nodes, NULL, err);

	for (int node = 0; node < schedule->topo->nnodes; node++)
		if (schedule->use[node] != NODE_AWAY)
			set_busy(schedule, node);
	for (size_t i = 0; i < nodes.n && status == 0; i++)
		status = set_idle(schedule, nodes.at[i], err);
	free(nodes.at);
	return status == 0 ? 0 : err_prefix(err, "--idle: ");
}

int nodes_keep(struct schedule *schedule, const char *hosts, struct err *err)
{
	bool *is_kept = xcalloc((size_t)schedule->topo->nnodes + 1, sizeof(*is_kept));
	int_vec nodes = {0};
	int status = topo_hosts_read(schedule->topo, hosts, &nodes, NULL, err);

	for (size_t i = 0; i < nodes.n; i++)
		is_kept[nodes.at[i]] = true;
	for (int node = 0; node < schedule->topo->nnodes; node++)
		if (!is_kept[node])
			schedule->use[node] = NODE_AWAY;
	free(is_kept);
	free(nodes.at);
	return status == 0 ? 0 : err_prefix(err, "--hosts: ");
}

void nodes_forget_jobs(struct schedule *schedule)
{
	for (int node = 0; node < schedule->topo->nnodes; node++) {
		if (schedule->use[node] == NODE_BUSY)
			schedule->use[node] = NODE_IDLE;
		forget_use(schedule, node);
	}
}
