/* link_cliques.c - sets of nodes that go together by pairs: cliques by branching */
#include "place/constraint/link_cliques.h"

#include <stdlib.h>
#include <string.h>

/* A unit that was taken in: what was before. */
struct branch {
	int at;   /* place of its node */
	int nset; /* nodes of the set */
	int nleft;
	bool is_new;     /* the unit was not in the set before */
	size_t nchanged; /* of changed */
};

struct change {
	int word;
	uint64_t was;
};

/*
 * Nodes of one unit go together with the same ones, so a set that has one of them may have the
 * others as well: where one set is enough, the choice is to take a unit in or to leave it.
 */
struct cliques {
	struct links *links;
	struct search *search;
	const int *nodes; /* [n] */
	int n, at;
	uint64_t *all;    /* units of the nodes */
	uint64_t *may;    /* units that go together with all of the set */
	uint64_t *in;     /* those of the set */
	uint64_t *before; /* may, before it was narrowed */
	int *nleft_of;    /* [bits of units] nodes at places from at on */
	int nleft;        /* of the units in may */
	int_vec set;
	VEC(struct branch) branches;
	VEC(struct change) changes;
	int64_t least_steps; /* that it may leave */
	int64_t look_steps;  /* between two looks at the set as a whole */
	int64_t look_at;     /* what is left of them at the next one */
	uint64_t *marked;    /* [links->nwords] of the set and all that would follow */
	int_vec whole;
};

enum { LEAST_LOOK = 64, TRIES = 24 };

static int unit_at(const struct cliques *cliques, int place)
{
	return cliques->links->unit_of[cliques->nodes[place]];
}

static void take(struct cliques *cliques)
{
	vec_push(&cliques->set, cliques->nodes[cliques->at]);
	cliques->nleft_of[unit_at(cliques, cliques->at++)]--;
	cliques->nleft--;
}

/* Units that went out of a word of may. */
static void drop(struct cliques *cliques, int word, uint64_t was)
{
	int ngone = 0;

	vec_push(&cliques->changes, (struct change){word, was});
	for (uint64_t gone = was & ~cliques->may[word]; gone != 0; gone &= gone - 1) {
		cliques->nleft -= cliques->nleft_of[word * 64 + __builtin_ctzll(gone)];
		ngone++;
	}
	search_spend(cliques->search, 2 * ngone);
}

static void take_in(struct cliques *cliques)
{
	struct links *links = cliques->links;
	int unit = unit_at(cliques, cliques->at);
	struct branch branch = {cliques->at, (int)cliques->set.n, cliques->nleft,
				!bits_has(cliques->in, unit), cliques->changes.n};

	vec_push(&cliques->branches, branch);
	take(cliques);
	if (!branch.is_new)
		return;
	bits_add(cliques->in, unit);
	memcpy(cliques->before, cliques->may, (size_t)links->nunit_words * sizeof(uint64_t));
	search_spend(cliques->search,
		     links->nunit_words + links->form->narrow(links, unit, cliques->may));
	for (int w = 0; w < links->nunit_words; w++)
		if (cliques->may[w] != cliques->before[w])
			drop(cliques, w, cliques->before[w]);
}

/* Back to the last unit that was taken in, which is left now. false: there is none. */
static bool go_back(struct cliques *cliques)
{
	struct branch branch;
	int unit;

	if (cliques->branches.n == 0)
		return false;
	branch = cliques->branches.at[--cliques->branches.n];
	while (cliques->changes.n > branch.nchanged) {
		const struct change *change = &cliques->changes.at[--cliques->changes.n];

		cliques->may[change->word] = change->was;
	}
	while (cliques->at > branch.at)
		cliques->nleft_of[unit_at(cliques, --cliques->at)]++;
	cliques->nleft = branch.nleft;
	cliques->set.n = (size_t)branch.nset;
	unit = unit_at(cliques, branch.at);
	if (branch.is_new)
		cliques->in[unit >> 6] &= ~(1ULL << (unit & 63));
	if (cliques->search->wants_all) { /* without this node */
		cliques->nleft_of[unit]--;
		cliques->nleft--;
		cliques->at++;
	} else {
		uint64_t was = cliques->may[unit >> 6];

		cliques->may[unit >> 6] &= ~(1ULL << (unit & 63));
		drop(cliques, unit >> 6, was);
	}
	return true;
}

/* The next node: taken, or left where it goes not with the set. */
static void go_on(struct cliques *cliques)
{
	int unit = unit_at(cliques, cliques->at);

	if (!bits_has(cliques->may, unit)) {
		cliques->nleft_of[unit]--;
		cliques->at++;
	} else if (bits_has(cliques->in, unit) && !cliques->search->wants_all) {
		take(cliques);
	} else {
		take_in(cliques);
	}
}

/*
 * Whether the set and the first of those that may follow are one as they are: then each of them
 * would be taken in turn. The links of a whole set cost less than narrowing by each of many units.
 */
static bool is_whole(struct cliques *cliques)
{
	struct links *links = cliques->links;
	size_t wanted = (size_t)cliques->search->wanted;
	bool meets = false;

	cliques->whole.n = 0;
	for (size_t i = 0; i < cliques->set.n; i++)
		vec_push(&cliques->whole, cliques->set.at[i]);
	for (int i = cliques->at; cliques->whole.n < wanted; i++)
		if (bits_has(cliques->may, unit_at(cliques, i)))
			vec_push(&cliques->whole, cliques->nodes[i]);
	memset(cliques->marked, 0, (size_t)links->nwords * sizeof(uint64_t));
	links->form->mark(links, cliques->whole.at, (int)wanted, cliques->marked);
	for (int w = 0; w < links->nwords && !meets; w++)
		meets = (cliques->marked[w] & links->used[w]) != 0;
	return !meets;
}

