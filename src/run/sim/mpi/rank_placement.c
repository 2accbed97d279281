/* rank_placement.c - which node each rank of a job runs on */
#include "sim/mpi/rank_placement.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"
#include "formats/table.h"
#include "model/kinds.h"
#include "model/leaf_ranks.h"

static char *key_of(const struct placements *placements, const char *run, const char *policy,
		    const char *job)
{
	return xasprintf("%s\t%s\t%s", placements->has_run && run != NULL ? run : "",
			 placements->has_policy && policy != NULL ? policy : "",
			 placements->has_job && job != NULL ? job : "");
}

static int_vec *nodes_of(struct placements *placements, const char *key)
{
	int64_t next = (int64_t)placements->nodes_of.n;
	int64_t at = map_add(&placements->jobs, key, strlen(key), next);

	if (at == next)
		vec_push(&placements->nodes_of, (int_vec){0});
	return &placements->nodes_of.at[at];
}

static int take_row(struct placements *placements, const struct table_in *in, const struct row *row,
		    const struct topo *topo, struct err *err)
{
	const char *name = row_text(row, table_find(in, "node"));
	int node = name != NULL ? topo_node_find(topo, name, strlen(name)) : -1;
	int64_t rank;
	int_vec *nodes;
	char *key;

	if (row_int(row, table_find(in, "rank"), "rank", 0, INT32_MAX - 1, &rank, err) != 1)
		return -1;
	if (node < 0)
		return row_error(row, err, "'%s' is not a node of %s", name, topo->name);
	key = key_of(placements, row_text(row, table_find(in, "run")),
		     row_text(row, table_find(in, "policy")), row_text(row, table_find(in, "job")));
	nodes = nodes_of(placements, key);
	free(key);
	/* a file that jumps to a far rank is refused before memory is */
	if ((size_t)rank > nodes->n + (1 << 20))
		return row_error(row, err, "rank %lld: the ranks before it are missing",
				 (long long)rank);
	while (nodes->n <= (size_t)rank)
		vec_push(nodes, -1);
	if (nodes->at[rank] >= 0)
		return row_error(row, err, "rank %lld is there twice", (long long)rank);
	nodes->at[rank] = node;
	return 0;
}

static int check_whole(const struct placements *placements, const char *path, struct err *err)
{
	for (size_t i = 0; i < placements->nodes_of.n; i++)
		for (size_t rank = 0; rank < placements->nodes_of.at[i].n; rank++)
			if (placements->nodes_of.at[i].at[rank] < 0)
				return err_set(err, "%s: rank %zu of a job is missing", path, rank);
	return 0;
}

int placements_read(struct placements *placements, const char *path, const struct topo *topo,
		    bool accepts_partial, struct err *err)
{
	static const struct table_kind *const kinds[] = {&kind_mapping, NULL};
	struct table_in *in;
	struct row row;
	int status;

	*placements = (struct placements){0};
	if (table_open_one(&in, kinds, path, accepts_partial, err) != 0)
		return -1;
	placements->has_run = table_find(in, "run") >= 0;
	placements->has_policy = table_find(in, "policy") >= 0;
	placements->has_job = table_find(in, "job") >= 0;
	while ((status = table_next(in, &row, err)) == 1)
		if ((status = take_row(placements, in, &row, topo, err)) != 0)
			break;
	if (status == 0 && !table_is_whole(in))
		status = err_set(err, "%s: was cut off", path);
	table_close(in);
	if (status == 0)
		status = check_whole(placements, path, err);
	if (status != 0)
		placements_free(placements);
	return status;
}

void placements_free(struct placements *placements)
{
	for (size_t i = 0; i < placements->nodes_of.n; i++)
		vec_free(&placements->nodes_of.at[i]);
	vec_free(&placements->nodes_of);
	map_free(&placements->jobs);
}

const int_vec *placements_find(const struct placements *placements, const char *run,
			       const char *policy, const char *job)
{
	char *key = key_of(placements, run, policy, job);
	int64_t at = map_get(&placements->jobs, key, strlen(key));

	free(key);
	return at >= 0 ? &placements->nodes_of.at[at] : NULL;
}

int rank_order_find(const char *name, enum rank_order *order)
{
	static const char *const names[] = {"in-order", "random", "leaf-round-robin"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (str_eq(name, names[i])) {
			*order = (enum rank_order)i;
			return 0;
		}
	return -1;
}

static void place_by_leaf(const struct topo *topo, const int *nodes, int nnodes, int ranks_per_node,
			  int *node_of)
{
	int nranks = nnodes * ranks_per_node, *room = xcalloc((size_t)nnodes, sizeof(*room));

	for (int i = 0; i < nnodes; i++)
		room[i] = ranks_per_node;
	leaf_ranks(topo, nodes, room, nnodes, nranks, node_of);
	for (int rank = 0; rank < nranks; rank++)
		node_of[rank] = nodes[node_of[rank]];
	free(room);
}

void place_ranks(const struct topo *topo, const int *nodes, int nnodes, int ranks_per_node,
		 enum rank_order order, uint64_t seed, const char *run, const char *job,
		 int *node_of)
{
	size_t n = (size_t)nnodes * (size_t)ranks_per_node;

	if (order == RANKS_LEAF_ROUND_ROBIN) {
		place_by_leaf(topo, nodes, nnodes, ranks_per_node, node_of);
		return;
	}
	for (size_t slot = 0; slot < n; slot++)
		node_of[slot] = nodes[slot / (size_t)ranks_per_node];
	if (order == RANKS_RANDOM) {
		struct rng rng = rng_make(seed, "task-mapping", run, job);

		rng_shuffle(&rng, node_of, n);
	}
}
