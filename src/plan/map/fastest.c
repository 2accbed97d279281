/* fastest.c - of mappings that load links little, the one that a rehearsal finds fastest */
#include "map/fastest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/explog.h"
#include "base/mem.h"
#include "base/str.h"
#include "map/problem/rehearsal.h"
#include "map/rivals.h"
#include "map/team/team.h"

enum {
	RANKS_NODES = 1 << 19, /* larger jobs have no rivals: other mappers take too long */
	COST = 6000000,        /* of all rehearsals */
	LEAST = 4,             /* rehearsals of which anything is made */
	CANDIDATES = 8,        /* that are rehearsed, at most */
	TURNS = 8,             /* rehearsals of one in a round, at most */
	DIGITS = 3,
	MOVES = 7, /* all moves of a grid of three sides */
	RIVALS = 40
};

enum { PACKETS = 2, EXCHANGES = 3 }; /* more packets foretell no more, and take longer */

/* What rehearsals of so many exchanges err beside 514 simulated mappings of 108 jobs, as logarithms
 * of times (tests/bench/rehearsals.sh). Where a rank takes a while for each message, the first
 * exchange, in which all ranks keep step, foretells little of those that follow. */
struct rehearsed_exchanges {
	int most;   /* more foretell no more */
	int enough; /* rehearsals: the exchanges are as many as leave so many */
	double error[1 + EXCHANGES];
};
static const struct rehearsed_exchanges at_once = {2, 8, {0, 0.027, 0.019}};
static const struct rehearsed_exchanges one_by_one = {3, 4, {0, 0.055, 0.034, 0.022}};

/* A single rehearsal has noise as well. That is measured; before, it is taken for so much, which
 * counts like so many rehearsals. */
static const double first_noise = 0.03, first_weight = 2;

/* What is known without a rehearsal, by how much it errs, and how much more than the least of it a
 * mapping may have that is rehearsed, if it is not from the default's own search. */
struct foretelling {
	bool by_bound;   /* the most loaded link or node; else the product of loads */
	bool may_spread; /* with more load on links, and less on nodes */
	double error, most;
};
/* Of 1 200 simulated mappings none with a product so much larger was faster than the one found. */
static const struct foretelling by_loads = {.error = 0.028, .most = 1.2};
/* On nodes with unlike room (12 mappings of each of four jobs), whose links are unlike as well. */
static const struct foretelling by_uneven_loads = {.error = 0.05, .most = 1.2};
/* Where copies take longest: no mapping takes less. */
static const struct foretelling by_bound = {.by_bound = true, .error = 0.25, .most = 1.5};

/* Logarithms: of what is known without a rehearsal; of rehearsed times: their mean, and the sum of
 * the squares of what they differ from it. */
struct candidate {
	const struct map_rival *rival;
	double foretold, mean, squares, estimate;
	int nturns;
};

/* How candidates are rehearsed. */
struct rehearsing {
	struct vc_classes classes;
	int nrehearsals; /* of all; 0: too few to choose by */
	int nexchanges;  /* of each */
	double error;    /* of their mean, without noise */
};

/* Each of the candidates is rehearsed nturns times; shifts count from first on. */
struct task {
	const struct map_input *in;
	const struct rehearsing *how;
	const struct candidate *candidates;
	int nall, nturns, first;
	double *times; /* [nall] by candidate, then turn: logarithms */
};

/* A place among the times, then the time. */
enum { ENTRY = 1 + sizeof(double) / sizeof(int) };

static void keep_entries(const struct task *task, const int *at, size_t n)
{
	for (const int *end = at + n; at < end; at += ENTRY)
		memcpy(&task->times[at[0]], at + 1, sizeof(double));
}