static void plan_look(struct cliques *cliques, int64_t steps)
{
	cliques->look_steps = steps;
	cliques->look_at = cliques->search->steps - steps;
}

/* Whether it is time to look at the whole of it, and it is one: looks take no longer than the
 * narrowing between them. */
static bool takes_all(struct cliques *cliques)
{
	if (cliques->search->steps > cliques->look_at || cliques->search->wants_all ||
	    cliques->search->wanted - (int)cliques->set.n < LEAST_LOOK)
		return false;
	search_spend(cliques->search, cliques->links->mark_steps);
	plan_look(cliques, 2 * cliques->look_steps);
	return is_whole(cliques);
}

/* From the place on; without going back only one way is tried. */
static int run(struct cliques *cliques, bool goes_back)
{
	struct search *search = cliques->search;
	size_t wanted = (size_t)search->wanted;
	int end;

	for (;;) {
		if (cliques->set.n == wanted) {
			end = search_exact(search, cliques->set.at);
			if (end != SEARCH_ALL || !search->wants_all)
				return end;
		} else if (cliques->set.n + (size_t)cliques->nleft >= wanted &&
			   (goes_back || search->steps >= 0)) {
			if (takes_all(cliques))
				return search_exact(search, cliques->whole.at);
			go_on(cliques);
			continue;
		}
		if (!goes_back || search->steps < cliques->least_steps)
			return SEARCH_BOUND;
		if (!go_back(cliques))
			return SEARCH_ALL;
	}
}

/* All nodes are left again. */
static void put_back(struct cliques *cliques)
{
	while (cliques->at > 0)
		cliques->nleft_of[unit_at(cliques, --cliques->at)]++;
}

/* Nothing is taken; the nodes follow each other from a place on. */
static void start(struct cliques *cliques, const int *nodes)
{
	size_t nwords = (size_t)cliques->links->nunit_words;

	search_spend(cliques->search, 3 * (int64_t)cliques->n + 16 * (int64_t)nwords);
	cliques->nodes = nodes;
	cliques->at = 0;
	memcpy(cliques->may, cliques->all, nwords * sizeof(uint64_t));
	memset(cliques->in, 0, nwords * sizeof(uint64_t));
	cliques->nleft = cliques->n;
	plan_look(cliques, cliques->links->mark_steps);
	cliques->set.n = cliques->branches.n = cliques->changes.n = 0;
}

/* Ways from other places, each once round. */
static int try_places(struct cliques *cliques, const int *nodes)
{
	int n = cliques->n, ntries = n < TRIES ? n : TRIES, end = SEARCH_BOUND;
	int *turned = xmalloc((size_t)n * sizeof(*turned));

	cliques->least_steps = 0;
	for (int i = 1; i < ntries && end == SEARCH_BOUND && cliques->search->steps >= 0; i++) {
		int from = (int)((int64_t)i * n / ntries);

		put_back(cliques);
		memcpy(turned, &nodes[from], (size_t)(n - from) * sizeof(int));
		memcpy(&turned[n - from], nodes, (size_t)from * sizeof(int));
		start(cliques, turned);
		end = run(cliques, false);
	}
	free(turned);
	return end;
}

int link_cliques(struct links *links, struct search *search, const int *nodes, int n)
{
	size_t nwords = (size_t)links->nunit_words;
	struct cliques cliques = {.links = links, .search = search, .n = n};
	int end;

	cliques.nodes = nodes;
	cliques.all = xcalloc(nwords, sizeof(uint64_t));
	cliques.may = xcalloc(nwords, sizeof(uint64_t));
	cliques.in = xcalloc(nwords, sizeof(uint64_t));
	cliques.before = xcalloc(nwords, sizeof(uint64_t));
	cliques.nleft_of = xcalloc(nwords * 64, sizeof(int));
	cliques.marked = xmalloc((size_t)links->nwords * sizeof(uint64_t));
	cliques.least_steps = search->wants_all ? 0 : search->steps / 4 * 3;
	for (int i = 0; i < n; i++) {
		bits_add(cliques.all, unit_at(&cliques, i));
		cliques.nleft_of[unit_at(&cliques, i)]++;
	}
	start(&cliques, nodes);
	end = run(&cliques, true);
	if (end == SEARCH_BOUND && !search->wants_all)
		end = try_places(&cliques, nodes);
	free(cliques.all);
	free(cliques.may);
	free(cliques.in);
	free(cliques.before);
	free(cliques.nleft_of);
	free(cliques.marked);
	free(cliques.set.at);
	free(cliques.whole.at);
	free(cliques.branches.at);
	free(cliques.changes.at);
	return end;
}

bool links_go_together(struct links *links, struct search *search, const int *nodes, int n)
{
	size_t nwords = (size_t)links->nunit_words;
	uint64_t *units = xcalloc(nwords, sizeof(uint64_t));
	uint64_t *all = xcalloc(nwords, sizeof(uint64_t));
	bool together = true;

	for (int i = 0; i < n; i++) {
		together = together && (n == 1 || !links_is_cut(links, nodes[i]));
		bits_add(all, links->unit_of[nodes[i]]);
	}
	memcpy(units, all, nwords * sizeof(uint64_t));
	for (int i = 0; i < n && together; i++) {
		/* nodes of a unit often follow each other */
		if (i > 0 && links->unit_of[nodes[i]] == links->unit_of[nodes[i - 1]])
			continue;
		search_spend(search, links->form->narrow(links, links->unit_of[nodes[i]], units));
		together = memcmp(units, all, nwords * sizeof(uint64_t)) == 0;
	}
	free(units);
	free(all);
	return together;
}
