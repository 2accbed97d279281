/* file.c - the mapping that a file says, made by another program */
#include <stdlib.h>

#include "map/problem/problem.h"
#include "base/mem.h"
#include "model/kinds.h"
#include "model/mapping.h"

static int place(const struct map_input *in, const struct mapping *mapping, int *node_of,
		 struct err *err)
{
	int *index_of = xmalloc((size_t)in->topo->nnodes * sizeof(*index_of));
	int *nheld = xcalloc((size_t)in->nnodes, sizeof(*nheld)), status = 0;
	char name[TOPO_NAME];

	for (int v = 0; v < in->topo->nnodes; v++)
		index_of[v] = -1;
	for (int v = 0; v < in->nnodes; v++)
		index_of[in->nodes[v]] = v;
	for (int r = 0; r < in->comm->nranks && status == 0; r++) {
		int node = index_of[mapping->node_of[r]];

		if (node < 0)
			status = err_set(err, "rank %d: the node %s is not the job's", r,
					 topo_node_name(in->topo, mapping->node_of[r], name));
		else if (nheld[node]++ == in->room[node])
			status = err_set(err, "rank %d: the node %s is full", r,
					 topo_node_name(in->topo, mapping->node_of[r], name));
		else
			node_of[r] = node;
	}
	free(index_of);
	free(nheld);
	return status;
}

static int run(const struct map_input *in, const struct map_parts *parts, const struct pick *pick,
	       int *node_of, struct err *err)
{
	const struct table_kind *const kinds[] = {&kind_mapping, NULL};
	char *paths[] = {(char *)pick_word(pick, "path"), NULL};
	struct mapping mapping;
	struct table_in *table;
	int status;

	(void)parts;
	if (table_open(&table, kinds, paths, in->accepts_partial, err) != 0)
		return err_prefix(err, "file: ");
	status = mapping_read(&mapping, table, in->topo, NULL, err);
	table_close(table);
	if (status != 0)
		return err_prefix(err, "file: ");
	if (mapping.nranks != in->comm->nranks)
		status = err_set(err, "file: %s maps %d ranks, the graph has %d", paths[0],
				 mapping.nranks, in->comm->nranks);
	else
		status = place(in, &mapping, node_of, err);
	mapping_free(&mapping);
	return status;
}

const struct map_policy map_policy_file = {
	.entry =
		{
			.name = "file",
			.example = "file:path=mapping.tsv",
			.summary = "a mapping from a file",
			.params =
				(const struct param[]){{.key = "path",
							.type = PARAM_FILE,
							.meaning = "a stream of the kind mapping"},
						       {0}},
		},
	.refine = "none",
	.is_given = true,
	.run = run,
};