/* Every nmembers-th rehearsal is done; all members know all times. */
static int work(void *context, int member, struct err *err)
{
	const struct task *task = context;
	struct map_routes routes;
	int status = map_routes_open(&routes, task->in, member, err);
	int_vec mine = {0};
	const int *all;
	size_t nall;

	for (int i = member; i < task->nall && status == 0; i += team_nmembers(task->in->team)) {
		const struct candidate *candidate = &task->candidates[i / task->nturns];
		const struct rehearsal_size size = {.npackets = PACKETS,
						    .nrounds = task->how->nexchanges,
						    .shift = task->first + i % task->nturns};
		double value = same_log(rehearsal_time(task->in, routes.routes, &task->how->classes,
						       candidate->rival->node_of, &size));

		vec_reserve(&mine, mine.n + ENTRY);
		mine.at[mine.n] = i;
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

/* By maximum congestion and hop-bytes; where copies take longest, with no more of those, too. */
static bool is_ahead(const struct foretelling *by, const struct map_rival *a,
		     const struct map_rival *b)
{
	return a->terms.mc < b->terms.mc && a->terms.hb < b->terms.hb &&
	       (!by->by_bound || a->load <= b->load);
}

/* What one search beats of another one may be faster still. */
static bool is_beaten(const struct foretelling *by, const map_rival_list *rivals,
		      const struct map_rival *rival)
{
	for (size_t i = 0; i < rivals->n; i++)
		if (is_ahead(by, &rivals->at[i], rival) && !(rivals->at[i].is_own && rival->is_own))
			return true;
	return false;
}

static bool is_too_much(const map_rival_list *rivals, const struct map_rival *rival)
{
	double least = rival->terms.mc;

	for (size_t i = 0; i < rivals->n; i++)
		if (rivals->at[i].is_own)
			least = fmin(least, rivals->at[i].terms.mc);
	return rival->is_own && rival->terms.mc > map_others_load * least;
}

static bool is_alike(const struct map_rival *a, const struct map_rival *b)
{
	return a->terms.mc == b->terms.mc && a->terms.hb == b->terms.hb;
}

/* Rivals in the order of their rehearsals: first one of each pair of maximum congestion and
 * hop-bytes, then the second of those, and so on. order [rivals->n]; returns how many there are. */
static size_t order_rivals(const map_rival_list *rivals, const struct foretelling *by,
			   size_t *order)
{
	size_t *nalike = xcalloc(rivals->n + 1, sizeof(*nalike)), n = 0;

	for (size_t i = 0; i < rivals->n; i++)
		for (size_t k = 0; k < i; k++)
			nalike[i] += is_alike(&rivals->at[k], &rivals->at[i]);
	for (size_t turn = 0; turn < rivals->n; turn++)
		for (size_t i = 0; i < rivals->n; i++)
			if (nalike[i] == turn &&
			    (by->may_spread || !is_beaten(by, rivals, &rivals->at[i])) &&
			    (by->by_bound || !is_too_much(rivals, &rivals->at[i])))
				order[n++] = i;
	free(nalike);
	return n;
}

/* Whether a mapping is worse than ranks in order by the maximum congestion and by the product. */
static bool is_worse_than_in_order(const struct hybrid_terms *terms,
				   const struct hybrid_terms *in_order)
{
	return terms->mc > in_order->mc && !map_aim_is_better(&map_aim_of_time, terms, in_order);
}

/* By the best of all: whether copies take longer there than what links carry. */
static struct foretelling foretold_by(const struct map_input *in, const map_rival_list *rivals)
{
	struct foretelling by = map_rooms_are_equal(in) ? by_loads : by_uneven_loads;

	if (rivals->at[0].load > rivals->at[0].terms.mc) {
		by = by_bound;
		by.may_spread = in->nslots > in->comm->nranks;
	}
	return by;
}

static double foretell(const struct foretelling *by, const struct map_rival *rival)
{
	return by->by_bound ? rival->load : map_aim_value(&map_aim_of_time, &rival->terms);
}

/* Those of an order that may be the fastest; returns how many. */
static int pick_candidates(const struct map_input *in, const map_rival_list *rivals,
			   const struct foretelling *by, const size_t *order, size_t n, int most,
			   struct candidate *candidates)
{
	int *node_of = xmalloc((size_t)in->comm->nranks * sizeof(*node_of)), npicked = 0;
	double least = HUGE_VAL;
	struct hybrid_terms in_order = {.mc = HUGE_VAL, .hb = HUGE_VAL};
	struct err why;

	if (map_policy_in_order.run(in, NULL, NULL, node_of, &why) == 0)
		in_order = map_measure(in, node_of);
	for (size_t i = 0; i < n; i++)
		least = fmin(least, foretell(by, &rivals->at[order[i]]));
	for (size_t i = 0; i < n && npicked < most; i++) {
		const struct map_rival *rival = &rivals->at[order[i]];
		double foretold = foretell(by, rival);

		if ((rival->is_own || foretold <= by->most * least) &&
		    (by->may_spread || !is_worse_than_in_order(&rival->terms, &in_order)))
			candidates[npicked++] =
				(struct candidate){.rival = rival, .foretold = same_log(foretold)};
	}
	free(node_of);
	return npicked;
}

static void add_time(struct candidate *candidate, double time)
{
	double before = time - candidate->mean;

	candidate->mean += before / ++candidate->nturns;
	candidate->squares += before * (time - candidate->mean);
}

/* The square of what one rehearsal of a mapping differs from another one by chance. */
static double noise_of(const struct candidate *candidates, int n)
{
	double squares = first_weight * first_noise * first_noise, weight = first_weight;

	for (int i = 0; i < n; i++) {
		squares += candidates[i].squares;
		weight += candidates[i].nturns > 1 ? candidates[i].nturns - 1 : 0;
	}
	return squares / weight;
}

/* The most likely time of each: the mean of what loads and rehearsals foretell, each with the
 * inverse square of its error as its weight. All have had equally many rehearsals. */
static void estimate(const struct foretelling *by, double error, struct candidate *candidates,
		     int n, double noise)
{
	double loads = by->error * by->error;

	for (int i = 0; i < n; i++) {
		struct candidate *candidate = &candidates[i];
		double rehearsals = error * error + noise / candidate->nturns;

		candidate->estimate = (loads * candidate->mean + rehearsals * candidate->foretold) /
				      (loads + rehearsals);
	}
}

/* The least estimate first; equal ones stay. */
static void sort(struct candidate *candidates, int n)
{
	for (int i = 1; i < n; i++) {
		struct candidate one = candidates[i];
		int at = i;

		for (; at > 0 && one.estimate < candidates[at - 1].estimate; at--)
			candidates[at] = candidates[at - 1];
		candidates[at] = one;
	}
}

/* All have nturns more rehearsals, the same for each. */
static int rehearse(const struct map_input *in, const struct rehearsing *how,
		    struct candidate *candidates, int n, int nturns)
{
	double *times = xcalloc((size_t)(n * nturns), sizeof(*times));
	struct task task = {.in = in,
			    .how = how,
			    .candidates = candidates,
			    .nall = n * nturns,
			    .nturns = nturns,
			    .first = candidates[0].nturns + 1,
			    .times = times};
	struct err why;
	int status = team_run(in->team, work, &task, &why);

	for (int i = 0; i < task.nall && status == 0; i++)
		add_time(&candidates[i / nturns], times[i]);
	free(times);
	return status;
}

static int rounds_of(int ncandidates)
{
	int nrounds = 0;

	while (1 << nrounds < ncandidates)
		nrounds++;
	return nrounds;
}

/* What was rehearsed, the one that is taken first. */
static void tell(const struct candidate *candidates, int n, int nexchanges)
{
	if (n == 1)
		say("%s is taken without a rehearsal: no other mapping comes close",
		    candidates[0].rival->name);
	if (n < 2)
		return;
	for (int i = 0; i < n; i++) {
		const struct candidate *candidate = &candidates[i];
		const struct hybrid_terms *terms = &candidate->rival->terms;

		say("%s: %d rehearsals of %d exchanges, time %.4f; maximum congestion %.6g, "
		    "hop-bytes %.6g%s",
		    candidate->rival->name, candidate->nturns, nexchanges,
		    exp(candidate->mean - candidates[0].mean), terms->mc, terms->hb,
		    i == 0 ? ": taken" : "");
	}
}

/* In rounds that take equally long, after each of which the better half goes on: so rehearsals are
 * most where it is hardest to tell. */
static void choose(const struct map_input *in, const map_rival_list *rivals,
		   const struct rehearsing *how, int *node_of)
{
	size_t *order = xmalloc((rivals->n + 1) * sizeof(*order));
	const struct foretelling by = foretold_by(in, rivals);
	struct candidate candidates[CANDIDATES];
	int most = CANDIDATES, n, nrounds;

	while (most * rounds_of(most) > how->nrehearsals)
		most--;
	n = pick_candidates(in, rivals, &by, order, order_rivals(rivals, &by, order), most,
			    candidates);
	nrounds = rounds_of(n);
	for (int left = n; left > 1; left = (left + 1) / 2) {
		int nturns = how->nrehearsals / nrounds / left;

		if (rehearse(in, how, candidates, left, nturns < TURNS ? nturns : TURNS) != 0)
			break;
		estimate(&by, how->error, candidates, left, noise_of(candidates, n));
		sort(candidates, left);
	}
	tell(candidates, n, how->nexchanges);
	if (n > 0)
		memcpy(node_of, candidates[0].rival->node_of,
		       (size_t)in->comm->nranks * sizeof(*node_of));
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

/* As many rehearsals as there is time for, of as many exchanges as leave enough of them. */
static void plan_rehearsals(struct rehearsing *how, const struct map_input *in, const int *node_of)
{
	const struct rehearsal_size size = {.npackets = PACKETS, .nrounds = 1};
	int64_t each = rehearsal_cost(in, in->routes, node_of, &size);
	int64_t most = CANDIDATES * TURNS, n = each > 0 ? COST / each : 0;
	const struct rehearsed_exchanges *exchanges =
		in->travel != NULL && in->travel->setup > 0 ? &one_by_one : &at_once;

	how->nexchanges = exchanges->most;
	while (how->nexchanges > 1 && n < (int64_t)exchanges->enough * how->nexchanges)
		how->nexchanges--;
	how->error = exchanges->error[how->nexchanges];
	n /= how->nexchanges;
	how->nrehearsals = n < LEAST ? 0 : (int)(n < most ? n : most);
	if (how->nrehearsals == 0)
		say(each > 0
			    ? "no rivals: rehearsals would take too long"
			    : "no rivals: nothing is rehearsed where messages stay on their nodes, or "
			      "on routes like these");
}

bool map_fastest(struct map_running *run, const char *refiner, int *node_of)
{
	const struct map_input *in = run->in;
	map_rival_list list = {0};
	struct map_rivals rivals = {in, in->aim != NULL ? in->aim : &map_aim_of_time, RIVALS,
				    &list};
	struct hybrid_terms own;
	struct rehearsing how = {.nrehearsals = 0};
	int *found;

	if ((int64_t)in->comm->nranks * in->nnodes > RANKS_NODES) {
		say("no rivals: %d ranks times %d nodes are more than %d", in->comm->nranks,
		    in->nnodes, RANKS_NODES);
		return false;
	}
	if (in->aim == NULL)
		plan_rehearsals(&how, in, node_of);
	if (in->aim == NULL && how.nrehearsals == 0)
		return false;
	if (in->aim == NULL && in->is_rehearsed != NULL)
		*in->is_rehearsed = true;
	own = map_measure(in, node_of);
	found = xmalloc((size_t)in->comm->nranks * sizeof(*found));
	map_rivals_add_own(&rivals, xstrdup("start"), node_of);
	map_rivals_add_others(&rivals, refiner);
	map_rivals_add_mappers(&rivals, found);
	map_rivals_add_refined(&rivals, found);
	map_rivals_add_spread(&rivals, found);
	map_rivals_add_digits(&rivals, DIGITS, MOVES);
	if (in->aim != NULL) {
		choose_by_aim(in, &list, own, node_of);
	} else {
		vc_classes_open(&how.classes, in->routes->routing);
		choose(in, &list, &how, node_of);
		vc_classes_close(&how.classes);
	}
	if (run->compared != NULL)
		*run->compared = list;
	else
		map_rival_list_free(&list);
	free(found);
	return true;
}
