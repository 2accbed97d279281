/* rivals.c - different mappings of a job, to choose from */
#include "map/rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/str.h"
#include "map/grid/digits.h"
#include "map/map_mapper.h"
#include "map/map_refiner.h"
#include "map/problem/copied_load.h"
#include "map/problem/map_measure.h"
#include "map/refine/congestion.h"

enum {
	TURNED_SIDES = 3, /* of a grid of ranks, at most, whose turns are tried */
	REFINED = 2,      /* mappings, at most */
	SPREAD_TIMES = 4, /* the work of a search, of the best mapping that is spread */
	REFINED_PART = 8  /* of the work of a search, for each */
};

/* Ranks send one message after the other, so that links carry nothing while those wait for copies.
 * Of 1, 1.05, 1.1, 1.2, 1.3 and 1.5 this led to the fastest mappings of groups on uneven nodes. */
static const double copies_weight = 1.1;

static void free_one(struct map_rival *rival)
{
	free(rival->name);
	free(rival->node_of);
	mapping_free(&rival->mapping);
}

/* But for node_of. */
static struct map_rival measured(const struct map_input *in, char *name, const int *node_of)
{
	struct map_rival rival = {.name = name, .terms = map_measure(in, node_of)};

	rival.load = fmax(rival.terms.mc, map_copied_load(in, node_of));
	return rival;
}

static void add(struct map_rivals *rivals, char *name, bool is_own, const int *node_of)
{
	size_t size = (size_t)rivals->in->comm->nranks * sizeof(*node_of), at = 0;
	struct map_rival one = measured(rivals->in, name, node_of);

	one.is_own = is_own;
	for (size_t i = 0; i < rivals->at->n; i++) {
		const struct map_rival *other = &rivals->at->at[i];

		if (memcmp(other->node_of, node_of, size) == 0) {
			free(name);
			return;
		}
		if (!map_aim_is_better(rivals->aim, &one.terms, &other->terms))
			at = i + 1;
	}
	if (at == rivals->most) {
		free(name);
		return;
	}
	one.node_of = xmalloc(size);
	memcpy(one.node_of, node_of, size);
	vec_push(rivals->at, one);
	memmove(&rivals->at->at[at + 1], &rivals->at->at[at],
		(rivals->at->n - 1 - at) * sizeof(*rivals->at->at));
	rivals->at->at[at] = one;
	if (rivals->at->n > rivals->most)
		free_one(&rivals->at->at[--rivals->at->n]);
}

void map_rivals_add_own(struct map_rivals *rivals, char *name, const int *node_of)
{
	add(rivals, name, true, node_of);
}

