/* convex_gates.c - convex sets over several groups of a flat dragonfly: cliques of groups */
#include <stdlib.h>
#include <string.h>

#include "machine/kind/dragonfly.h"
#include "machine/route/routing.h"
#include "place/constraint/convex.h"
#include "base/bitset.h"

/*
 * Where the routers of a group are all next to each other and one cable joins two groups, a minimal
 * route between two groups is that cable and at most a hop before and after it. So a set of whole
 * routers is closed if and only if it has both routers of the cable between every two of its groups
 * (the gates), and for a number of routers: n of them are a closed set in groups G, if the gates
 * between the groups of G are idle and at most n, and the idle routers in them at least n. Groups
 * whose gates to each other are idle make a graph; G is a clique of it.
 */
struct convex_gates {
	const struct space *space;
	const struct dragonfly *df;
	int per;    /* nodes of a router that compute, all the same */
	int nwords; /* of a set of groups */
	int *gate;  /* [groups · groups] the router within the first one, towards the second */

	/* of the idle nodes at hand */
	bool *is_whole;  /* [nrouters] idle as a whole */
	int *nwhole;     /* [groups] */
	int *order;      /* [groups] a place in the search → the group */
	uint64_t *joins; /* [groups · nwords], by places */
	int nplaces;

	/* what was found last: it mostly is still there */
	int found; /* routers wanted; 0: nothing */
	int_vec found_gates, found_groups;
};

/* A clique in the making. */
struct clique {
	struct convex_gates *gates;
	int wanted, ngates, nidle; /* routers: needed as gates, idle in its groups */
	int n, *place;             /* [groups] */
	int *uses;                 /* [nrouters] of a gate, by other groups */
	int64_t steps;
	/* Called for every clique with sets of the size; nonzero ends the search. */
	int (*visit)(struct clique *clique);
	/* Whether nothing better is to be had of its groups and these more. NULL: no. */
	bool (*is_hopeless)(struct clique *clique, const uint64_t *more);
	void *context;
};

/* ---- the machine ---- */

static bool is_flat(const struct space *space, const struct dragonfly *df)
{
	if (df == NULL || df->rows != 1 || df->links != 1 || df->groups < 2 ||
	    space->has_separate || !routing_is_closed(space->routing))
		return false;
	for (int node = 0; node < space->topo->nnodes; node++)
		if (space->topo->router_of[node] != node / df->nodes)
			return false;
	return df->nodes <= 64 && df->groups <= CONVEX_GROUPS;
}

struct convex_gates *convex_gates_new(const struct space *space)
{
	const struct dragonfly *df = topo_as_dragonfly(space->topo);
	struct convex_gates *gates;
	size_t n;

	if (!is_flat(space, df))
		return NULL;
	n = (size_t)df->groups;
	gates = xcalloc(1, sizeof(*gates));
	*gates = (struct convex_gates){
		.space = space, .df = df, .per = df->nodes, .nwords = (df->groups + 63) / 64};
	gates->gate = xmalloc(n * n * sizeof(int));
	for (int a = 0; a < df->groups; a++)
		for (int b = 0; b < df->groups; b++)
			gates->gate[a * df->groups + b] = a == b ? 0 : dragonfly_gate(df, a, b, 0);
	gates->is_whole = xmalloc((size_t)space->topo->nrouters);
	gates->nwhole = xmalloc(n * sizeof(int));
	gates->order = xmalloc(n * sizeof(int));
	gates->joins = xmalloc(n * (size_t)gates->nwords * sizeof(uint64_t));
	return gates;
}

void convex_gates_free(struct convex_gates *gates)
{
	if (gates == NULL)
		return;
	free(gates->gate);
	free(gates->is_whole);
	free(gates->nwhole);
	free(gates->order);
	free(gates->joins);
	free(gates->found_gates.at);
	free(gates->found_groups.at);
	free(gates);
}

/* ---- idle nodes ---- */

/* The nodes of routers are in label order, those of one side by side. */
static int idle_of(const struct convex_gates *gates, const uint64_t *idle, int router)
{
	int first = router * gates->per, last = first + gates->per - 1;
	uint64_t word = idle[first / 64] >> (first % 64);

	if (last / 64 != first / 64)
		word |= idle[last / 64] << (64 - first % 64);
	return __builtin_popcountll(word & (~0ULL >> (64 - gates->per)));
}

/* Returns the nodes of the router with the most idle ones; *ngroup: whole routers of the group with
 * most of them; *n: of all. */
