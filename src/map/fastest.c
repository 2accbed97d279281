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
	REFINED = 2,      /* rivals, of those from mappers */
	REFINED_PART = 8, /* of the work of a search, for each */
	RIVALS = 40
};

/* A short one for all, and one that is believed, of what was found and the fastest of those. */
static const struct rehearsal_size brief = {1, 1}, whole = {4, 3};

/* What is not so much faster stays behind what loads links less. */
static const double clearly = 0.97;
/* A rehearsal errs by some percent: the power of what a rival loads links more. */
static const double caution = 0.2;
/* What is slower than that in the short rehearsal has no whole one. */
static const double hopeful = 1.03;
/* A rival that a little search may bring in front: its product over that of what was found. */
static const double near = 1.15;

/* The name of what is to be beaten. */
static const char searched[] = "search";

struct task {
	const struct map_input *in;
	const map_rival_list *rivals;
	const size_t *order; /* [n] rivals in the order of the rehearsals */
	size_t n;
	struct team_offer best; /* time */
};

/* Every nmembers-th rival; the best of all. */
static int work(void *context, int member, struct err *err)
{
	struct task *task = context;
	struct team_offer best = {.number = -1};
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);

	for (size_t i = (size_t)member; i < task->n && status == 0;
	     i += (size_t)team_nmembers(task->in->team)) {
		const int *node_of = task->rivals->at[task->order[i]].node_of;
		double time = rehearsal_time(task->in, routes.routes, node_of, &brief);

		if (best.number < 0 || time < best.value)
			best = (struct team_offer){time, (int64_t)i};
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

/* The best of those that come near what was found, refined a little; with an aim (in->aim) whatever
 * they come near. */
static void add_refined(struct map_rivals *rivals, const struct hybrid_terms *own, int *found)
{
	const struct map_input *in = rivals->in;
	double most = near * map_aim_value(rivals->aim, own);
	size_t size = (size_t)in->comm->nranks * sizeof(*found), n = 0;
	/* without an aim one of them may be what was found, and no rival */
	size_t nmost = in->aim == NULL ? REFINED : REFINED + 1;
	int *best = xmalloc((REFINED + 1) * size);
	char *name[REFINED + 1];

	for (size_t i = 0; i < rivals->at->n && n < nmost; i++) {
		const struct map_rival *rival = &rivals->at->at[i];

		if (str_eq(rival->name, searched) ||
		    (in->aim == NULL && map_aim_value(rivals->aim, &rival->terms) > most))
			continue;
		memcpy(best + n * (size_t)in->comm->nranks, rival->node_of, size);
		name[n++] = xasprintf("%s, refined", rival->name);
	}
	for (size_t i = 0; i < n; i++) {
		struct map_refine_result result = {0};
		struct err why;

		memcpy(found, best + i * (size_t)in->comm->nranks, size);
		if (congestion_refine(in, congestion_work(in) / REFINED_PART, found, &result,
				      &why) == 0)
			map_rivals_add(rivals, name[i], found);
		else
			free(name[i]);
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

/* Whether a rival is clearly faster: by more, the more it loads links. */
static bool is_faster(const struct map_input *in, const struct map_rival *a,
		      const struct map_rival *b)
{
	double value = map_aim_value(&map_aim_of_time, &a->terms);
	double more = value / map_aim_value(&map_aim_of_time, &b->terms);

	return rehearsal_time(in, in->routes, a->node_of, &whole) *
		       same_exp(caution * same_log(more > 1 ? more : 1)) <
	       clearly * rehearsal_time(in, in->routes, b->node_of, &whole);
}

static double largest_of(const struct comm *comm)
{
	double largest = 0;

	for (int64_t e = 0; e < comm->nedges; e++)
		largest = fmax(largest, comm->bytes[e]);
	return largest;
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

/* Those of an order that may end a short rehearsal within a time: nothing ends before the most
 * loaded link has carried all. Returns how many those are. */
static size_t drop_slow(const struct map_input *in, const map_rival_list *rivals, double time,
			size_t *order, size_t n)
{
	double most = fmin(time * largest_of(in->comm), mc_in_order(in));
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
	double time;

	if (ahead != NULL) {
		memcpy(node_of, ahead->node_of, size);
		own.terms = ahead->terms;
	}
	time = hopeful * rehearsal_time(in, in->routes, node_of, &brief);
	n = order_rivals(rivals, node_of, size, order);
	n = drop_slow(in, rivals, time, order, n);
	if (n > 0)
		best = fastest(in, rivals, order, (int64_t)n < nmost ? n : (size_t)nmost);
	if (best.number >= 0 && best.value <= time &&
	    is_faster(in, &rivals->at[order[best.number]], &own))
		memcpy(node_of, rivals->at[order[best.number]].node_of, size);
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
	struct map_rivals rivals = {in, &map_aim_of_time, RIVALS, &list};
	struct hybrid_terms own;
	int64_t nmost = in->aim != NULL ? 0 : nrehearsals(in, node_of);
	int *found;

	if ((int64_t)in->comm->nranks * in->nnodes > RANKS_NODES || (in->aim == NULL && nmost == 0))
		return false;
	own = map_measure(in, node_of);
	found = xmalloc(size);
	map_rivals_add(&rivals, xstrdup(searched), node_of);
	add_mappers(&rivals, found);
	add_refined(&rivals, &own, found);
	map_rivals_add_digits(&rivals, DIGITS, TURNS);
	if (in->aim != NULL)
		choose_by_aim(in, &list, own, node_of);
	else
		choose(in, &list, nmost, node_of);
	map_rival_list_free(&list);
	free(found);
	return true;
}
