/* map_run.c - from a job to its mapping: partition, mapper, refiner */
#include "map/map_run.h"

#include <stdlib.h>
#include <string.h>

#include "map/cores.h"
#include "map/fastest.h"
#include "map/grid/digits.h"
#include "map/islands.h"
#include "map/map_mapper.h"
#include "map/map_refiner.h"
#include "map/refine/aim_search.h"
#include "map/refine/congestion.h"
#include "base/mem.h"

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

/* Where ranks in order are better than what was found, they stay so. */
static int fall_back(const struct map_input *in, int *node_of, struct err *err)
{
	const struct map_aim in_turn = {.is_in_turn = true};
	struct hybrid_terms found = map_measure(in, node_of), in_order;
	int *other = xmalloc((size_t)in->comm->nranks * sizeof(*other));
	int status = map_policy_in_order.run(in, NULL, NULL, other, err);

	in_order = map_measure(in, other);
	if (status == 0 &&
	    map_aim_is_better(in->aim != NULL ? in->aim : &in_turn, &in_order, &found))
		memcpy(node_of, other, (size_t)in->comm->nranks * sizeof(*other));
	free(other);
	return status;
}

/* Whether -m asks for what neither the mapper nor its refiner makes small. */
static bool seeks_aim(const struct map_input *in, const struct pick *pick)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;

	return in->aim != NULL && !(policy->takes_weights && map_aim_is_sum(in->aim)) &&
	       !(policy->falls_back && in->aim->is_in_turn);
}

/* Whether what is found has to compete with what other mappers find. */
static bool has_rivals(const struct map_choice *choice, const struct pick *pick)
{
	return ((const struct map_policy *)pick->entry)->falls_back && choice->refiner == NULL;
}

/* Of pairs of nodes that are spread over the allocation. */
static double mean_hops(const struct map_input *in)
{
	enum { PAIRS = 512, APART = 7919 };
	int64_t nhops = 0;
	int n = 0;

	for (int64_t i = 0; i < PAIRS; i++) {
		int a = (int)(i * in->nnodes / PAIRS), b = (int)((a + i * APART) % in->nnodes);

		if (a == b)
			continue;
		nhops += routes_get(in->routes, a, b)[0];
		n++;
	}
	return n > 0 ? (double)nhops / n : 0;
}

/* All stages on one piece of the machine. */
static int run_stages(struct map_running *run, const struct map_choice *choice,
		      const struct pick *pick, int *node_of, struct err *err)
{
	struct map_refine_result result = {0};
	bool is_settled = false;
	const struct map_input *outer = run->in;
	struct map_input in = *outer;
	struct digits_memo digits;
	struct parts_memo parts;
	struct map_others others = {0};
	char *refiner = map_refiner_of(choice->refiner, pick);
	int status;

	digits_memo_open(&digits, &in);
	in.digits = &digits;
	parts_memo_open(&parts, &in);
	in.parts = &parts;
	in.is_settled = &is_settled;
	if (has_rivals(choice, pick) && in.aim == NULL) {
		others.most = congestion_nothers(&in);
		in.others = &others;
	}
	in.hops = mean_hops(&in);
	run->in = &in;
	status = map_run_mapper(run, pick, choice->partition, node_of, err);
	if (status == 0)
		map_stage_end(run, "mapper", node_of, NULL);
	if (status == 0 && (!is_settled || choice->refiner != NULL))
		status = map_run_refiner(&in, refiner, node_of, &result, err);
	if (status == 0 && others.n > 0 && (is_settled || !congestion_needs_others(&in, node_of)))
		others.n = 0;
	if (status == 0 && seeks_aim(&in, pick))
		aim_search(&in, node_of, &result);
	if (status == 0 && ((const struct map_policy *)pick->entry)->falls_back)
		status = fall_back(&in, node_of, err);
	if (status == 0)
		map_stage_end(run, "refiner", node_of, &result);
	if (status == 0 && has_rivals(choice, pick) && map_fastest(run, refiner, node_of))
		map_stage_end(run, "rivals", node_of, NULL);
	run->in = outer;
	map_others_free(&others);
	digits_memo_close(&digits);
	parts_memo_close(&parts);
	free(refiner);
	return status;
}