static int count_idle(struct convex_gates *gates, const uint64_t *idle, int *ngroup, int *n)
{
	const struct space *space = gates->space;
	int most = 0;

	*ngroup = *n = 0;
	memset(gates->nwhole, 0, (size_t)gates->df->groups * sizeof(int));
	for (int r = 0; r < space->topo->nrouters; r++) {
		int group = r / gates->df->routers, nidle = idle_of(gates, idle, r);

		most = nidle > most ? nidle : most;
		gates->is_whole[r] = nidle == gates->per;
		*n += gates->is_whole[r];
		if (gates->is_whole[r] && ++gates->nwhole[group] > *ngroup)
			*ngroup = gates->nwhole[group];
	}
	return most;
}

static bool are_joined(const struct convex_gates *gates, int a, int b)
{
	int groups = gates->df->groups, routers = gates->df->routers;

	return gates->is_whole[a * routers + gates->gate[a * groups + b]] &&
	       gates->is_whole[b * routers + gates->gate[b * groups + a]];
}

/* The graph of the groups with idle routers, in the order that order [nplaces] says. */
static void join_groups(struct convex_gates *gates)
{
	memset(gates->joins, 0,
	       (size_t)gates->nplaces * (size_t)gates->nwords * sizeof(*gates->joins));
	for (int a = 0; a < gates->nplaces; a++)
		for (int b = 0; b < a; b++) {
			if (!are_joined(gates, gates->order[a], gates->order[b]))
				continue;
			gates->joins[a * gates->nwords + b / 64] |= 1ULL << (b % 64);
			gates->joins[b * gates->nwords + a / 64] |= 1ULL << (a % 64);
		}
}

/* ---- cliques ---- */

/* At most so many idle routers are in cliques of these groups: no two of one colour are joined. */
static int colour_bound(struct clique *clique, const uint64_t *groups, int enough)
{
	const struct convex_gates *gates = clique->gates;
	int nwords = gates->nwords, sum = 0;
	uint64_t left[CONVEX_GROUPS / 64], class[CONVEX_GROUPS / 64];

	memcpy(left, groups, (size_t)nwords * sizeof(*left));
	for (int w = 0; w < nwords && sum < enough;) {
		int most = 0;

		if (left[w] == 0) {
			w++;
			continue;
		}
		memcpy(class, left, (size_t)nwords * sizeof(*class));
		for (int v = w; v < nwords;) {
			int place;

			if (class[v] == 0) {
				v++;
				continue;
			}
			place = v * 64 + __builtin_ctzll(class[v]);
			left[v] &= ~(class[v] & -class[v]);
			class[v] &= class[v] - 1;
			for (int i = v; i < nwords; i++)
				class[i] &= ~gates->joins[place * nwords + i];
			if (gates->nwhole[gates->order[place]] > most)
				most = gates->nwhole[gates->order[place]];
			clique->steps -= nwords;
		}
		sum += most;
	}
	return sum;
}

static void use(struct clique *clique, int a, int b, int change)
{
	const struct convex_gates *gates = clique->gates;
	int r = a * gates->df->routers + gates->gate[a * gates->df->groups + b];

	clique->ngates -= clique->uses[r] > 0;
	clique->uses[r] += change;
	clique->ngates += clique->uses[r] > 0;
}

static void add(struct clique *clique, int place, int change)
{
	const struct convex_gates *gates = clique->gates;
	int group = gates->order[place];

	if (change < 0)
		clique->n--;
	for (int i = 0; i < clique->n; i++) {
		use(clique, group, gates->order[clique->place[i]], change);
		use(clique, gates->order[clique->place[i]], group, change);
	}
	clique->nidle += change * gates->nwhole[group];
	clique->steps -= 4 * clique->n;
	if (change > 0)
		clique->place[clique->n++] = place;
}

/* With some of these groups, which are joined with all of the clique. Returns enum search_end. */
static int extend(struct clique *clique, uint64_t *groups)
{
	const struct convex_gates *gates = clique->gates;
	int nwords = gates->nwords, end = SEARCH_ALL;
	uint64_t rest[CONVEX_GROUPS / 64];

	for (int w = 0; w < nwords && end == SEARCH_ALL;) {
		int place;

		if (groups[w] == 0) {
			w++;
			continue;
		}
		if ((clique->nidle < clique->wanted &&
		     clique->nidle + colour_bound(clique, groups, clique->wanted - clique->nidle) <
			     clique->wanted) ||
		    (clique->is_hopeless != NULL && clique->is_hopeless(clique, groups)))
			return SEARCH_ALL;
		if (clique->steps < 0)
			return SEARCH_BOUND;
		place = w * 64 + __builtin_ctzll(groups[w]);
		groups[w] &= groups[w] - 1;
		add(clique, place, 1);
		for (int i = 0; i < nwords; i++)
			rest[i] = groups[i] & gates->joins[place * nwords + i];
		/* gates only become more */
		if (clique->ngates <= clique->wanted) {
			if (clique->n > 1 && clique->nidle >= clique->wanted &&
			    clique->visit(clique) != 0)
				end = SEARCH_STOP;
			else
				end = extend(clique, rest);
		}
		add(clique, place, -1);
	}
	return end;
}

