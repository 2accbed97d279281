/* map_refiner.c - a refiner by its name, on a mapping of ranks to nodes */
#include "map/map_refiner.h"

#include <stdlib.h>

#include "base/mem.h"

/* The parts that a mapping makes: the ranks of a node together. */
static void parts_of(struct map_parts *parts, const struct map_input *in, const int *node_of)
{
	int *part_at = xmalloc((size_t)in->nnodes * sizeof(*part_at));

	*parts = (struct map_parts){0};
	parts->part_of = xmalloc((size_t)in->comm->nranks * sizeof(*parts->part_of));
	parts->size = xcalloc((size_t)in->nnodes, sizeof(*parts->size));
	for (int v = 0; v < in->nnodes; v++)
		part_at[v] = -1;
	for (int r = 0; r < in->comm->nranks; r++) {
		if (part_at[node_of[r]] < 0)
			part_at[node_of[r]] = parts->nparts++;
		parts->part_of[r] = part_at[node_of[r]];
		parts->size[parts->part_of[r]]++;
	}
	parts->comm = comm_quotient(in->comm, parts->part_of, parts->nparts);
	free(part_at);
}

int map_run_refiner(const struct map_input *in, const char *text, int *node_of,
		    struct map_refine_result *result, struct err *err)
{
	const struct map_refiner *refiner;
	struct map_parts parts = {0};
	struct pick pick;
	int status;

	if (pick_parse(&pick, &map_refiners, text, err) != 0)
		return err_prefix(err, "--refine: ");
	refiner = (const struct map_refiner *)pick.entry;
	if (refiner->wants_parts)
		parts_of(&parts, in, node_of);
	status = refiner->run(in, &parts, &pick, node_of, result, err);
	map_parts_free(&parts);
	pick_free(&pick);
	return status;
}

char *map_refiner_of(const char *given, const struct pick *pick)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;

	if (given != NULL)
		return xstrdup(given);
	return policy->refine_of != NULL ? policy->refine_of(pick) : xstrdup(policy->refine);
}
