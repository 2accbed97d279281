/* run.c - from a job to its mapping: partition, mapper, refiner */
#include "algo/map/run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "algo/map/hybrid.h"
#include "base/mem.h"

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct hybrid_terms measure(const struct map_input *in, const int *node_of)
{
	struct hybrid_terms terms;
	struct hybrid hybrid;

	hybrid_init(&hybrid, in->routes, comm_unit(in->comm));
	for (int r = 0; r < in->comm->nranks; r++)
		for (int64_t e = in->comm->first[r]; e < in->comm->first[r + 1]; e++)
			hybrid_book(&hybrid, node_of[r], node_of[in->comm->peer[e]],
				    in->comm->bytes[e]);
	terms = hybrid_look(&hybrid);
	hybrid_free(&hybrid);
	return terms;
}

/* Ends a stage: what it took and what it reached. */
static void note(struct map_stage *stages, int *nstages, const char *name, double *since,
		 const struct map_input *in, const int *node_of,
		 const struct map_refine_result *result)
{
	struct map_stage *stage = &stages[(*nstages)++];

	*stage = (struct map_stage){.name = name, .cpu_s = cpu_seconds() - *since};
	if (result != NULL) {
		stage->nrounds = result->nrounds;
		stage->nmoves = result->nmoves;
	}
	if (node_of != NULL) {
		struct hybrid_terms terms = measure(in, node_of);

		stage->hop_bytes = terms.hb;
		stage->max_congestion = terms.mc;
	}
	*since = cpu_seconds();
}

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

static int run_mapper(const struct map_input *in, const struct pick *pick, const char *partition,
		      int *node_of, struct map_stage *stages, int *nstages, double *since,
		      struct err *err)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;
	struct map_parts parts;
	int *node_of_part, status;

	if (policy->partition == NULL) {
		if (partition != NULL)
			return err_set(err,
				       "%s places ranks, not parts: --partition says nothing to it",
				       pick->entry->name);
		return policy->run(in, NULL, pick, node_of, err);
	}
	if (map_parts_make(&parts, in, partition != NULL ? partition : policy->partition, err) != 0)
		return -1;
	note(stages, nstages, "partition", since, in, NULL, NULL);
	node_of_part = xmalloc((size_t)parts.nparts * sizeof(*node_of_part));
	status = policy->run(in, &parts, pick, node_of_part, err);
	for (int r = 0; r < in->comm->nranks && status == 0; r++)
		node_of[r] = node_of_part[parts.part_of[r]];
	free(node_of_part);
	map_parts_free(&parts);
	return status;
}

static int run_refiner(const struct map_input *in, const char *text, int *node_of,
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

/* Cores in the order of a node's ranks. */
static void fill_mapping(struct mapping *mapping, const struct map_input *in, const int *node_of)
{
	int *nheld = xcalloc((size_t)in->nnodes, sizeof(*nheld));

	mapping->nranks = in->comm->nranks;
	mapping->node_of = xmalloc((size_t)mapping->nranks * sizeof(*mapping->node_of));
	mapping->core_of = xmalloc((size_t)mapping->nranks * sizeof(*mapping->core_of));
	for (int r = 0; r < mapping->nranks; r++) {
		mapping->node_of[r] = in->nodes[node_of[r]];
		mapping->core_of[r] = nheld[node_of[r]]++;
	}
	free(nheld);
}

static bool is_worse(const struct hybrid_terms *a, const struct hybrid_terms *b)
{
	return a->mc > b->mc || (a->mc == b->mc && a->hb > b->hb);
}

/* Where in-order is better than what was found, the refiner goes on from there instead. */
static int fall_back(const struct map_input *in, const char *refiner, int *node_of,
		     struct map_refine_result *result, struct err *err)
{
	struct hybrid_terms found = measure(in, node_of), in_order;
	int *other = xmalloc((size_t)in->comm->nranks * sizeof(*other));
	int status = map_policy_in_order.run(in, NULL, NULL, other, err);

	in_order = measure(in, other);
	if (status == 0 && is_worse(&found, &in_order)) {
		status = run_refiner(in, refiner, other, result, err);
		memcpy(node_of, other, (size_t)in->comm->nranks * sizeof(*other));
	}
	free(other);
	return status;
}

int map_run(const struct map_input *in, const struct map_choice *choice, struct mapping *mapping,
	    struct map_stage *stages, int *nstages, struct err *err)
{
	int *node_of = xmalloc((size_t)in->comm->nranks * sizeof(*node_of));
	struct map_refine_result result = {0};
	double since = cpu_seconds();
	const char *refiner = choice->refiner;
	struct pick pick;
	int status;

	*nstages = 0;
	if (pick_parse(&pick, &map_policies, choice->policy, err) != 0) {
		free(node_of);
		return err_prefix(err, "--policy: ");
	}
	if (refiner == NULL)
		refiner = ((const struct map_policy *)pick.entry)->refine;
	status = run_mapper(in, &pick, choice->partition, node_of, stages, nstages, &since, err);
	if (status == 0)
		note(stages, nstages, "mapper", &since, in, node_of, NULL);
	if (status == 0)
		status = run_refiner(in, refiner, node_of, &result, err);
	if (status == 0 && ((const struct map_policy *)pick.entry)->falls_back)
		status = fall_back(in, refiner, node_of, &result, err);
	if (status == 0) {
		note(stages, nstages, "refiner", &since, in, node_of, &result);
		fill_mapping(mapping, in, node_of);
	}
	pick_free(&pick);
	free(node_of);
	return status;
}
