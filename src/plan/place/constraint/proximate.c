/* proximate.c - nodes whose largest distance is the least there can be (Def. 7) */
#include <stdlib.h>

#include "place/constraint/near.h"

/* The least largest distance of n nodes in service; −1: not known yet. */
struct proximate {
	int *least;  /* [nserving + 1] */
	int *widest; /* [distances.most + 1] the most nodes in service of a region that is guessed;
		      * −1: not known yet */
	struct distances distances;
	struct near_lists lists;
	int64_t attempt; /* the least of the idle nodes was found in it last */
	int least_now;
};

static int proximate_open(struct constraint *constraint, struct err *err)
{
	struct proximate *known = xcalloc(1, sizeof(*known));
	int n = constraint->space->nserving;

	constraint->state = known;
	if (distances_open(&known->distances, constraint->space,
			   pick_is(constraint->pick, "distance", "routes"), err) != 0)
		return -1;
	known->least = xmalloc(((size_t)n + 1) * sizeof(int));
	for (int i = 0; i <= n; i++)
		known->least[i] = -1;
	known->widest = xmalloc(((size_t)known->distances.most + 1) * sizeof(int));
	for (int i = 0; i <= known->distances.most; i++)
		known->widest[i] = -1;
	near_lists_open(&known->lists, known->distances.most);
	return 0;
}

static void close(struct constraint *constraint)
{
	struct proximate *known = constraint->state;

	if (known == NULL)
		return;
	distances_close(&known->distances);
	near_lists_close(&known->lists);
	free(known->widest);
	free(known->least);
	free(known);
}

/* Where regions are guessed: those of a distance are the same for every number of nodes. */
static int least_guessed(struct proximate *known, const struct pool *pool, int wanted,
			 int64_t steps)
{
	int distance = 0;

	while (distance < known->distances.most) {
		int *widest = &known->widest[distance];

		if (*widest < 0)
			*widest = near_widest(pool, distance, steps);
		if (*widest >= wanted)
			break;
		distance++;
	}
	return distance;
}

/* Over the idle nodes, or over all in service; −1: there are too few. */
static int least(struct constraint *constraint, const struct search *search)
{
	struct proximate *known = constraint->state;
	struct pool pool;
	bool is_exact;
	int distance;

	if (search->wanted > constraint->space->nserving)
		return -1;
	if (!search->least_now && known->least[search->wanted] >= 0)
		return known->least[search->wanted];
	if (search->least_now && known->attempt == search->attempt)
		return known->least_now;
	pool_init(&pool, &known->distances, search->least_now ? search->machine : NULL);
	pool.lists = &known->lists;
	if (!search->least_now && near_is_guessed(constraint->space))
		distance = least_guessed(known, &pool, search->wanted,
					 pick_int(constraint->pick, "effort"));
	else
		distance = near_least(&pool, search->wanted, &is_exact);
	pool_free(&pool);
	if (search->least_now) {
		known->least_now = distance;
		known->attempt = search->attempt;
	} else {
		known->least[search->wanted] = distance;
	}
	return distance;
}

static int visit(void *context, const int *nodes, int n)
{
	struct search *search = context;

	return search_any(search, nodes, n);
}

static int regions(struct constraint *constraint, struct search *search)
{
	struct proximate *known = constraint->state;
	struct near_query query = {
		.wanted = search->wanted,
		.distance = least(constraint, search),
		.steps = search->wants_all ? search->steps : pick_int(constraint->pick, "effort"),
		.visit = visit,
		.context = search};
	struct pool pool;
	int end;

	if (query.distance < 0)
		return SEARCH_ALL;
	pool_init(&pool, &known->distances, search->machine);
	pool.lists = &known->lists;
	query.pool = &pool;
	end = near_regions(&query);
	pool_free(&pool);
	/* what the visitor did not want to see the end of for want of steps */
	return end == SEARCH_STOP && search->steps < 0 ? SEARCH_BOUND : end;
}

static int holds(struct constraint *constraint, struct search *search, const int *nodes)
{
	struct proximate *known = constraint->state;
	int distance = least(constraint, search);

	for (int i = 0; i < search->wanted; i++)
		for (int k = 0; k < i; k++) {
			if (!search_spend(search, 1))
				return -1;
			if (distances_between(&known->distances, nodes[i], nodes[k]) > distance)
				return 0;
		}
	return 1;
}

const struct constraint_type constraint_proximate = {
	.entry =
		{
			.name = "proximate",
			.example = "proximate",
			.summary = "nodes with the smallest possible largest distance: "
				   "levels in a hierarchy, links elsewhere",
			.paper = "Bleuse et al., Def. 7",
			.params =
				(const struct param[]){
					DISTANCE_PARAM, EFFORT_PARAM, CONSTRAINT_PARAMS, {0}},
		},
	.turn = TURN_MASKS,
	.is_bounded = true,
	.is_least = true,
	.open = proximate_open,
	.close = close,
	.regions = regions,
	.holds = holds,
};
