/* fastest.c - of mappings that load links little, the one that a rehearsal finds fastest */
#include "map/fastest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/explog.h"
#include "base/mem.h"
#include "base/str.h"
#include "map/problem/rehearsal.h"
#include "map/rivals.h"
#include "map/team/team.h"

enum {
	RANKS_NODES = 1 << 19, /* larger jobs have no rivals: other mappers take too long */
	COST = 5000000,        /* of all rehearsals */
	BRIEF = 8,             /* of them are short, at most */
	DIGITS = 3,
	TURNS = 7, /* all moves of a grid of three sides */
	RIVALS = 40
};

/* A short one for all, and one that is believed, of what was found and the fastest of those. */
static const struct rehearsal_size brief = {1, 1, false}, whole = {4, 3, false};
/* For those that load a link by so much more than another one. */
static const struct rehearsal_size apart = {2, 2, true};
static const double much_more = 1.25;

/* Rehearsals and loads both foretell a time, and err by some percent; loads err more. */
static const double weight_of_loads = 1. / 6;

/* The name of what is to be beaten. */
static const char searched[] = "search";

struct task {
	const struct map_input *in;
	const map_rival_list *rivals;
	const size_t *order; /* [n] rivals in the order of the rehearsals */
	size_t n;
	double *estimates; /* [n] */
};

/* How many rivals may be rehearsed, besides what was found; 0: none. */
struct budget {
	size_t nbrief, nwhole;
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

/* A place in the order, then its estimate. */
enum { ENTRY = 1 + sizeof(double) / sizeof(int) };

static void keep_entries(const struct task *task, const int *at, size_t n)
{
	for (const int *end = at + n; at < end; at += ENTRY)
		memcpy(&task->estimates[at[0]], at + 1, sizeof(double));
}

/* Every nmembers-th rival is rehearsed; all members know all estimates. */
static int work(void *context, int member, struct err *err)
{
	const struct task *task = context;
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);
	int_vec mine = {0};
	const int *all;
	size_t nall;

