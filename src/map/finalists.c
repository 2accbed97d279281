/* finalists.c - the mappings that are worth a simulation */
#include "map/finalists.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "map/grid/digits.h"

enum {
	REFINED = 4,     /* of the other mappers' results, the best ones */
	TURNED_SIDES = 3 /* of a grid of ranks, at most, whose turns are tried */
};

struct pool {
	const struct map_input *in;
	const struct map_choice *choice;
	const struct map_aim *aim;
	size_t most;
	map_finalists *at; /* best first */
};

static void free_one(struct map_finalist *finalist)
{
	free(finalist->name);
	free(finalist->node_of);
	mapping_free(&finalist->mapping);
}

/* name is taken over. */
static void add(struct pool *pool, char *name, const int *node_of)
{
	size_t size = (size_t)pool->in->comm->nranks * sizeof(*node_of), at = 0;
	struct map_finalist one = {.name = name, .terms = map_measure(pool->in, node_of)};

	for (size_t i = 0; i < pool->at->n; i++) {
		const struct map_finalist *other = &pool->at->at[i];

		if (memcmp(other->node_of, node_of, size) == 0) {
			free(name);
			return;
		}
		if (!map_aim_is_better(pool->aim, &one.terms, &other->terms))
			at = i + 1;
	}
	if (at == pool->most) {
		free(name);
		return;
	}
	one.node_of = xmalloc(size);
	memcpy(one.node_of, node_of, size);
	vec_push(pool->at, one);
	memmove(&pool->at->at[at + 1], &pool->at->at[at],
		(pool->at->n - 1 - at) * sizeof(*pool->at->at));
	pool->at->at[at] = one;
	if (pool->at->n > pool->most)
		free_one(&pool->at->at[--pool->at->n]);
}

static char *name_of(const struct map_choice *choice)
{
	return choice->refiner != NULL ? xasprintf("%s/refine=%s", choice->policy, choice->refiner)
				       : xstrdup(choice->policy);
}

static int add_choice(struct pool *pool, const struct map_choice *choice, int *node_of,
		      struct err *err)
{
	if (map_run_nodes(pool->in, choice, node_of, err) != 0)
		return -1;
	add(pool, name_of(choice), node_of);
	return 0;
}

/* The rank whose coordinates are this one's, some of them mirrored, then some moved by one. */
static int turned(const struct rank_grid *grid, int rank, unsigned moved, unsigned mirrored)
{
	int stride = 1, turned = 0;

	for (int s = 0; s < grid->nsides; s++) {
		int size = grid->side[s], at = rank % size;

		rank /= size;
		at = (mirrored >> s & 1) != 0 ? (size - at) % size : at;
		at = (at + (int)(moved >> s & 1)) % size;
		turned += at * stride;
		stride *= size;
	}
	return turned;
}

/* A halo that goes around its sides is the same when its ranks are moved or mirrored: loads are the
 * same, but messages leave in another order. */
static void add_turned(struct pool *pool, const struct rank_grid *grid, const int *node_of)
{
	int nranks = pool->in->comm->nranks;
	int *other = xmalloc((size_t)nranks * sizeof(*other));
	unsigned n = 1U << grid->nsides;

	for (unsigned k = 1; k < n * n && grid->nsides <= TURNED_SIDES; k++) {
		for (int r = 0; r < nranks; r++)
			other[r] = node_of[turned(grid, r, k % n, k / n)];
		add(pool, xasprintf("digits/1/turn=%u", k), other);
	}
	free(other);
}

/* Grids in grids: those that load links least. */
static void add_digits(struct pool *pool)
{
	const struct map_input *in = pool->in;
	struct rank_grid grid;
	struct places places;
	int *several, n;

	if (!places_find(&places, in))
		return;
	rank_grid_find(&grid, in->comm);
	several = xmalloc(pool->most * (size_t)in->comm->nranks * sizeof(*several));
	n = digits_embed_several(in, in->routes, &grid, &places, digits_evaluations(in),
				 (int)pool->most, several);
	for (int i = 0; i < n; i++) {
		add(pool, xasprintf("digits/%d", i + 1),
		    several + (size_t)i * (size_t)in->comm->nranks);
		/* equal aims keep their order: turns stand before the other half */
		if (i == n / 2)
			add_turned(pool, &grid, several);
	}
	free(several);
	places_free(&places);
}

/* What the other mappers find; the best are refined. One that can't map this is left out. */
static void add_rivals(struct pool *pool, int *node_of)
{
	struct hybrid_terms *terms = xcalloc((size_t)map_policies.n, sizeof(*terms));
	bool *is_there = xcalloc((size_t)map_policies.n, sizeof(*is_there));

	for (int i = 0; i < map_policies.n; i++) {
		const struct map_policy *policy =
			(const struct map_policy *)map_policies.entries[i];
		struct map_choice choice = {.policy = policy->entry.name,
					    .refiner = map_refiner_none.entry.name};
		struct err why;

		if (policy->is_given)
			continue;
		is_there[i] = add_choice(pool, &choice, node_of, &why) == 0;
		if (is_there[i])
			terms[i] = map_measure(pool->in, node_of);
		else
			say("--finalists: %s: %s", choice.policy, why.msg);
	}
	for (int k = 0; k < REFINED; k++) {
		struct map_choice choice = {.refiner = map_refiner_congestion.entry.name};
		struct err why;
		int best = -1;

		for (int i = 0; i < map_policies.n; i++)
			if (is_there[i] &&
			    (best < 0 || map_aim_is_better(pool->aim, &terms[i], &terms[best])))
				best = i;
		if (best < 0)
			break;
		is_there[best] = false;
		choice.policy = map_policies.entries[best]->name;
		if (add_choice(pool, &choice, node_of, &why) != 0)
			say("--finalists: %s: %s", choice.policy, why.msg);
	}
	free(terms);
	free(is_there);
}

int map_finalists_find(map_finalists *finalists, const struct map_input *in,
		       const struct map_choice *choice, const struct map_aim *aim, int n,
		       struct err *err)
{
	struct pool pool = {in, choice, aim, (size_t)n, finalists};
	int *node_of = xmalloc(((size_t)in->comm->nranks + 1) * sizeof(*node_of));
	int status = add_choice(&pool, choice, node_of, err);

	if (status == 0 && in->comm->nranks > 0) {
		add_digits(&pool);
		add_rivals(&pool, node_of);
	}
	for (size_t i = 0; i < finalists->n && status == 0; i++)
		status = map_run_cores(in, choice, finalists->at[i].node_of,
				       &finalists->at[i].mapping, err);
	free(node_of);
	return status;
}

void map_finalists_free(map_finalists *finalists)
{
	for (size_t i = 0; i < finalists->n; i++)
		free_one(&finalists->at[i]);
	vec_free(finalists);
}