void map_rivals_add(struct map_rivals *rivals, char *name, const int *node_of)
{
	add(rivals, name, false, node_of);
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
static void add_turned(struct map_rivals *rivals, const struct rank_grid *grid, const int *node_of,
		       unsigned nturns)
{
	int nranks = rivals->in->comm->nranks;
	int *other = xmalloc((size_t)nranks * sizeof(*other));
	int *rank_at = xmalloc((size_t)nranks * sizeof(*rank_at)); /* by its number in the grid */
	unsigned n = 1U << grid->nsides;

	for (int r = 0; r < nranks; r++)
		rank_at[grid->number_of != NULL ? grid->number_of[r] : r] = r;
	for (unsigned k = 1; k < n * n && k <= nturns && grid->nsides <= TURNED_SIDES; k++) {
		for (int r = 0; r < nranks; r++)
			other[rank_at[r]] = node_of[rank_at[turned(grid, r, k % n, k / n)]];
		map_rivals_add(rivals, xasprintf("digits/1/turn=%u", k), other);
	}
	free(other);
	free(rank_at);
}

void map_rivals_add_digits(struct map_rivals *rivals, int n, unsigned nturns)
{
	const struct map_input *in = rivals->in;
	struct rank_grid grid;
	struct places places;
	int *several, nfound;

	if (!places_find(&places, in))
		return;
	digits_grid_once(in, &grid);
	several = xmalloc((size_t)n * (size_t)in->comm->nranks * sizeof(*several));
	nfound = digits_embed_once(in, in->routes, &grid, &places, n, several);
	for (int i = 0; i < nfound; i++) {
		map_rivals_add(rivals, xasprintf("digits/%d", i + 1),
			       several + (size_t)i * (size_t)in->comm->nranks);
		/* equal aims keep their order: turns stand before the other half */
		if (i == nfound / 2)
			add_turned(rivals, &grid, several, nturns);
	}
	free(several);
	rank_grid_free(&grid);
	places_free(&places);
}

void map_rivals_add_others(struct map_rivals *rivals, const char *refiner)
{
	struct map_input in = *rivals->in;
	int *node_of = in.others != NULL ? in.others->node_of.at : NULL;

	for (int k = 0; in.others != NULL && k < in.others->n; k++, node_of += in.comm->nranks) {
		struct map_refine_result result = {0};
		struct err why;

		in.seed = rivals->in->seed + ((uint64_t)(k + 1) << 32);
		if (map_run_refiner(&in, refiner, node_of, &result, &why) == 0)
			map_rivals_add_own(rivals, xasprintf("start/%d", k + 2), node_of);
	}
}

/* With its own refiner. */
static int run_mapper(const struct map_input *in, const struct pick *pick, int *node_of,
		      struct err *err)
{
	struct map_running alone = {.in = in};
	struct map_refine_result result = {0};
	char *refiner = map_refiner_of(NULL, pick);
	int status = map_run_mapper(&alone, pick, NULL, node_of, err);

	if (status == 0)
		status = map_run_refiner(in, refiner, node_of, &result, err);
	free(refiner);
	return status;
}

void map_rivals_add_mappers(struct map_rivals *rivals, int *node_of)
{
	struct map_input in = *rivals->in;

	in.aim = NULL; /* they are what the default has */
	for (int i = 0; i < map_policies.n; i++) {
		const struct entry *entry = map_policies.entries[i];
		const struct map_policy *policy = (const struct map_policy *)entry;
		struct pick pick;
		struct err why;

		if (policy->is_given || policy->falls_back ||
		    pick_parse(&pick, &map_policies, entry->name, &why) != 0)
			continue;
		if (run_mapper(&in, &pick, node_of, &why) == 0)
			map_rivals_add(rivals, xstrdup(entry->name), node_of);
		else
			say("%s: %s", entry->name, why.msg);
		pick_free(&pick);
	}
}

void map_rivals_add_refined(struct map_rivals *rivals, int *node_of)
{
	const struct map_input *in = rivals->in;
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of), n = 0;
	int *best = xmalloc(REFINED * size);
	char *name[REFINED];
	bool is_best = true;

	for (size_t i = 0; i < rivals->at->n && n < REFINED; i++) {
		const struct map_rival *rival = &rivals->at->at[i];

		if (rival->is_own)
			continue;
		memcpy(best + n * (size_t)in->comm->nranks, rival->node_of, size);
		name[n++] = xasprintf("%s/refined", rival->name);
	}
	for (size_t i = 0; i < n; i++) {
		struct map_refine_result result = {0};
		struct err why;

		memcpy(node_of, best + i * (size_t)in->comm->nranks, size);
		is_best = is_best && congestion_refine(in, congestion_work(in) / REFINED_PART,
						       node_of, &result, &why) == 0;
		if (is_best)
			map_rivals_add(rivals, name[i], node_of);
		else
			free(name[i]);
		is_best = is_best && memcmp(rivals->at->at[0].node_of, node_of, size) == 0;
	}
	free(best);
}

static int most_on_a_node(const struct map_input *in, const int *node_of)
{
	int *nranks = xcalloc((size_t)in->nnodes + 1, sizeof(*nranks)), most = 0;

	for (int rank = 0; rank < in->comm->nranks; rank++) {
		int n = ++nranks[node_of[rank]];

		most = n > most ? n : most;
	}
	free(nranks);
	return most;
}

/* room [nnodes]: as much as before, but for no more than so many ranks. Returns how many there is
 * room for. */
static int less_room(const struct map_input *in, int most, int *room)
{
	int sum = 0;

	for (int v = 0; v < in->nnodes; v++) {
		room[v] = in->room[v] < most ? in->room[v] : most;
		sum += room[v];
	}
	return sum;
}

static bool pick_default(struct pick *pick)
{
	struct err why;

	for (int i = 0; i < map_policies.n; i++) {
		const struct entry *entry = map_policies.entries[i];

		if (((const struct map_policy *)entry)->falls_back)
			return pick_parse(pick, &map_policies, entry->name, &why) == 0;
	}
	return false;
}

/* From there, copies in the way of a link's load, in so many times the work of a search; returns
 * the greatest load of all. */
