/* fastest.c - of mappings that load links little, the one that a rehearsal finds fastest */
#include "map/fastest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/explog.h"
#include "base/mem.h"
#include "base/str.h"
#include "map/map_mapper.h"
#include "map/problem/rehearsal.h"
#include "map/refine/congestion.h"
#include "map/rivals.h"
#include "map/team/team.h"

enum {
	RANKS_NODES = 1 << 19, /* larger jobs have no rivals: other mappers take too long */
	COST = 5000000,        /* of all rehearsals */
	BRIEF = 8,             /* of them are short, at most */
	DIGITS = 3,
	TURNS = 7,        /* all moves of a grid of three sides */
	REFINED = 2,      /* rivals, of those from mappers, at most */
	REFINED_PART = 8, /* of the work of a search, for each */
	RIVALS = 40
};

/* A short one for all, and one that is believed, of what was found and the fastest of those. */
static const struct rehearsal_size brief = {1, 1}, whole = {4, 3};

/* Rehearsals and loads both foretell a time, and err by some percent; loads err more. */
static const double weight_of_loads = 1. / 6;

/* The name of what is to be beaten. */
static const char searched[] = "search";

struct task {
	const struct map_input *in;
	const map_rival_list *rivals;
	const size_t *order; /* [n] rivals in the order of the rehearsals */
	size_t n;
	struct team_offer best; /* estimate */
};

/* The mean, by multiplication, of what a rehearsal takes and of the product of loads. */
static double estimate(const struct map_input *in, struct routes *routes,
		       const struct map_rival *rival, const struct rehearsal_size *size)
{
	double time = rehearsal_time(in, routes, rival->node_of, size);
	double product = map_aim_value(&map_aim_of_time, &rival->terms);

	return same_exp((1 - weight_of_loads) * same_log(time) +
			weight_of_loads * same_log(product));
}

/* Every nmembers-th rival; the best of all. */
static int work(void *context, int member, struct err *err)
{
	struct task *task = context;
	struct team_offer best = {.number = -1};
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);

	for (size_t i = (size_t)member; i < task->n && status == 0;
	     i += (size_t)team_nmembers(task->in->team)) {
		const struct map_rival *rival = &task->rivals->at[task->order[i]];
		double value = estimate(task->in, routes.routes, rival, &brief);

		if (best.number < 0 || value < best.value)
			best = (struct team_offer){value, (int64_t)i};
	}
	best = team_least(task->in->team, member, best);
	if (status == 0 && map_is_own(task->in, member))
		task->best = best;
	map_routes_close(&routes);
	return status;
}

/* What other mappers find, as it is; one that can't map this is left out. */
static void add_mappers(struct map_rivals *rivals, int *node_of)
{
	struct map_input in = *rivals->in;

	in.aim = NULL; /* they are what the default has */
	for (int i = 0; i < map_policies.n; i++) {
		const struct entry *entry = map_policies.entries[i];
		const struct map_policy *policy = (const struct map_policy *)entry;
		struct map_running alone = {.in = &in};
		struct pick pick;
		struct err why;

		if (policy->is_given || policy->falls_back ||
		    pick_parse(&pick, &map_policies, entry->name, &why) != 0)
			continue;
		if (map_run_mapper(&alone, &pick, NULL, node_of, &why) == 0)
			map_rivals_add(rivals, xstrdup(entry->name), node_of);
		else
			say("%s: %s", entry->name, why.msg);
		pick_free(&pick);
	}
}

/* The best mappers' results, refined a little, as long as that makes one the best of all. */
static void add_refined(struct map_rivals *rivals, int *found)
{
	const struct map_input *in = rivals->in;
	size_t size = (size_t)in->comm->nranks * sizeof(*found), n = 0;
	int *best = xmalloc(REFINED * size);
	char *name[REFINED];
	bool is_best = true;

	for (size_t i = 0; i < rivals->at->n && n < REFINED; i++) {
		const struct map_rival *rival = &rivals->at->at[i];

		if (str_eq(rival->name, searched))
			continue;
		memcpy(best + n * (size_t)in->comm->nranks, rival->node_of, size);
		name[n++] = xasprintf("%s, refined", rival->name);
	}
	for (size_t i = 0; i < n; i++) {
		struct map_refine_result result = {0};
		struct err why;

		memcpy(found, best + i * (size_t)in->comm->nranks, size);
		is_best = is_best && congestion_refine(in, congestion_work(in) / REFINED_PART,
						       found, &result, &why) == 0;
		if (is_best)
			map_rivals_add(rivals, name[i], found);
		else
			free(name[i]);
		is_best = is_best && memcmp(rivals->at->at[0].node_of, found, size) == 0;
	}
	free(best);
}

static bool is_ahead(const struct map_rival *a, const struct map_rival *b)
{
	return a->terms.mc < b->terms.mc && a->terms.hb < b->terms.hb;
}

static bool is_beaten(const map_rival_list *rivals, const struct map_rival *rival)
{
	for (size_t i = 0; i < rivals->n; i++)
		if (is_ahead(&rivals->at[i], rival))
			return true;
	return false;
}

static bool is_alike(const struct map_rival *a, const struct map_rival *b)
{
	return a->terms.mc == b->terms.mc && a->terms.hb == b->terms.hb;
}

/* Rivals in the order of their rehearsals: first one of each pair of maximum congestion and
 * hop-bytes, then the second of those, and so on. order [rivals->n]; returns how many there are. */