	for (size_t i = (size_t)member; i < task->n && status == 0;
	     i += (size_t)team_nmembers(task->in->team)) {
		double value = estimate(task->in, routes.routes, &task->rivals->at[task->order[i]],
					&brief);

		vec_reserve(&mine, mine.n + ENTRY);
		mine.at[mine.n] = (int)i;
		memcpy(&mine.at[mine.n + 1], &value, sizeof(value));
		mine.n += ENTRY;
	}
	all = team_gather(task->in->team, member, mine.at, mine.n, &nall);
	if (map_is_own(task->in, member))
		keep_entries(task, all, nall);
	vec_free(&mine);
	map_routes_close(&routes);
	return status;
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

/* The first n of an order by their short rehearsals, the fastest first; equal ones stay. */
static void sort_by_rehearsal(const struct map_input *in, const map_rival_list *rivals,
			      size_t *order, size_t n)
{
	double *estimates = xcalloc(n + 1, sizeof(*estimates));
	struct task task = {in, rivals, order, n, estimates};
	struct err why;

	if (team_run(in->team, work, &task, &why) == 0)
		for (size_t i = 1; i < n; i++) {
			double value = estimates[i];
			size_t rival = order[i], at = i;

			for (; at > 0 && value < estimates[at - 1]; at--) {
				estimates[at] = estimates[at - 1];
				order[at] = order[at - 1];
			}
			estimates[at] = value;
			order[at] = rival;
		}
	free(estimates);
}

/* Whether a mapping is worse than ranks in order by the maximum congestion and by the product. */
static bool is_worse_than_in_order(const struct hybrid_terms *terms,
				   const struct hybrid_terms *in_order)
{
	return terms->mc > in_order->mc && !map_aim_is_better(&map_aim_of_time, terms, in_order);
}

/* Those of an order that are no worse than ranks in order, and may be faster than a time: nothing
 * ends before the most loaded link has carried all. Returns how many those are. */
static size_t drop_slow(const struct map_input *in, const map_rival_list *rivals, double time,
			size_t *order, size_t n)
{
	int *node_of = xmalloc((size_t)in->comm->nranks * sizeof(*node_of));
	struct hybrid_terms in_order = {.mc = HUGE_VAL, .hb = HUGE_VAL};
	double most = time * comm_largest(in->comm);
	size_t nkept = 0;
	struct err why;

	if (map_policy_in_order.run(in, NULL, NULL, node_of, &why) == 0)
		in_order = map_measure(in, node_of);
	for (size_t i = 0; i < n; i++) {
		const struct hybrid_terms *terms = &rivals->at[order[i]].terms;

		if (terms->mc <= most && !is_worse_than_in_order(terms, &in_order))
			order[nkept++] = order[i];
	}
	free(node_of);
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

/* What was found fast though it loads a link much more than the least loaded one is compared with
 * that once more: it may be fast only where all ranks begin at one moment. */
static void choose_again(const struct map_input *in, const map_rival_list *rivals,
			 const struct map_rival *own, int *node_of)
{
	const struct map_rival *least = own;

	for (size_t i = 0; i < rivals->n; i++)
		if (rivals->at[i].terms.mc < least->terms.mc)
			least = &rivals->at[i];
	if (own->terms.mc > much_more * least->terms.mc &&
	    estimate(in, in->routes, least, &apart) < estimate(in, in->routes, own, &apart))
		memcpy(node_of, least->node_of, (size_t)in->comm->nranks * sizeof(*node_of));
}

/* The fastest by the short rehearsals have whole ones, as long as each is faster than all before.
 */
static void choose(const struct map_input *in, const map_rival_list *rivals, struct budget budget,
		   int *node_of)
{
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of), n;
	size_t *order = xmalloc((rivals->n + 1) * sizeof(*order));
	struct map_rival own = {.node_of = node_of, .terms = map_measure(in, node_of)};
	const struct map_rival *ahead = first_ahead(rivals, &own);
	double best;

	if (in->is_rehearsed != NULL)
		*in->is_rehearsed = true;
	if (ahead != NULL) {
		memcpy(node_of, ahead->node_of, size);
		own.terms = ahead->terms;
	}
	n = order_rivals(rivals, node_of, size, order);
	n = drop_slow(in, rivals, rehearsal_time(in, in->routes, node_of, &brief), order, n);
	n = n < budget.nbrief ? n : budget.nbrief;
	sort_by_rehearsal(in, rivals, order, n);
	best = n > 0 ? estimate(in, in->routes, &own, &whole) : 0;
	for (size_t i = 0; i < n && i < budget.nwhole; i++) {
		const struct map_rival *rival = &rivals->at[order[i]];
		double value = estimate(in, in->routes, rival, &whole);

		if (value >= best)
			break;
		best = value;
		own.terms = rival->terms;
		memcpy(node_of, rival->node_of, size);
	}
	choose_again(in, rivals, &own, node_of);
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

static struct budget budget_of(const struct map_input *in, const int *node_of)
{
	int64_t each = rehearsal_cost(in, in->routes, node_of, &brief);
	int64_t one = rehearsal_cost(in, in->routes, node_of, &whole), rest = COST - 2 * one;
	struct budget budget = {0};

	if (each <= 0 || rest < each)
		return budget;
	budget.nbrief = rest / each < BRIEF ? (size_t)(rest / each) : BRIEF;
	budget.nwhole = 1 + (size_t)((rest - (int64_t)budget.nbrief * each) / one);
	return budget;
}

bool map_fastest(struct map_running *run, int *node_of)
{
	const struct map_input *in = run->in;
	size_t size = (size_t)in->comm->nranks * sizeof(*node_of);
	map_rival_list list = {0};
	struct map_rivals rivals = {in, in->aim != NULL ? in->aim : &map_aim_of_time, RIVALS,
				    &list};
	struct hybrid_terms own;
	struct budget budget = {0};
	int *found;

	if ((int64_t)in->comm->nranks * in->nnodes > RANKS_NODES)
		return false;
	if (in->aim == NULL)
		budget = budget_of(in, node_of);
	if (in->aim == NULL && budget.nbrief == 0)
		return false;
	own = map_measure(in, node_of);
	found = xmalloc(size);
	map_rivals_add(&rivals, xstrdup(searched), node_of);
	map_rivals_add_mappers(&rivals, found);
	map_rivals_add_refined(&rivals, searched, found);
	map_rivals_add_digits(&rivals, DIGITS, TURNS);
	if (in->aim != NULL)
		choose_by_aim(in, &list, own, node_of);
	else
		choose(in, &list, budget, node_of);
	map_rival_list_free(&list);
	free(found);
	return true;
}
