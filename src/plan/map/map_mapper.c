/* map_mapper.c - a mapper runs on ranks, on parts, or on slots */
#include "map/map_mapper.h"

#include <stdlib.h>

#include "base/mem.h"

/* Parts get nodes, and their ranks with them. */
static int run_on_parts(struct map_running *run, const struct map_input *in,
			const struct pick *pick, const struct pick *partition, int *node_of,
			struct err *err)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;
	struct map_parts parts;
	int *node_of_part, status;

	if (map_parts_make(&parts, in, partition, err) != 0)
		return -1;
	map_stage_end(run, "partition", NULL, NULL);
	node_of_part = xmalloc((size_t)parts.nparts * sizeof(*node_of_part));
	status = policy->run(in, &parts, pick, node_of_part, err);
	for (int r = 0; r < in->comm->nranks && status == 0; r++)
		node_of[r] = node_of_part[parts.part_of[r]];
	free(node_of_part);
	map_parts_free(&parts);
	return status;
}

/* The same with each slot of a node as a separate node, that has room for one rank. */
static int run_on_slots(struct map_running *run, const struct pick *pick,
			const struct pick *partition, int *node_of, struct err *err)
{
	struct map_input in = *run->in;
	size_t nslots = (size_t)in.nslots;
	int *nodes = xmalloc(nslots * sizeof(*nodes)), *room = xmalloc(nslots * sizeof(*room));
	int *index = xmalloc(nslots * sizeof(*index)), n = 0, status;
	struct routes routes;

	for (int v = 0; v < in.nnodes; v++)
		for (int i = 0; i < in.room[v]; i++) {
			nodes[n] = in.nodes[v];
			index[n] = v;
			room[n++] = 1;
		}
	in.nodes = nodes;
	in.nnodes = n;
	in.room = room;
	routes_init(&routes, in.topo, in.routes->routing, nodes, n);
	routes_split_like(&routes, in.routes);
	in.routes = in.real_routes = &routes;
	status = run_on_parts(run, &in, pick, partition, node_of, err);
	for (int r = 0; r < in.comm->nranks && status == 0; r++)
		node_of[r] = index[node_of[r]];
	routes_free(&routes);
	free(nodes);
	free(room);
	free(index);
	return status;
}

int map_run_mapper(struct map_running *run, const struct pick *pick, const char *text, int *node_of,
		   struct err *err)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;
	struct pick partition;
	int status;

	if (policy->partition == NULL) {
		if (text != NULL)
			return err_set(err,
				       "%s places ranks, not parts: --partition says nothing to it",
				       pick->entry->name);
		return policy->run(run->in, NULL, pick, node_of, err);
	}
	if (pick_parse(&partition, &map_partitions, text != NULL ? text : policy->partition, err) !=
	    0)
		return err_prefix(err, "--partition: ");
	if (((const struct map_partition *)partition.entry)->is_by_slot)
		status = run_on_slots(run, pick, &partition, node_of, err);
	else
		status = run_on_parts(run, run->in, pick, &partition, node_of, err);
	pick_free(&partition);
	return status;
}