static size_t order_rivals(const map_rival_list *rivals, const int *own, size_t size, size_t *order)
{
	size_t *nalike = xcalloc(rivals->n + 1, sizeof(*nalike)), n = 0;

	for (size_t i = 0; i < rivals->n; i++)
		for (size_t k = 0; k < i; k++)
			nalike[i] += is_alike(&rivals->at[k], &rivals->at[i]);
	for (size_t turn = 0; turn < rivals->n; turn++)
		for (size_t i = 0; i < rivals->n; i++)
			if (nalike[i] == turn && !is_beaten(rivals, &rivals->at[i]) &&
			    memcmp(rivals->at[i].node_of, own, size) != 0)
				order[n++] = i;
	free(nalike);
	return n;
}

/* The fastest of the first n in an order. */
static struct team_offer fastest(const struct map_input *in, const map_rival_list *rivals,
				 const size_t *order, size_t n)
{
	struct task task = {in, rivals, order, n, {.number = -1}};
	struct err why;

	(void)team_run(in->team, work, &task, &why);
	return task.best;
}

/* The maximum congestion of ranks in order, which the default does not exceed. */
static double mc_in_order(const struct map_input *in)
{
	int *node_of = xmalloc((size_t)in->comm->nranks * sizeof(*node_of));
	struct err why;
	double mc = HUGE_VAL;

	if (map_policy_in_order.run(in, NULL, NULL, node_of, &why) == 0)
		mc = map_measure(in, node_of).mc;
	free(node_of);
	return mc;
}

/* Those of an order that load links no more than ranks in order, and may be faster than a time:
 * nothing ends before the most loaded link has carried all. Returns how many those are. */
static size_t drop_slow(const struct map_input *in, const map_rival_list *rivals, double time,
			size_t *order, size_t n)
{
	double most = fmin(time * comm_largest(in->comm), mc_in_order(in));
	size_t nkept = 0;

	for (size_t i = 0; i < n; i++)
		if (rivals->at[order[i]].terms.mc <= most)
			order[nkept++] = order[i];
	return nkept;
}

/* The first, by the product of loads, that loads no link more than a mapping, and has a smaller
 * product: none beats it in both. NULL: there is none. */
static const struct map_rival *first_ahead(const map_rival_list *rivals,
					   const struct map_rival *rival)
{
	for (size_t i = 0; i < rivals->n; i++)
		if (rivals->at[i].terms.mc <= rival->terms.mc &&
		    map_aim_is_better(&map_aim_of_time, &rivals->at[i].terms, &rival->terms))
			return &rivals->at[i];
	return NULL;
}

/* nmost: of the rivals, at most, are rehearsed. */
static void choose(const struct map_input *in, const map_rival_list *rivals, int64_t nmost,
		   int *node_of)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of), n;
	size_t *order = xmalloc((rivals->n + 1) * sizeof(*order));
	struct map_rival own = {.node_of = node_of, .terms = map_measure(in, node_of)};
	const struct map_rival *ahead = first_ahead(rivals, &own);
	struct team_offer best = {.number = -1};
	const struct map_rival *fast;

	if (in->is_rehearsed != NULL)
		*in->is_rehearsed = true;
	if (ahead != NULL) {
		memcpy(node_of, ahead->node_of, size);
		own.terms = ahead->terms;
	}
	n = order_rivals(rivals, node_of, size, order);
	n = drop_slow(in, rivals, rehearsal_time(in, in->routes, node_of, &brief), order, n);
	if (n > 0)
		best = fastest(in, rivals, order, (int64_t)n < nmost ? n : (size_t)nmost);
	fast = best.number >= 0 ? &rivals->at[order[best.number]] : NULL;
	if (fast != NULL &&
	    estimate(in, in->routes, fast, &whole) < estimate(in, in->routes, &own, &whole))
		memcpy(node_of, fast->node_of, size);
	free(order);
}

/* The best by in->aim; own: what node_of has. */
static void choose_by_aim(const struct map_input *in, const map_rival_list *rivals,
			  struct hybrid_terms own, int *node_of)
{
	for (size_t i = 0; i < rivals->n; i++)
		if (map_aim_is_better(in->aim, &rivals->at[i].terms, &own)) {
			own = rivals->at[i].terms;
			memcpy(node_of, rivals->at[i].node_of,
			       (size_t)in->comm->nranks * sizeof(*node_of));
		}
}

/* How many rivals may be rehearsed; 0: this job isn't. */
static int64_t nrehearsals(const struct map_input *in, const int *node_of)
{
	int64_t each = rehearsal_cost(in, in->routes, node_of, &brief);
	int64_t two = 2 * rehearsal_cost(in, in->routes, node_of, &whole);

	if (each <= 0 || two + each > COST)
		return 0;
	return (COST - two) / each < BRIEF ? (COST - two) / each : BRIEF;
}

bool map_fastest(struct map_running *run, int *node_of)
{
	const struct map_input *in = run->in;
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	map_rival_list list = {0};
	struct map_rivals rivals = {in, in->aim != NULL ? in->aim : &map_aim_of_time, RIVALS,
				    &list};
	struct hybrid_terms own;
	int64_t nmost = in->aim != NULL ? 0 : nrehearsals(in, node_of);
	int *found;

	if ((int64_t)in->comm->nranks * in->nnodes > RANKS_NODES || (in->aim == NULL && nmost == 0))
		return false;
	own = map_measure(in, node_of);
	found = xmalloc(size);
	map_rivals_add(&rivals, xstrdup(searched), node_of);
	add_mappers(&rivals, found);
	add_refined(&rivals, found);
	map_rivals_add_digits(&rivals, DIGITS, TURNS);
	if (in->aim != NULL)
		choose_by_aim(in, &list, own, node_of);
	else
		choose(in, &list, nmost, node_of);
	map_rival_list_free(&list);
	free(found);
	return true;
}