static double add_spread(struct map_rivals *rivals, const struct map_input *in, char *name,
			 int times, int *node_of)
{
	struct map_refine_result result = {0};
	struct err why;

	if (congestion_refine(in, times * congestion_work(in), node_of, &result, &why) != 0) {
		free(name);
		return HUGE_VAL;
	}
	map_rivals_add(rivals, name, node_of);
	return fmax(map_measure(rivals->in, node_of).mc,
		    copies_weight * map_copied_load(rivals->in, node_of));
}

/* The one whose most loaded link or node carries least. */
static const struct map_rival *least_loaded(const struct map_rivals *rivals)
{
	const struct map_rival *best = NULL;
	double least = HUGE_VAL;

	for (size_t i = 0; i < rivals->at->n; i++) {
		const struct map_rival *rival = &rivals->at->at[i];

		if (best == NULL || rival->load < least) {
			best = rival;
			least = rival->load;
		}
	}
	return best;
}

/* From a mapping to nodes that take no more than most ranks each. Returns whether there is one. */
static bool map_to_more(const struct map_input *in, const struct pick *pick, int most, int *node_of)
{
	int *room = xmalloc((size_t)in->nnodes * sizeof(*room));
	struct map_input less = *in;
	struct map_running alone = {.in = &less};
	struct err why;
	bool is_found;

	less.nslots = less_room(in, most, room);
	less.room = room;
	less.others = NULL;
	is_found = less.nslots >= in->comm->nranks &&
		   map_run_mapper(&alone, pick, NULL, node_of, &why) == 0;
	free(room);
	return is_found;
}

/* Sixteenths of what a node has at most that it may have then. First ranks are spread widely. On
 * nodes with unlike room the others leave fewer groups on one; each search finds that by chance. */
enum { LIMITS = 5 };
static const int sixteenths[LIMITS] = {4, 12, 9, 12, 9};

void map_rivals_add_spread(struct map_rivals *rivals, int *node_of)
{
	const struct map_input *in = rivals->in;
	const struct map_rival *best = &rivals->at->at[0];
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	struct map_input loaded = *in;
	struct routes routes;
	struct pick pick;
	double least;
	int nlimits = map_rooms_are_equal(in) ? 1 : LIMITS, most, *first;

	if (in->aim != NULL || in->nslots == in->comm->nranks || best->load <= best->terms.mc ||
	    !pick_default(&pick))
		return;
	routes_init(&routes, in->topo, in->routes->routing, in->nodes, in->nnodes);
	routes_load_inside(&routes, copies_weight * map_copied_per_byte(in));
	loaded.routes = &routes;
	first = xmalloc(size);
	best = least_loaded(rivals);
	memcpy(node_of, best->node_of, size);
	most = most_on_a_node(in, node_of);
	least = add_spread(rivals, &loaded, xstrdup("spread"), 1, node_of);
	memcpy(first, node_of, size);
	for (int k = 0; k < nlimits; k++) {
		double load = HUGE_VAL;

		loaded.seed = in->seed + ((uint64_t)k << 32);
		if (map_to_more(&loaded, &pick, most * sixteenths[k] / 16, node_of))
			load = add_spread(rivals, &loaded, xasprintf("spread/%d", k + 1), 1,
					  node_of);
		if (load < least) {
			least = load;
			memcpy(first, node_of, size);
		}
	}
	add_spread(rivals, &loaded, xstrdup("spread/refined"), SPREAD_TIMES, first);
	free(first);
	routes_free(&routes);
	pick_free(&pick);
}

void map_rivals_put_first(struct map_rivals *rivals, const char *name, const int *node_of)
{
	size_t size = (size_t)rivals->in->comm->nranks * sizeof(*node_of), at = 0;
	map_rival_list *list = rivals->at;
	struct map_rival first;

	while (at < list->n && memcmp(list->at[at].node_of, node_of, size) != 0)
		at++;
	if (at < list->n) {
		first = list->at[at];
	} else {
		free_one(&list->at[--at]);
		first = measured(rivals->in, xstrdup(name), node_of);
		first.node_of = xmalloc(size);
		memcpy(first.node_of, node_of, size);
	}
	memmove(&list->at[1], &list->at[0], at * sizeof(*list->at));
	list->at[0] = first;
}

void map_rival_list_free(map_rival_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free_one(&list->at[i]);
	vec_free(list);
}