static int search_cliques(struct clique *clique)
{
	struct convex_gates *gates = clique->gates;
	uint64_t groups[CONVEX_GROUPS / 64] = {0};
	int end;

	for (int place = 0; place < gates->nplaces; place++)
		groups[place / 64] |= 1ULL << (place % 64);
	clique->place = xmalloc((size_t)gates->df->groups * sizeof(int));
	clique->uses = xcalloc((size_t)gates->space->topo->nrouters, sizeof(int));
	join_groups(gates);
	end = extend(clique, groups);
	free(clique->place);
	free(clique->uses);
	return end;
}

/* ---- whether there is one ---- */

static int note_found(struct clique *clique)
{
	struct convex_gates *gates = clique->gates;

	gates->found = clique->wanted;
	gates->found_groups.n = gates->found_gates.n = 0;
	for (int i = 0; i < clique->n; i++) {
		int group = gates->order[clique->place[i]], first = group * gates->df->routers;

		vec_push(&gates->found_groups, group);
		for (int r = first; r < first + gates->df->routers; r++)
			if (clique->uses[r] > 0)
				vec_push(&gates->found_gates, r);
	}
	return 1;
}

/* Whether the groups that were found last will do again. */
static bool is_still_there(const struct convex_gates *gates, const uint64_t *idle, int wanted)
{
	int nidle = 0;

	if (gates->found != wanted)
		return false;
	for (size_t i = 0; i < gates->found_gates.n; i++)
		if (idle_of(gates, idle, gates->found_gates.at[i]) < gates->per)
			return false;
	for (size_t i = 0; i < gates->found_groups.n && nidle < wanted; i++)
		for (int k = 0; k < gates->df->routers; k++)
			nidle += idle_of(gates, idle,
					 gates->found_groups.at[i] * gates->df->routers + k) ==
				 gates->per;
	return nidle >= wanted;
}

struct counted {
	int n, group;
};

static int most_first(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* The groups with most idle routers first: then cliques are found soon, and colours bound well. */
static void order_by_count(struct convex_gates *gates)
{
	struct counted *counted = xmalloc((size_t)gates->df->groups * sizeof(*counted));

	gates->nplaces = 0;
	for (int g = 0; g < gates->df->groups; g++)
		if (gates->nwhole[g] > 0)
			counted[gates->nplaces++] = (struct counted){gates->nwhole[g], g};
	qsort(counted, (size_t)gates->nplaces, sizeof(*counted), most_first);
	for (int i = 0; i < gates->nplaces; i++)
		gates->order[i] = counted[i].group;
	free(counted);
}

int convex_gates_fit(struct convex_gates *gates, const uint64_t *idle, int n)
{
	struct clique clique = {.gates = gates, .steps = CONVEX_STEPS, .visit = note_found};
	int ngroup, nwhole, end;

	if (n > gates->per && n % gates->per != 0)
		return 0;
	clique.wanted = n / gates->per;
	if (n > gates->per && is_still_there(gates, idle, clique.wanted))
		return 1;
	if (count_idle(gates, idle, &ngroup, &nwhole) >= n)
		return 1;
	if (clique.wanted > 1 && ngroup >= clique.wanted)
		return 1;
	if (clique.wanted < 2 || nwhole < clique.wanted)
		return 0;
	order_by_count(gates);
	end = search_cliques(&clique);
	return end == SEARCH_STOP ? 1 : end == SEARCH_ALL ? 0 : -1;
}

/* ---- the best one ---- */

struct ranked_router {
	int64_t value; /* the ranks of its nodes */
	int router;
};

struct best_set {
	struct ranked_router *by_value; /* [n] whole routers */
	int n;
	bool *has_group; /* [groups] */
	int64_t value;   /* −1: none yet */
	int_vec routers;
};

static int least_first(const void *a, const void *b)
{
	const struct ranked_router *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->router > y->router) - (x->router < y->router);
}

