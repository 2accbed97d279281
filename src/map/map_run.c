/* map_run.c - from a job to its mapping: partition, mapper, refiner */
#include "map/map_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "map/cores.h"
#include "map/problem/hybrid_metric.h"
#include "base/mem.h"

struct running {
	const struct map_input *in;
	struct map_stages *stages; /* NULL: nobody asks */
	double cpu_s, wall_s;      /* when the stage began */
};

static double seconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void begin(struct running *run)
{
	run->cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID);
	run->wall_s = seconds(CLOCK_MONOTONIC);
}

/* On the machine's own routes, whatever the mapper looked at. */
static struct hybrid_terms measure(const struct map_input *in, const int *node_of)
{
	struct comm *between = comm_quotient(in->comm, node_of, in->nnodes);
	struct hybrid_terms terms;
	struct hybrid hybrid;

	hybrid_init(&hybrid, in->real_routes, comm_unit(in->comm));
	for (int v = 0; v < in->nnodes; v++)
		for (int64_t e = between->first[v]; e < between->first[v + 1]; e++)
			hybrid_book(&hybrid, v, between->peer[e], between->bytes[e]);
	terms = hybrid_look(&hybrid);
	hybrid_free(&hybrid);
	comm_free(between);
	return terms;
}

/* Ends a stage: what it took and what it reached; node_of NULL: nothing to measure yet. */
static void end(struct running *run, const char *name, const int *node_of,
		const struct map_refine_result *result)
{
	struct map_stage *stage;

	if (run->stages == NULL)
		return;
	stage = &run->stages->at[run->stages->n++];
	*stage = (struct map_stage){.name = name,
				    .cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - run->cpu_s,
				    .wall_s = seconds(CLOCK_MONOTONIC) - run->wall_s,
				    .is_measured = node_of != NULL};
	if (result != NULL) {
		stage->nrounds = result->nrounds;
		stage->nmoves = result->nmoves;
	}
	stage->route_bytes = (int64_t)routes_bytes(run->in->routes);
	if (node_of != NULL)
		stage->terms = measure(run->in, node_of);
	begin(run);
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

/* Parts get nodes, and their ranks with them. */
static int run_on_parts(struct running *run, const struct map_input *in, const struct pick *pick,
			const struct pick *partition, int *node_of, struct err *err)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;
	struct map_parts parts;
	int *node_of_part, status;

	if (map_parts_make(&parts, in, partition, err) != 0)
		return -1;
	end(run, "partition", NULL, NULL);
	node_of_part = xmalloc((size_t)parts.nparts * sizeof(*node_of_part));
	status = policy->run(in, &parts, pick, node_of_part, err);
	for (int r = 0; r < in->comm->nranks && status == 0; r++)
		node_of[r] = node_of_part[parts.part_of[r]];
	free(node_of_part);
	map_parts_free(&parts);
	return status;
}

/* The same with each slot of a node as a node of its own, that has room for one rank. */
static int run_on_slots(struct running *run, const struct pick *pick, const struct pick *partition,
			int *node_of, struct err *err)
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
	if (in.routes->split != NULL)
		routes_spread(&routes);
	in.routes = in.real_routes = &routes;
	status = run_on_parts(run, &in, pick, partition, node_of, err);
	for (int r = 0; r < in.comm->nranks && status == 0; r++)
		node_of[r] = index[node_of[r]];
	if (routes.broken_from >= 0) {
		run->in->routes->broken_from = routes.broken_from;
		run->in->routes->broken_to = routes.broken_to;
	}
	routes_free(&routes);
	free(nodes);
	free(room);
	free(index);
	return status;
}

static int run_mapper(struct running *run, const struct pick *pick, const char *text, int *node_of,
		      struct err *err)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;
	struct pick partition;
	int status;

	if (run->in->weights != NULL && !policy->takes_weights)
		return err_set(err, "%s has an aim of its own: -m says nothing to it",
			       pick->entry->name);
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

/* Nodes of the machine, and cores. */
static void fill_mapping(struct mapping *mapping, const struct map_input *in, const int *node_of,
			 const struct map_choice *choice, const struct pick *pick)
{
	bool is_near = !((const struct map_policy *)pick->entry)->keeps_cores;

	if (choice->cores != NULL)
		is_near = str_eq(choice->cores, "near");
	mapping->nranks = in->comm->nranks;
	mapping->node_of = xmalloc((size_t)mapping->nranks * sizeof(*mapping->node_of));
	mapping->core_of = xmalloc((size_t)mapping->nranks * sizeof(*mapping->core_of));
	for (int r = 0; r < mapping->nranks; r++)
		mapping->node_of[r] = in->nodes[node_of[r]];
	if (is_near)
		cores_near(in, node_of, mapping->core_of);
	else
		cores_in_order(in, node_of, mapping->core_of);
}

static bool is_worse(const struct hybrid_terms *a, const struct hybrid_terms *b)
{
	return a->mc > b->mc || (a->mc == b->mc && a->hb > b->hb);
}

/* Where in-order is better than what was found, the refiner goes on from there instead. All pairs
 * of what comes out were looked at. */
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
		measure(in, node_of);
	}
	free(other);
	return status;
}

/* What refines, to be freed: --refine, else what the mapper says. */
static char *refiner_of(const struct map_choice *choice, const struct pick *pick)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;

	if (choice->refiner != NULL)
		return xstrdup(choice->refiner);
	return policy->refine_of != NULL ? policy->refine_of(pick) : xstrdup(policy->refine);
}

int map_run(const struct map_input *in, const struct map_choice *choice, struct mapping *mapping,
	    struct map_stages *stages, struct err *err)
{
	struct running run = {.in = in, .stages = stages};
	struct map_refine_result result = {0};
	struct pick pick;
	char *refiner;
	int *node_of, status;

	if (pick_parse(&pick, &map_policies, choice->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	if (in->comm->nranks == 0) { /* an empty graph: nothing goes anywhere */
		pick_free(&pick);
		return 0;
	}
	refiner = refiner_of(choice, &pick);
	node_of = xmalloc((size_t)in->comm->nranks * sizeof(*node_of));
	begin(&run);
	status = run_mapper(&run, &pick, choice->partition, node_of, err);
	if (status == 0) {
		end(&run, "mapper", node_of, NULL);
		status = run_refiner(in, refiner, node_of, &result, err);
	}
	if (status == 0 && ((const struct map_policy *)pick.entry)->falls_back)
		status = fall_back(in, refiner, node_of, &result, err);
	else if (status == 0 && stages == NULL)
		measure(in, node_of); /* a pair without a route is found by looking */
	if (status == 0) {
		end(&run, "refiner", node_of, &result);
		fill_mapping(mapping, in, node_of, choice, &pick);
	}
	pick_free(&pick);
	free(refiner);
	free(node_of);
	return status;
}