/* Each island's part of the job on its own. */
static int run_on_islands(struct map_running *run, const struct islands *islands,
			  const int *island_of, const struct map_choice *choice,
			  const struct pick *pick, int *node_of, struct err *err)
{
	int status = 0;

	for (int i = 0; i < islands->n && status == 0; i++) {
		struct island_job job;
		struct map_running alone = {.in = &job.in};
		int *place_of;

		island_job_open(&job, run->in, islands, island_of, i);
		place_of = xmalloc((size_t)job.in.comm->nranks * sizeof(*place_of));
		if (job.in.comm->nranks > 0)
			status = run_stages(&alone, choice, pick, place_of, err);
		for (int r = 0; r < job.in.comm->nranks && status == 0; r++)
			node_of[job.ranks[r]] = job.index[place_of[r]];
		free(place_of);
		island_job_close(&job);
	}
	if (status == 0)
		map_stage_end(run, "refiner", node_of, NULL);
	return status;
}

static int run_all(struct map_running *run, const struct map_choice *choice,
		   const struct pick *pick, int *node_of, struct err *err)
{
	const struct map_policy *policy = (const struct map_policy *)pick->entry;
	int *island_of = xmalloc((size_t)run->in->comm->nranks * sizeof(*island_of)), status;
	struct islands islands;

	islands_find(&islands, run->in);
	if (islands.n > 1 && !policy->is_given && islands_assign(&islands, run->in, island_of))
		status = run_on_islands(run, &islands, island_of, choice, pick, node_of, err);
	else
		status = run_stages(run, choice, pick, node_of, err);
	islands_free(&islands);
	free(island_of);
	return status;
}

/* All that is sent has a route. */
static int check_routes(const struct map_input *in, const int *node_of, struct err *err)
{
	struct comm *between = comm_quotient(in->comm, node_of, in->nnodes);
	char from[TOPO_NAME], to[TOPO_NAME];
	int status = 0;

	for (int v = 0; v < in->nnodes && status == 0; v++)
		for (int64_t e = between->first[v]; e < between->first[v + 1] && status == 0; e++)
			if (routes_get(in->real_routes, v, between->peer[e])[0] == 0)
				status = err_set(
					err, "there is no route from %s to %s",
					topo_node_name(in->topo, in->nodes[v], from),
					topo_node_name(in->topo, in->nodes[between->peer[e]], to));
	comm_free(between);
	return status;
}

static int run_nodes(struct map_running *run, const struct map_choice *choice,
		     const struct pick *pick, int *node_of, struct err *err)
{
	const struct map_input *in = run->in;
	int status;

	map_stage_begin(run);
	status = run_all(run, choice, pick, node_of, err);
	run->in = in;
	return status == 0 ? check_routes(in, node_of, err) : status;
}

static int pick_policy(struct pick *pick, const struct map_choice *choice, struct err *err)
{
	if (pick_parse(pick, &map_policies, choice->policy, err) != 0)
		return err_prefix(err, "--policy: ");
	return 0;
}

int map_run_nodes(const struct map_input *in, const struct map_choice *choice, int *node_of,
		  struct err *err)
{
	return map_run_compared(in, choice, node_of, NULL, err);
}

int map_run_compared(const struct map_input *in, const struct map_choice *choice, int *node_of,
		     map_rival_list *compared, struct err *err)
{
	struct map_running run = {.in = in, .compared = compared};
	struct pick pick;
	int status;

	if (pick_policy(&pick, choice, err) != 0)
		return -1;
	status = in->comm->nranks > 0 ? run_nodes(&run, choice, &pick, node_of, err) : 0;
	pick_free(&pick);
	return status;
}

int map_run_cores(const struct map_input *in, const struct map_choice *choice, const int *node_of,
		  struct mapping *mapping, struct err *err)
{
	struct pick pick;

	if (pick_policy(&pick, choice, err) != 0)
		return -1;
	if (in->comm->nranks > 0)
		fill_mapping(mapping, in, node_of, choice, &pick);
	pick_free(&pick);
	return 0;
}

int map_run(const struct map_input *in, const struct map_choice *choice, struct mapping *mapping,
	    struct map_stages *stages, struct err *err)
{
	struct map_running run = {.in = in, .stages = stages};
	struct pick pick;
	int *node_of, status = 0;

	if (pick_policy(&pick, choice, err) != 0)
		return -1;
	if (in->comm->nranks > 0) { /* of an empty graph nothing goes anywhere */
		node_of = xmalloc((size_t)in->comm->nranks * sizeof(*node_of));
		status = run_nodes(&run, choice, &pick, node_of, err);
		if (status == 0)
			fill_mapping(mapping, in, node_of, choice, &pick);
		free(node_of);
	}
	pick_free(&pick);
	return status;
}