/* The gates, and of the other routers in has_group those of least value. Returns the sum. */
static int64_t least_value(struct clique *clique, int_vec *routers)
{
	struct best_set *best = clique->context;
	int missing = clique->wanted - clique->ngates;
	int64_t sum = 0;

	for (int i = 0; i < best->n; i++) {
		int r = best->by_value[i].router;
		bool is_gate = clique->uses[r] > 0;

		if (!best->has_group[r / clique->gates->df->routers] || (!is_gate && missing == 0))
			continue;
		missing -= !is_gate;
		sum += best->by_value[i].value;
		if (routers != NULL)
			vec_push(routers, r);
	}
	clique->steps -= best->n;
	return sum;
}

static void mark_groups(struct clique *clique, bool has)
{
	struct best_set *best = clique->context;

	for (int i = 0; i < clique->n; i++)
		best->has_group[clique->gates->order[clique->place[i]]] = has;
}

static int keep_best(struct clique *clique)
{
	struct best_set *best = clique->context;
	int64_t value;

	mark_groups(clique, true);
	value = least_value(clique, NULL);
	if (best->value < 0 || value < best->value) {
		best->value = value;
		best->routers.n = 0;
		least_value(clique, &best->routers);
	}
	mark_groups(clique, false);
	return 0;
}

static int keep_first(struct clique *clique)
{
	keep_best(clique);
	return 1;
}

static bool is_hopeless(struct clique *clique, const uint64_t *more)
{
	struct best_set *best = clique->context;
	const struct convex_gates *gates = clique->gates;
	int64_t value;

	if (best->value < 0)
		return false;
	mark_groups(clique, true);
	for (int place = 0; place < gates->nplaces; place++)
		if (bits_has(more, place))
			best->has_group[gates->order[place]] = true;
	value = least_value(clique, NULL);
	memset(best->has_group, 0, (size_t)gates->df->groups);
	return value >= best->value;
}

/* Groups as the policy comes to their routers. */
static void order_by_value(struct convex_gates *gates, struct best_set *best,
			   const struct search *search)
{
	const struct space *space = gates->space;

	best->by_value = xmalloc((size_t)space->topo->nrouters * sizeof(*best->by_value));
	best->has_group = xcalloc((size_t)gates->df->groups, sizeof(bool));
	for (int r = 0; r < space->topo->nrouters; r++) {
		struct ranked_router *ranked = &best->by_value[best->n];

		if (!gates->is_whole[r])
			continue;
		*ranked = (struct ranked_router){0, r};
		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			ranked->value += search->rank[space->node[k]];
		best->n++;
	}
	qsort(best->by_value, (size_t)best->n, sizeof(*best->by_value), least_first);
	gates->nplaces = 0;
	for (int i = 0; i < best->n; i++) {
		int group = best->by_value[i].router / gates->df->routers;

		if (!best->has_group[group])
			gates->order[gates->nplaces++] = group;
		best->has_group[group] = true;
	}
	memset(best->has_group, 0, (size_t)gates->df->groups);
}

static int visit_best(const struct convex_gates *gates, struct search *search,
		      const struct best_set *best)
{
	const struct space *space = gates->space;
	int_vec nodes = {0};
	int end;

	for (size_t i = 0; i < best->routers.n; i++) {
		int r = best->routers.at[i];

		for (int k = space->first_node[r]; k < space->first_node[r + 1]; k++)
			vec_push(&nodes, space->node[k]);
	}
	end = search_exact(search, nodes.at);
	free(nodes.at);
	return end;
}

int convex_gates_best(struct convex_gates *gates, struct search *search)
{
	struct best_set best = {.value = -1};
	struct clique clique = {.gates = gates,
				.steps = CONVEX_STEPS,
				.visit = keep_best,
				.is_hopeless = is_hopeless,
				.context = &best};
	int ngroup, nwhole, end;

	count_idle(gates, search->machine->idle.level[0], &ngroup, &nwhole);
	clique.wanted = search->wanted / gates->per;
	if (search->wanted % gates->per != 0 || clique.wanted < 2 || nwhole < clique.wanted)
		return SEARCH_ALL;
	order_by_value(gates, &best, search);
	end = search_cliques(&clique);
	if (best.value < 0 && end == SEARCH_BOUND) {
		/* one at least, as soon as there is one */
		order_by_count(gates);
		clique.steps = CONVEX_STEPS;
		clique.is_hopeless = NULL;
		clique.visit = keep_first;
		clique.ngates = clique.nidle = clique.n = 0;
		end = search_cliques(&clique);
	}
	if (best.value >= 0)
		end = visit_best(gates, search, &best);
	free(best.by_value);
	free(best.has_group);
	free(best.routers.at);
	return end;
}
